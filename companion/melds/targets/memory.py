"""What is remembered from hand to hand, and how much of it."""

from __future__ import annotations

from typing import TypeVar

Question = TypeVar("Question")
Answer = TypeVar("Answer")

MOST = 1_024


class Memory(dict[Question, Answer]):
    """Answers found before; before there are too many it begins again."""

    def __setitem__(self, question: Question, answer: Answer) -> None:
        """Remember an answer."""
        if len(self) == MOST:
            self.clear()
        super().__setitem__(question, answer)
