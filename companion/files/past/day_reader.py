"""The days of games: in which order they are written, and those that a file does not have."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import date

from companion.store.dates import DateError, read_day

from .cell_values import NO_YEAR, Order
from .past_game import PastGame
from .questions import Answer, Question, Questionnaire

ORDERS: dict[Order, str] = {"dmy": "Day, month, year", "mdy": "Month, day, year"}


class DayReader:
    """Reads the days of games by the answers, once it has asked what they leave open."""

    def __init__(self, games: Sequence[PastGame], form: Questionnaire) -> None:
        """Ask for the order where all have two readings, and for a year or day where none is."""
        self.year: int | None = None
        if any(day.year == NO_YEAR for game in games for day in game.days.values()):
            year = form.ask(Question("year", "of which year the days are", typed="text"))
            if len(year) == 4 and year.isascii() and year.isdecimal() and "1900" <= year < "2100":
                self.year = int(year)
        self.order = _likely_order(games)
        if any(len(set(game.days.values())) > 1 for game in games) and all(
            order in game.days for game in games if game.days for order in ORDERS
        ):
            options = [Answer(order, words) for order, words in ORDERS.items()]
            asked = Question("order", "how the dates are written", options, self.order)
            self.order = "mdy" if form.ask(asked) == "mdy" else "dmy"
        self.other: date | None = None
        if any(not game.days or (self.year and not self.day(game)) for game in games):
            with suppress(DateError):
                self.other = read_day(form.ask(Question("day", "which day", typed="day")))

    def day(self, game: PastGame) -> date | None:
        """Return when a game was played; the day that was typed where its file has none."""
        day = game.days.get(self.order) or next(iter(game.days.values()), None)
        if day is None or day.year != NO_YEAR:
            return day or self.other
        with suppress(ValueError):
            return day.replace(year=self.year) if self.year else None
        return self.other


def _likely_order(games: Sequence[PastGame]) -> Order:
    """Guess how days are written: as all can be read, then as they follow one another."""
    dated = [game.days for game in games if game.days]
    can: list[Order] = [order for order in ORDERS if all(order in days for days in dated)]
    read = {order: [days[order] for days in dated] for order in can if dated}
    rising = [order for order in read if read[order] == sorted(read[order])]
    # Evenings a week apart are likelier than the same on the first of two months.
    rising.sort(key=lambda order: read[order][-1] - read[order][0])
    return next(iter((*rising, *can, *ORDERS)))
