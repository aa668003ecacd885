"""Leagues made up with known skills, to see what ratings find of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt
from random import Random
from statistics import correlation, fmean

from companion.games.rating_model import BETA, RatingState, replay
from companion.statistics.ratings import SURE_OF_RANGE, can_tell_apart

LUCK = sqrt(2) * BETA
TABLE = 4


@dataclass(frozen=True, slots=True)
class League:
    """Known skills by person, their average zero, and the games that came of them."""

    skills: Sequence[float]
    games: Sequence[Sequence[tuple[int, int]]]


@dataclass(frozen=True, slots=True)
class Found:
    """What ratings found of a league: order, and for each person whether the range held the skill.

    `claims` counts pairs called different, `right` those of them that were named the right way.
    """

    rank_correlation: float
    inside: Sequence[bool]
    sigma: float
    claims: int
    right: int


def play_league(seed: int, *, people: int, spread: float, games: int) -> League:
    """Make up a league: at each game up to four of its people sit down, now and then two tie.

    Skills are normal with the spread; a game adds luck so that the chance to end ahead of one
    other is logistic in the difference, which is what the model believes.
    """
    rng = Random(f"league {seed} {people} {spread}")
    drawn = [rng.gauss(0, spread) for _ in range(people)]
    skills = [skill - fmean(drawn) for skill in drawn]
    return League(skills, [_game(rng, skills) for _ in range(games)])


def _game(rng: Random, skills: Sequence[float]) -> list[tuple[int, int]]:
    seated = rng.sample(range(len(skills)), min(TABLE, len(skills)))
    result = {who: skills[who] - LUCK * log(-log(1 - rng.random())) for who in seated}
    order = sorted(seated, key=lambda who: -result[who])
    tie = rng.randrange(1, len(order)) if rng.random() < 0.05 else 0
    return [(who, place - (place == tie + 1 and tie > 0)) for place, who in enumerate(order, 1)]


def rate_league(seed: int, *, people: int, spread: float, games: int) -> Found:
    """Rate a made-up league from its games alone and compare with its skills."""
    league = play_league(seed, people=people, spread=spread, games=games)
    forms = replay(league.games)
    rated = [forms.get(who, RatingState()) for who in range(people)]
    middle = fmean(form.mu for form in rated)
    inside = [
        abs(form.mu - middle - skill) <= SURE_OF_RANGE * form.sigma
        for form, skill in zip(rated, league.skills, strict=True)
    ]
    claims = _claims(league)
    return Found(
        correlation(_ranks(league.skills), _ranks([form.mu for form in rated])),
        inside,
        fmean(form.sigma for form in rated),
        len(claims),
        sum(league.skills[better] > league.skills[worse] for better, worse in claims),
    )


def _ranks(values: Sequence[float]) -> list[int]:
    order = sorted(range(len(values)), key=values.__getitem__)
    return [order.index(place) for place in range(len(values))]


def _claims(league: League) -> list[tuple[int, int]]:
    """List the pairs ever called different, the better first, looking after every game."""
    people, score, found = (
        len(league.skills),
        dict[tuple[int, int], int](),
        dict[object, tuple[int, int]](),
    )
    for game in league.games:
        for one, place in game:
            for other, behind in game:
                if place < behind:
                    score[one, other] = score.get((one, other), 0) + 1
                    ahead, back = score[one, other], score.get((other, one), 0)
                    if can_tell_apart(ahead, back, people):
                        found.setdefault(
                            frozenset((one, other)), (one, other) if ahead > back else (other, one)
                        )
    return list(found.values())


def claims_ever_made(seed: int, *, people: int, spread: float, games: int) -> bool:
    """Whether a league that looks after every game ever sees two people called different."""
    return bool(_claims(play_league(seed, people=people, spread=spread, games=games)))
