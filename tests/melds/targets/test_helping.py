"""What helps is found whole, whatever of it was known before."""

from __future__ import annotations

from random import Random

import pytest

from companion.cards import Pack, Rank
from companion.melds.contract import _Asked, _holding
from companion.melds.places import CELLS, sort_out
from companion.melds.targets.helping import helping_cells
from companion.melds.targets.target_search import Search
from tests.melds.crowded_hands import RULES, contract, crowded


@pytest.mark.parametrize("name", ["two naturals", "half", "apart", "a gap between runs"])
@pytest.mark.parametrize("asked", ["S3 R4 R4", "S3u R3 S3"])
def test_cards_that_help_are_found_beside_those_known(name: str, asked: str) -> None:
    rules, melds, pack = RULES[name], contract(asked), Pack(2, 2)
    for number in range(6):
        rng = Random(f"{name} {asked} {number}")
        hand = crowded(rng, rules, pack, melds.least_cards)
        holding = _holding(*sort_out(hand, rules), _Asked(melds, rules, pack, hand))
        search = Search(melds.melds, rules, holding)
        finding = search.nearest(20)
        if not finding or not finding.missing:
            continue
        found = helping_cells(search, finding.missing, set())
        assert finding.cells <= found <= {*CELLS.values()}
        known = {*rng.sample(sorted(found), len(found) // 2)}
        beside = helping_cells(search, finding.missing, known)
        assert naturals(beside) == naturals(found - known)


def naturals(cells: set[int]) -> set[int]:
    """Leave out twos: whether a wild card helps is asked by itself."""
    return {cell for cell in cells if cell & 15 != Rank.TWO}
