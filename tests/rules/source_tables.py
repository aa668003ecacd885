"""What the sources say of the deals of each variation of Contract Rummy, written by hand."""

from typing import NamedTuple

import pytest


class Row(NamedTuple):
    """One deal: cards dealt, contract (`S3` set, `R4` run, `=` exactly), cards needed and spare."""

    dealt: int
    contract: str
    need: int
    spare: int


SEVEN = [
    Row(10, "S3 S3", 6, 5),
    Row(10, "S3 R4", 7, 4),
    Row(10, "R4 R4", 8, 3),
    Row(10, "S3 S3 S3", 9, 2),
    Row(12, "S3 S3 R4", 10, 3),
    Row(12, "S3 R4 R4", 11, 2),
    Row(12, "R4 R4 R4", 12, 1),
]
DEALS = {
    "contract-bicycle": SEVEN,
    "deuces-wild": SEVEN,
    "jo": SEVEN,
    "liverpool-seven": SEVEN,
    "progressive": [
        Row(6, "S3= S3=", 6, 1),
        Row(7, "S3= R4=", 7, 1),
        Row(8, "R4= R4=", 8, 1),
        Row(9, "S3= S3= S3=", 9, 1),
        Row(10, "S3= S3= R4=", 10, 1),
        Row(11, "S3= R4= R4=", 11, 1),
        Row(12, "R4= R4= R4=", 12, 1),
    ],
    "king": [
        Row(10, "S3= R4", 7, 4),
        Row(10, "S3 S3 S3", 9, 2),
        Row(10, "R4 R4", 8, 3),
        Row(10, "S3= S3= R4=", 10, 1),
    ],
    "liverpool": [
        Row(10, "S3= S3=", 6, 5),
        Row(10, "S3= R4=", 7, 4),
        Row(10, "R4= R4=", 8, 3),
        Row(10, "S3= S3= S3=", 9, 2),
        Row(10, "S3= S3= R4=", 10, 1),
        Row(10, "S3= R4= R4=", 11, 0),
    ],
    "shanghai": [
        Row(11, "S3 S3", 6, 6),
        Row(11, "S3 R4", 7, 5),
        Row(11, "R4 R4", 8, 4),
        Row(11, "S3 S3 S3", 9, 3),
        Row(11, "S3 R7", 10, 2),
        Row(11, "S3 S3 R5", 11, 1),
        Row(11, "R4 R4 R4", 12, 0),
        Row(11, "S3 R10", 13, -1),
        Row(11, "S3 S3 S3 R5", 14, -2),
        Row(11, "R5 R5 R5", 15, -3),
    ],
    "carioca": [
        Row(12, "S3 S3", 6, 7),
        Row(12, "S3 R4", 7, 6),
        Row(12, "R4 R4", 8, 5),
        Row(12, "S3 S3 S3", 9, 4),
        Row(12, "S3 S3 R4", 10, 3),
        Row(12, "S3 R4 R4", 11, 2),
        Row(12, "S3 S3 S3 S3", 12, 1),
        Row(12, "R4 R4 R4", 12, 1),
    ],
    "carioca-chile": [
        Row(12, "S3 S3", 6, 7),
        Row(12, "S3 R4", 7, 6),
        Row(12, "R4 R4", 8, 5),
        Row(12, "S3 S3 S3", 9, 4),
        Row(12, "S3 S3 R4", 10, 3),
        Row(12, "S3 R4 R4", 11, 2),
        Row(12, "R4 R4 R4", 12, 1),
        Row(12, "S3 S3 S3 S3", 12, 1),
    ],
    "continental-spain": [
        Row(7, "S3 S3", 6, 2),
        Row(8, "S3 R4", 7, 2),
        Row(9, "R4 R4", 8, 2),
        Row(10, "S3 S3 S3", 9, 2),
        Row(11, "S3 S3 R4", 10, 2),
        Row(12, "S3 R4 R4", 11, 2),
        Row(13, "R4 R4 R4", 12, 2),
    ],
    "telefunken": [
        Row(11, "S3", 3, 9),
        Row(11, "S3 S3", 6, 6),
        Row(11, "S4", 4, 8),
        Row(11, "S4 S4", 8, 4),
        Row(11, "S5", 5, 7),
        Row(11, "S5 S5", 10, 2),
        Row(11, "S3 R7", 10, 2),
    ],
    "kalooki-jamaica": [
        Row(9, "S3 S3 S3", 9, 1),
        Row(10, "S3 S3 R4", 10, 1),
        Row(11, "S3 R4 R4", 11, 1),
        Row(12, "R4 R4 R4", 12, 1),
        Row(12, "S3 S3 S3 S3", 12, 1),
        Row(13, "S3 S3 S3 R4", 13, 1),
        Row(14, "S3 S3 R4 R4", 14, 1),
        Row(15, "S3 R4 R4 R4", 15, 1),
        Row(16, "R4 R4 R4 R4", 16, 1),
    ],
    "frustration": [
        Row(13, "S3 S3 S3", 9, 5),
        Row(13, "S3 R4", 7, 7),
        Row(13, "S3 S3 R4", 10, 4),
        Row(13, "S4 S4", 8, 6),
        Row(13, "R4 R4", 8, 6),
        Row(13, "S3 S3 S3 S3", 12, 2),
        Row(13, "S3 R7", 10, 4),
        Row(13, "S4 S4 S4", 12, 2),
        Row(13, "R4 R4 R4", 12, 2),
        Row(13, "S5 S5", 10, 4),
        Row(13, "R5 R5", 10, 4),
        Row(13, "S4 S4 R4", 12, 2),
        Row(13, "S4 R4 R4", 12, 2),
        Row(13, "S3 R9", 12, 2),
    ],
    "hollywood": [
        Row(11, "S3 S3", 6, 6),
        Row(11, "S3 R4", 7, 5),
        Row(11, "R4 R4", 8, 4),
        Row(11, "S3 S3 S3", 9, 3),
        Row(11, "S3 S3 R4", 10, 2),
        Row(11, "S3 R4 R4", 11, 1),
        Row(11, "R4 R4 R4", 12, 0),
    ],
    "crummy": [
        Row(7, "S3 S3", 6, 2),
        Row(8, "S3 R4", 7, 2),
        Row(9, "R4 R4", 8, 2),
        Row(10, "S3 S3 S3", 9, 2),
        Row(11, "S3 R7", 10, 2),
        Row(12, "S3 R4 R4", 11, 2),
        Row(13, "R4 R4 R4", 12, 2),
    ],
    "the-ten-contracts": [
        Row(11, "S2A S3", 5, 7),
        Row(11, "S3 S3", 6, 6),
        Row(11, "S3 R4", 7, 5),
        Row(11, "R4 R4", 8, 4),
        Row(11, "S3 S3 S3", 9, 3),
        Row(11, "S3 S3 R4", 10, 2),
        Row(11, "S3 R4 R4", 11, 1),
        Row(11, "R5 R6", 11, 1),
        Row(11, "S3 R7", 10, 2),
        Row(11, "R4 R4 R4", 12, 0),
    ],
}
EACH = pytest.mark.parametrize("key", DEALS)
