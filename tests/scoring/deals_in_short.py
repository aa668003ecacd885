"""Deals scored in few words."""

from collections.abc import Sequence

import pytest

from companion.cards import Pack
from companion.rules import Variant
from companion.scoring import Tally, TallyError, deal_doubts, score_deal
from tests.support.reports import FAMILY, points


def scored(
    variant: Variant, *tallies: Tally | None, start: Sequence[int] = (), deal: int = 1
) -> list[int | None]:
    return points(score_deal(variant, deal, tallies, start or [0] * len(tallies)))


NOBODY_OUT = "No one went out: tap the player who did, or cancel the deal."


def faults(
    variant: Variant, tallies: Sequence[Tally | None], start: Sequence[int] = (), deal: int = 1
) -> list[str]:
    with pytest.raises(TallyError) as refused:
        score_deal(variant, deal, tallies, start or [0] * len(tallies))
    return [found.in_words(FAMILY) for found in refused.value.findings]


def doubts(
    variant: Variant,
    tallies: Sequence[Tally | None],
    start: Sequence[int] = (),
    *,
    deal: int = 1,
    pack: Pack | None = None,
) -> list[str]:
    totals = start or [0] * len(tallies)
    score_deal(variant, deal, tallies, totals)
    found = deal_doubts(variant, deal, tallies, totals, pack or variant.pack(3))
    return [doubt.in_words(FAMILY) for doubt in found]
