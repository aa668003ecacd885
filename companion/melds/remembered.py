"""Answers remembered from hand to hand, as long as they are not too many."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable
from typing import TypeVar

Asked = TypeVar("Asked", bound=Hashable)
Found = TypeVar("Found")


class Memory(dict[Asked, Found]):
    """Answers by what was asked; before there are too many it begins again."""

    MOST = 1_024

    def __setitem__(self, asked: Asked, found: Found) -> None:
        """Remember an answer."""
        if len(self) == self.MOST:
            self.clear()
        super().__setitem__(asked, found)


class Remembered(Memory[Asked, Found]):
    """Answers of which one that is not remembered is found, and remembered."""

    MOST = 6_000

    def __missing__(self, asked: Asked) -> Found:
        self[asked] = found = self.find(asked)
        return found

    @abstractmethod
    def find(self, asked: Asked) -> Found:
        """Find one answer."""
