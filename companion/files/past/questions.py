"""What the table is asked about old scores: each question with its guess, and what was answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from . import cell_values

LEFT_OUT = "-"


class Answer(NamedTuple):
    """One answer to a question."""

    value: str
    words: str


class Question(Struct, frozen=True):
    """Something that the file does not say, with what is chosen; `field` names its control.

    `is_asked` is False for what was only guessed. `label` is how a page asks it, where that is
    other words; `typed` what may be typed, a number beside the answers.
    """

    field: str
    words: str
    options: Sequence[Answer] = ()
    chosen: str = ""
    is_asked: bool = True
    label: str = ""
    typed: Literal["", "text", "day", "number"] = ""

    @property
    def heading(self) -> str:
        """What stands above its control."""
        return self.label or self.words[:1].upper() + self.words[1:]

    @property
    def is_open(self) -> bool:
        """Whether nothing can be stored before it is answered."""
        return self.is_asked and not self.chosen


class Questionnaire:
    """Answers by the fields of their controls, and the questions that were asked."""

    def __init__(self, answers: Mapping[str, str]) -> None:
        self.answers = answers
        self.questions: list[Question] = []

    def ask(self, question: Question) -> str:
        """Ask a question whose `chosen` is the guess, and return what is chosen.

        What is not among its options is no answer, but for what may be typed.
        """
        answer = self.answers.get(question.field, "").strip()
        values = [value for value, _ in question.options]
        options = question.options
        if question.typed == "number":
            typed = self.answers.get(f"points-{question.field.partition('-')[2]}", "").strip()
            answer = typed or answer
            if answer not in values and isinstance(cell_values.number(answer), int):
                options = [*options, Answer(answer, answer)]
                values.append(answer)
        chosen = answer if answer in values or not values else ""
        chosen = chosen or question.chosen
        self.questions.append(replace(question, options=options, chosen=chosen))
        return chosen
