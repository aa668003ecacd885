"""How strong each player is, from the order in which a league's games ended.

Ratings are openskill's Bradley-Terry model over places, shared ones included. Each depends on the
whole course of games and on nothing else, and a replay can be continued from any point.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from openskill.models import BradleyTerryFull

Placed = tuple[int | tuple[int, ...], int]
"""A person's id, or those of a team, and the place in one game; shared places are the same."""

MU, SIGMA, BETA = 25.0, 25 / 3, 25 / 6
"""What the model believes of a newcomer, and how much luck it sees in one game: openskill's own."""


class RatingState(Struct, frozen=True):
    """One person's rating and runs of wins after some games.

    `mu` and `sigma` are on the model's own scale. A shared first place counts as won in `streak`,
    the run that still lasts, and in `longest`.
    """

    mu: float = MU
    sigma: float = SIGMA
    games: int = 0
    streak: int = 0
    longest: int = 0


Forms = Mapping[int, RatingState]
"""The form of every person who has played, by id."""


def replay(games: Iterable[Iterable[Placed]], state: Forms | None = None) -> dict[int, RatingState]:
    """Rate every game in order, going on from the forms given; these stay as they were."""
    forms = dict(state or {})
    for _ in rate_each(games, forms):
        pass
    return forms


def rate_each(
    games: Iterable[Iterable[Placed]], forms: dict[int, RatingState]
) -> Iterator[dict[int, RatingState]]:
    """Rate game after game, carry on `forms`, and yield those that a game made.

    A game in which fewer than two people have a place rates nobody.
    """
    from openskill.models import BradleyTerryFull  # a megabyte, needed after a game has ended

    model = BradleyTerryFull(mu=MU, sigma=SIGMA, beta=BETA)
    for game in games:
        placed = list(game)
        rated = dict(_rated(model, forms, placed)) if len(placed) > 1 else {}
        forms.update(rated)
        yield rated


def _rated(
    model: BradleyTerryFull, forms: Forms, placed: list[Placed]
) -> Iterator[tuple[int, RatingState]]:
    """Rate one game. Its order is made the same whoever was named first.

    Equal ratings on a shared place stand side by side, so that they stay equal to the last bit.
    """
    sides = [(_people(who), place) for who, place in placed]
    before = {person: forms.get(person, RatingState()) for who, _ in sides for person in who}
    ordered = sorted(
        sides,
        key=lambda side: (side[1], [(before[who].mu, before[who].sigma, who) for who in side[0]]),
    )
    teams = [
        [model.rating(before[person].mu, before[person].sigma) for person in who]
        for who, _ in ordered
    ]
    rated = model.rate(teams, ranks=[float(place) for _, place in ordered])
    for (who, place), team in zip(ordered, rated, strict=True):
        for person, now in zip(who, team, strict=True):
            yield person, _after(before[person], now.mu, now.sigma, won=place == 1)


def _people(who: int | tuple[int, ...]) -> tuple[int, ...]:
    return who if isinstance(who, tuple) else (who,)


def _after(form: RatingState, mu: float, sigma: float, *, won: bool) -> RatingState:
    streak = form.streak + 1 if won else 0
    return RatingState(mu, sigma, form.games + 1, streak, max(form.longest, streak))
