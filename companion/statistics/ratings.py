"""How strong each player is, from the order in which a league's games ended.

Ratings are openskill's Bradley-Terry model over places, shared ones included. Each depends on the
whole course of games and on nothing else, and a replay can be continued from any point.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import lgamma, log
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

if TYPE_CHECKING:
    from openskill.models import BradleyTerryFull

Placed = tuple[int | tuple[int, ...], int]
"""A person's id, or those of a team, and the place in one game; shared places are the same."""

MOST_POINTS = 64
"""The longest series that a form keeps for its chart."""

MU, SIGMA, BETA = 25.0, 25 / 3, 25 / 6
"""What the model believes of a newcomer, and how much luck it sees in one game: openskill's own."""

NEWCOMER, PER_MU = 1500, 30
"""The scale people know from chess: 100 points more end ahead in 64 of 100 games, 400 in 91."""

SURE_OF_RANGE = 1.2816
"""How many sigma an 80 % range reaches to either side (`make statistics`: it holds 70 to 90 %)."""

MISTAKEN_LEAGUES = 0.05
"""The share of leagues without any difference in skill in which one may ever be claimed."""

_DRAWN_TO_EVEN = 5.0


class RatingState(Struct, frozen=True):
    """One person's rating and runs of wins after some games.

    `mu` and `sigma` are on the model's own scale. A shared first place counts as won in `streak`,
    the run that still lasts, and in `longest`. `series` holds (games, mu, sigma) of every
    `stride`-th game and of the latest.
    """

    mu: float = MU
    sigma: float = SIGMA
    games: int = 0
    streak: int = 0
    longest: int = 0
    stride: int = 1
    series: tuple[tuple[int, float, float], ...] = ()


Forms = Mapping[int, RatingState]
"""The form of every person who has played, by id."""


def replay(games: Iterable[Iterable[Placed]], state: Forms | None = None) -> dict[int, RatingState]:
    """Rate every game in order, going on from the forms given; these stay as they were.

    A game in which fewer than two people have a place rates nobody.
    """
    from openskill.models import BradleyTerryFull  # a megabyte, needed after a game has ended

    model = BradleyTerryFull(mu=MU, sigma=SIGMA, beta=BETA)
    forms = dict(state or {})
    for game in games:
        placed = list(game)
        if len(placed) > 1:
            forms.update(_rated(model, forms, placed))
    return forms


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
        key=lambda one: (one[1], [(before[who].mu, before[who].sigma, who) for who in one[0]]),
    )
    teams = [[model.rating(before[one].mu, before[one].sigma) for one in who] for who, _ in ordered]
    rated = model.rate(teams, ranks=[float(place) for _, place in ordered])
    for (who, place), team in zip(ordered, rated, strict=True):
        for person, now in zip(who, team, strict=True):
            yield person, _after(before[person], now.mu, now.sigma, won=place == 1)


def _people(who: int | tuple[int, ...]) -> tuple[int, ...]:
    return who if isinstance(who, tuple) else (who,)


def _after(form: RatingState, mu: float, sigma: float, *, won: bool) -> RatingState:
    games, streak = form.games + 1, form.streak + 1 if won else 0
    stride, kept = form.stride, form.series
    if kept and kept[-1][0] % stride:
        kept = kept[:-1]
    if len(kept) == MOST_POINTS:
        stride *= 2
        kept = tuple(point for point in kept if point[0] % stride == 0)
    return replace(
        form,
        mu=mu,
        sigma=sigma,
        games=games,
        streak=streak,
        longest=max(form.longest, streak),
        stride=stride,
        series=(*kept, (games, mu, sigma)),
    )


def to_data(forms: Forms) -> dict[str, dict[str, Any]]:
    """Write everybody's form as plain data; `from_data` gives it back to the last bit."""
    # By way of JSON, so that a tuple is the list that it is once it was stored.
    data: dict[str, dict[str, Any]] = msgspec.json.decode(
        msgspec.json.encode(dict(sorted(forms.items())))
    )
    return data


def from_data(data: Mapping[str, Any]) -> dict[int, RatingState]:
    """Read everybody's form as `to_data` wrote it."""
    return msgspec.convert(data, dict[int, RatingState], str_keys=True)


def read_form(facts: Mapping[str, Any]) -> RatingState:
    """Read one person's form as it is stored."""
    return msgspec.convert(facts, RatingState)


class Range(Struct, frozen=True):
    """Between which whole numbers a rating lies in four cases of five, and the likeliest."""

    low: int
    middle: int
    high: int


def rating_range(form: RatingState) -> Range:
    """Return a rating as a range on the scale of chess, where a newcomer stands at 1500."""
    middle, reach = NEWCOMER + PER_MU * (form.mu - MU), PER_MU * SURE_OF_RANGE * form.sigma
    return Range(round(middle - reach), round(middle), round(middle + reach))


def is_provisional(form: RatingState) -> bool:
    """Return whether a rating is not yet known twice as well as a newcomer's.

    It is the uncertainty that decides, not the number of games: a game of six tells more than a
    game of two. Four at a table need about ten games.
    """
    return form.sigma > SIGMA / 2


def can_tell_apart(ahead: int, behind: int, people: int) -> bool:
    """Return whether one of two people may be called the stronger, from how their games ended.

    `ahead` and `behind` count the games in which one ended before or after the other; `people`
    are all who are compared in the league. Of leagues without any difference in skill at most
    one in twenty ever sees a claim, however often it looks: between equals every game is a toss,
    and a bet that grows with the evidence reaches 20 times its stake, shared by all pairs, with
    a chance of at most 1 in 20 (Ville's inequality).
    """
    pairs = max(1, people * (people - 1) // 2)
    return _evidence(ahead, behind) >= log(pairs / MISTAKEN_LEAGUES)


def _evidence(ahead: int, behind: int) -> float:
    """Return the logarithm of what a bet against even chances would have grown to."""
    a, games = _DRAWN_TO_EVEN, ahead + behind
    return games * log(2) + _log_beta(ahead + a, behind + a) - _log_beta(a, a)


def _log_beta(one: float, other: float) -> float:
    return lgamma(one) + lgamma(other) - lgamma(one + other)
