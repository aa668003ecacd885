"""Answers remembered from hand to hand, as long as they are not too many."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable
from typing import TypeVar

Asked = TypeVar("Asked", bound=Hashable)
Found = TypeVar("Found")


class Remembered(dict[Asked, Found]):
    """Answers by what was asked; one that is not remembered is found, and remembered."""

    MOST = 6_000

    def __missing__(self, asked: Asked) -> Found:
        found = self.find(asked)
        if len(self) >= self.MOST:
            self.clear()
        self[asked] = found
        return found

    @abstractmethod
    def find(self, asked: Asked) -> Found:
        """Find one answer."""
