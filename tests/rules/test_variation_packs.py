"""The packs of the variations of Contract Rummy."""

import pytest

from companion.cards import Pack
from companion.rules import VariantError, load

from .source_tables import EACH

BY_CONTRACT = {3: (2, 1), 4: (2, 1), 5: (3, 2), 6: (3, 2), 7: (3, 2), 8: (3, 2)}
TWO_EACH = {3: (2, 4), 4: (2, 4), 5: (3, 6), 6: (3, 6), 7: (3, 6), 8: (3, 6)}
PACKS = {
    "contract-bicycle": BY_CONTRACT,
    "deuces-wild": BY_CONTRACT,
    "progressive": BY_CONTRACT,
    "shanghai": BY_CONTRACT,
    "continental-spain": dict.fromkeys((2, 3, 4), (2, 6)) | dict.fromkeys((5, 6, 7, 8), (3, 9)),
    "king": dict.fromkeys(range(3, 9), (2, 4)),
    "liverpool": TWO_EACH,
    "liverpool-seven": TWO_EACH,
    "carioca": {2: (2, 0)},
    "carioca-chile": dict.fromkeys((2, 3, 4), (2, 4)) | dict.fromkeys((5, 6), (3, 6)),
    "telefunken": dict.fromkeys((2, 3, 4, 5), (2, 4)) | dict.fromkeys((6, 7, 8, 9, 10), (3, 6)),
    "kalooki-jamaica": dict.fromkeys((2, 3, 4), (2, 4))
    | {5: (3, 8), 6: (3, 8), 7: (4, 10), 8: (4, 10)},
    "frustration": dict.fromkeys((2, 3, 4, 5), (2, 4)),
    "jo": {3: (2, 2), 4: (2, 3), 5: (3, 4), 6: (3, 5), 7: (4, 6), 8: (4, 7)},
    "hollywood": dict.fromkeys((2, 3, 4, 5, 6), (2, 0)) | dict.fromkeys((7, 8), (3, 0)),
    "crummy": {2: (1, 2), 3: (2, 4), 4: (2, 4), 5: (3, 6), 6: (3, 6), 7: (4, 8), 8: (4, 8)},
    "the-ten-contracts": {
        2: (2, 4),
        3: (2, 4),
        4: (2, 4),
        5: (3, 6),
        6: (3, 6),
        7: (4, 8),
        8: (4, 8),
    },
}


@EACH
def test_packs_by_number_of_players(key: str) -> None:
    variant = load(key)
    for players in range(1, 10):
        if players in PACKS[key]:
            assert variant.pack(players) == Pack(*PACKS[key][players])
        else:
            with pytest.raises(VariantError, match=f"players?, not {players}"):
                variant.pack(players)
