"""What a rating says, and when one player may be called the stronger."""

from __future__ import annotations

from math import lgamma, log

from msgspec import Struct
from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from companion.games.rating_model import MU, SIGMA, RatingState
from companion.store.models import Rating

MOST_POINTS = 64
"""The longest series that a chart shows."""

NEWCOMER, PER_MU = 1500, 30
"""The scale people know from chess: 100 points more end ahead in 64 of 100 games, 400 in 91."""

SURE_OF_RANGE = 1.2816
"""How many sigma an 80 % range reaches to either side (`make statistics`: it holds 70 to 90 %)."""

MISTAKEN_LEAGUES = 0.05
"""The share of leagues without any difference in skill in which one may ever be claimed."""

_DRAWN_TO_EVEN = 5.0


def rating_series(session: Session, form: RatingState, person_id: int) -> list[RatingState]:
    """Return a person's form after every so many games and after the latest: no more than fit."""
    stride = chart_stride(form.games)
    ratings = select(Rating.mu, Rating.sigma, Rating.games).where(Rating.person_id == person_id)
    shown = or_(Rating.games % stride == 0, Rating.games == form.games)
    rows = session.execute(ratings.where(shown).order_by(Rating.games))
    return [RatingState(*row) for row in rows]


def chart_stride(games: int) -> int:
    """Return how many games one point of a chart stands for.

    >>> [chart_stride(games) for games in (1, 64, 65, 128, 129)]
    [1, 1, 2, 2, 4]
    """
    return int(2 ** ((games - 1) // MOST_POINTS).bit_length())


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


def _log_beta(alpha: float, beta: float) -> float:
    return lgamma(alpha) + lgamma(beta) - lgamma(alpha + beta)
