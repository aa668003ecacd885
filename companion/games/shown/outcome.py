"""What a change of the scores leads to: who is out, who leads now, who wins."""

from __future__ import annotations

from msgspec import Struct

from companion.scoring import Standing


class Outcome(Struct, frozen=True):
    """What a table would say of new scores, by seat.

    `out` were put out by the change and `winners` won by it. Otherwise `leader` leads alone, by
    `lead` points (0: not by points), and `passed` is who led alone before, if another did; `level`
    share the lead.
    """

    out: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    leader: int | None = None
    lead: int = 0
    passed: int | None = None
    level: tuple[int, ...] = ()


def outcome(before: Standing, after: Standing) -> Outcome:
    """Compare where a game stood with where it stands now."""
    out = tuple(
        seat
        for seat, position in enumerate(after.out_at)
        if position is not None and (seat >= len(before.out_at) or before.out_at[seat] is None)
    )
    if after.over:
        return Outcome(out, winners=() if before.over else after.winners)
    leader, former = sole_leader(after), sole_leader(before)
    return Outcome(
        out,
        leader=leader,
        lead=lead_of(after, leader),
        passed=None if leader is None or former == leader else former,
        level=after.winners if leader is None and any(after.totals) else (),
    )


def sole_leader(standing: Standing) -> int | None:
    """Return who leads alone once anything was scored; None for nobody."""
    if not standing.running or len(standing.winners) != 1:
        return None
    return standing.winners[0]


def lead_of(standing: Standing, leader: int | None) -> int:
    """Return by how many points a sole leader is better than who comes next; 0 where by none."""
    if leader is None or 2 not in standing.places:
        return 0
    return standing.apart(leader, standing.places.index(2)) or 0
