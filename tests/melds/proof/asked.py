"""What the judge is asked and answers, in one line."""

from __future__ import annotations

from companion.melds import Contract, MeldSpec


def asked(*melds: str, all_cards: bool = False) -> Contract:
    """A contract from melds such as `S3` and `R10`; `M13` is a run of any suits."""
    return Contract(melds=tuple(map(spec, melds)), all_cards=all_cards)


def spec(name: str) -> MeldSpec:
    kind, size = name[0], int(name[1:])
    if kind == "S":
        return MeldSpec(kind="set", size=size)
    return MeldSpec(kind="run", size=size, suits="any" if kind == "M" else "same")
