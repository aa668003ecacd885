"""The variant that an old game is stored with: its own rules, cut to the deals that were played."""

from __future__ import annotations

from msgspec.structs import replace

from companion.rules import Variant
from companion.rules.variant import AS_PLAYED, TOTAL, DealRules, Ending, PackRow, Players


def as_played(variant: Variant, players: int, deals: int | None) -> Variant:
    """Return the variant for a game of so many deals; None where only totals are known.

    Its end is that of the sheet: nobody is out before it, and no score ends it. Whoever leads then
    has won, by the game's own idea of what is better.
    """
    is_highest = variant.ending.winner == "highest"
    ending = Ending(deals=deals or 1, winner="highest" if is_highest else "lowest")
    rules = variant.deals[:deals] if deals else (DealRules(dealt=variant.deals[0].dealt),)
    low, high = min(variant.players.min, players), max(variant.players.max, players)
    return replace(
        variant,
        source=AS_PLAYED,
        verified="read",
        assumed="",
        deal_word=variant.deal_word if deals else TOTAL,
        players=Players(low, high, variant.players.best),
        packs=_packs(variant, low, high),
        deals=rules,
        ending=ending,
        scoring=replace(variant.scoring, instant_win=None),
    )


def _packs(variant: Variant, low: int, high: int) -> tuple[PackRow, ...]:
    """Give smaller tables the cards of the smallest, and larger ones more decks."""
    if not variant.packs:
        return ()
    first, last = variant.packs[0], variant.packs[-1]
    rows = [replace(first, players=(min(low, first.players[0]), first.players[1]))]
    rows += variant.packs[1:]
    most = last.players[1]
    if high > most:
        times = -(-high // most)
        rows.append(PackRow((most + 1, high), last.decks * times, last.jokers * times))
    return tuple(rows)
