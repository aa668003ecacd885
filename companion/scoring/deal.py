"""Scoring one deal: every player's report in, every player's points and reasons out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from companion.cards import Pack, claims
from companion.rules import Variant
from companion.rules.words import many_of

from .bonuses import FIRST, bonus_faults, payment_faults, score_cards_left, score_payments
from .cards_left import LARGEST_TOTAL, cards_left_faults
from .knock import knock_doubts, knock_faults, limit_findings, score_knock
from .point_scores import asks_points, point_doubts, point_faults, point_rules, score_points
from .tally import Declared, Finding, Lines, LineScore, Reason, Tally, TallyError, who_declared
from .zip_scores import score_zips, zip_doubts, zip_faults


class DealScore(Struct, frozen=True):
    """The lines of one deal by seat (None: not in this deal) and what they lead to.

    `eliminated` are the seats put out by this deal; `winner` is the seat that won at once.
    """

    lines: Lines
    totals: tuple[int, ...]
    eliminated: tuple[int, ...]
    winner: int | None = None


def endings(variant: Variant) -> tuple[Declared, ...]:
    """List the ways in which a player can end a deal; an empty one where nobody need do so."""
    match variant.scoring.entry:
        case "unmelded" if variant.scoring.knock:
            wins: tuple[Declared, ...] = ("instant_win",) if variant.scoring.instant_win else ()
            return ("knock", "rummy", *wins)
        case "zips" if variant.turn.stock_out == "end_and_score":
            return ("out", "")
        case "points" | "winner" | "worth" if not point_rules(variant).ended:
            return ("",)
        case _:
            return ("out",)


def asks_cards(variant: Variant, ended: Declared, declared: Declared) -> bool:
    """Return whether a player must report cards, by how the deal ended and what they declared."""
    win = variant.scoring.instant_win
    if ended == "instant_win" and win and not win.score_deal:
        return False
    if not variant.has_cards:
        return asks_points(variant, declared)
    return variant.scoring.entry != "payments" and declared in ("", "knock")


def score_deal(
    variant: Variant,
    deal: int,
    tallies: Sequence[Tally | None],
    totals: Sequence[int],
    *,
    as_played: bool = False,
    bags: Sequence[int] = (),
) -> DealScore:
    """Score one deal from every player's report; None marks a player who is not in the deal.

    `deal` is the number of the deal, from 1; `totals` are the scores at its start, `bags` those
    that each seat had taken, where they count. A deal scored
    again `as_played` keeps a knock that corrected scores no longer allow (`I7`).
    Raises `TallyError` with every fault at once.
    """
    faults = list(deal_faults(variant, deal, tallies))
    # A knock that was over its limit was really made: a correction of an earlier deal can't unmake
    # it.
    if not faults and not as_played:
        faults = list(limit_findings(variant, deal, tallies, totals))
    if faults:
        raise TallyError(faults)
    lines = _adjusted(replayed(variant, _score(variant, deal, tallies, bags), totals), tallies)
    if faults := list(_race_faults(variant, tallies, lines, totals)):
        raise TallyError(faults)
    after = tuple(
        bounded(variant, total + line.points) if line else total
        for total, line in zip(totals, lines, strict=True)
    )
    winner = who_declared(tallies, "instant_win")
    # The game is over at once, so nobody is put out of it.
    out = _eliminated(variant, tallies, after) if winner is None else ()
    return DealScore(lines, after, out, winner)


def deal_faults(variant: Variant, deal: int, tallies: Sequence[Tally | None]) -> Iterator[Finding]:
    """Find everything in the reports that the rules forbid."""
    # A tie is played on beyond the last contract, which is dealt again.
    last = None if variant.plays_off else variant.deal_count
    if deal < 1 or (last is not None and deal > last):
        yield Finding(f"There is no deal {deal}: the game has {variant.deal_count}.")
    yield from _declared_faults(variant, tallies)
    yield from bonus_faults(variant, tallies)
    yield from _adjust_faults(tallies)
    for seat, tally in enumerate(tallies):
        entered = (tally.cards, tally.total, tally.hand) if tally else ()
        if sum(way is not None for way in entered) > 1:
            yield Finding("{0} has cards and a total: enter one or the other.", (seat,))
        elif tally and tally.hand is not None and variant.scoring.entry != "unmelded":
            yield Finding("{0}: only the cards left are counted in this game.", (seat,))
    yield from _entry_faults(variant, deal, tallies)


def _entry_faults(
    variant: Variant, deal: int, tallies: Sequence[Tally | None]
) -> Iterator[Finding]:
    match variant.scoring.entry:
        case "cards_left":
            yield from cards_left_faults(variant, tallies)
        case "unmelded":
            yield from knock_faults(variant, deal, tallies)
        case "zips":
            yield from zip_faults(variant, tallies)
        case "payments":
            yield from payment_faults(variant, tallies)
        case "points" | "winner" | "worth":
            yield from point_faults(variant, tallies)


def _adjust_faults(tallies: Sequence[Tally | None]) -> Iterator[Finding]:
    """Find points added by agreement that say no reason, or are beyond all bounds."""
    for seat, tally in enumerate(tallies):
        if tally and tally.adjust and not tally.why:
            yield Finding("Say why {0} gets or loses points.", (seat,), "why")
        if tally and abs(tally.adjust) > LARGEST_TOTAL:
            yield Finding(f"{{0}} can't have {tally.adjust} points added.", (seat,), "adjust")


_DECLARED = {
    "out": "go out",
    "knock": "knock",
    "rummy": "go rummy",
    "instant_win": "win at once",
}


def _declared_faults(variant: Variant, tallies: Sequence[Tally | None]) -> Iterator[Finding]:
    """Find a way of ending the deal that this game does not have."""
    allowed = {"", *endings(variant)}
    for seat, tally in enumerate(tallies):
        if tally and tally.declared not in allowed:
            what = _DECLARED.get(tally.declared, tally.declared)
            yield Finding(f"{{0}} cannot {what}: {variant.name} has no such ending.", (seat,))


def deal_doubts(
    variant: Variant,
    deal: int,
    tallies: Sequence[Tally | None],
    totals: Sequence[int],
    pack: Pack,
) -> list[Finding]:
    """Find what is odd but possible: asked once, then accepted with a note."""
    if not variant.has_cards:
        out = _already_out_doubts(variant, tallies, totals)
        return [*point_doubts(variant, variant.deal(deal).dealt, tallies), *out]
    return [
        *_pack_doubts(pack, tallies),
        *_size_doubts(variant, deal, tallies),
        *_between_doubts(variant, deal, tallies),
        *_already_out_doubts(variant, tallies, totals),
        *limit_findings(variant, deal, tallies, totals),
        *knock_doubts(variant, deal, tallies, totals),
        *zip_doubts(variant, tallies),
    ]


def _pack_doubts(pack: Pack, tallies: Sequence[Tally | None]) -> Iterator[Finding]:
    """Question hands that together hold more of a card than the packs do (`I8`)."""
    hands = {seat: tally.reported_cards for seat, tally in enumerate(tallies) if tally}
    for card in pack.too_many(hands.values()):
        holders = tuple(
            seat for seat, hand in hands.items() if any(card in claims(held) for held in hand)
        )
        held = sum(card in claims(reported) for hand in hands.values() for reported in hand)
        names, copies = _list_of_names(len(holders)), pack.copies(card)
        have = f"has {many_of(card, held)}"
        if len(holders) > 1:
            have = f"have {many_of(card, held)} together"
        so_many = f"there are only {copies}" if copies > 1 else "there is only 1"
        words = f"{names} {have}, but {so_many if copies else 'there are none'}."
        yield Finding(words, holders, code=f"more-than-packs-{card.name}")


def picked_up(variant: Variant, deal: int) -> int:
    """Return by how many cards a hand may well be longer than dealt: those taken out of turn.

    Where the rules set no limit to that, more than one and what comes with it is odd.
    """
    if not variant.pickup.allowed:
        return 0
    # Two: a turn that began with a draw may have been broken off by who went out.
    return max(2, (variant.buys(deal) or 1) * (1 + variant.pickup.penalty_cards))


def _size_doubts(variant: Variant, deal: int, tallies: Sequence[Tally | None]) -> Iterator[Finding]:
    """Question more cards, or more points, than a player was dealt."""
    dealt = variant.deal(deal).dealt
    # A total has no cards to count, so it is held against the dearest hand of that size.
    dearest = max(variant.melds.values.values())
    for seat, tally in enumerate(tallies):
        if tally is None or variant.scoring.entry in ("zips", "payments"):
            continue
        knock = variant.scoring.knock
        drawn = tally.declared == "knock" and knock is not None and not knock.discards_first
        more = picked_up(variant, deal) if variant.scoring.entry == "cards_left" else int(drawn)
        most = dealt + more
        if tally.cards is not None and len(tally.cards) > most:
            words = f"{{0}} has {len(tally.cards)} cards, {dealt} were dealt."
            yield Finding(words, (seat,), code="more-cards-than-dealt")
        elif (tally.total or 0) > most * dearest:
            words = f"{{0}} has {tally.total:,}: more than {most} cards can make."
            yield Finding(words, (seat,), code="more-points-than-cards")


def _between_doubts(
    variant: Variant, deal: int, tallies: Sequence[Tally | None]
) -> Iterator[Finding]:
    """Question a number of cards that fits neither a player who is down nor one who is not.

    Down, the contract lies on the table; not down, a player holds what was dealt. Each turn
    draws a card and discards one, and only cards taken out of turn change that.
    """
    rule = variant.deal(deal)
    if rule.contract is None or variant.is_each_on_their_own:
        return
    most_down = rule.dealt - rule.contract.least_cards + picked_up(variant, deal)
    whole = f"{rule.dealt} or more" if variant.pickup.allowed else f"{rule.dealt}"
    for seat, tally in enumerate(tallies):
        if tally and tally.cards and most_down < len(tally.cards) < rule.dealt:
            yield Finding(
                f"{{0}} has {len(tally.cards)} cards left. Expected {whole} (not down) or "
                f"at most {max(1, most_down)} (down).",
                (seat,),
                code="neither-down-nor-whole",
            )


def _already_out_doubts(
    variant: Variant, tallies: Sequence[Tally | None], totals: Sequence[int]
) -> Iterator[Finding]:
    """Question points for a player already out (CH-7.1); tied players may all play an extra deal.

    Not refused: an earlier deal may have been corrected after this one was played.
    """
    rule = variant.ending.eliminate
    playing = [seat for seat, tally in enumerate(tallies) if tally]
    gone = [seat for seat in playing if rule and rule.takes(totals[seat])]
    # All at once means an extra deal among the tied, where each of them was already out.
    if len(gone) < len(playing):
        for seat in gone:
            words = f"{{0}} was already out, with {totals[seat]}: still count it?"
            yield Finding(words, (seat,), code="already-out")


def _list_of_names(number: int) -> str:
    names = [f"{{{seat}}}" for seat in range(number)]
    return names[0] if number == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _score(
    variant: Variant, deal: int, tallies: Sequence[Tally | None], bags: Sequence[int]
) -> Lines:
    match variant.scoring.entry:
        case "cards_left":
            return tuple(score_cards_left(variant, tallies))
        case "payments":
            return tuple(score_payments(variant, tallies))
        case "unmelded":
            return tuple(score_knock(variant, deal, tallies))
        case "zips":
            return tuple(score_zips(variant, tallies))
        case "points" | "winner" | "worth":
            return tuple(score_points(variant, tallies, bags))


def _adjusted(lines: Lines, tallies: Sequence[Tally | None]) -> Lines:
    """Add the points that the table agreed on, each with its reason."""
    return tuple(
        LineScore((*line.reasons, Reason(tally.why, tally.adjust, "adjust")))
        if line and tally and tally.adjust
        else line
        for line, tally in zip(lines, tallies, strict=True)
    )


def _race_faults(
    variant: Variant, tallies: Sequence[Tally | None], lines: Lines, totals: Sequence[int]
) -> Iterator[Finding]:
    """Ask who was first where several reach the end of a race in one deal."""
    if variant.ending.tiebreak != "first_there":
        return
    arrived = [
        seat
        for seat, line in enumerate(lines)
        if line and totals[seat] + line.points >= variant.ending.target
    ]
    named = [seat for seat, tally in enumerate(tallies) if tally and tally.bonuses.get(FIRST)]
    for seat in set(named).difference(arrived):
        words = f"{{0}} hasn't reached {variant.ending.target}: choose no one as first there."
        yield Finding(words, (seat,))
    if len(arrived) > 1 and not named:
        names = _list_of_names(len(arrived))
        words = f"{names} reach {variant.ending.target}: choose who was first there."
        yield Finding(words, tuple(arrived))


def bounded(variant: Variant, total: int) -> int:
    """Keep a total from falling below the game's floor, and from passing the end of a race."""
    if variant.ending.tiebreak == "first_there":
        total = min(variant.ending.target, total)
    floor = variant.ending.floor
    return total if floor is None else max(floor, total)


def replayed(variant: Variant, lines: Lines, totals: Sequence[int]) -> Lines:
    """Where the house replays a deal that puts everybody out, nobody scores in it (H-14)."""
    rule = variant.ending.eliminate
    if rule is None or rule.all_out != "replay":
        return lines
    playing = [(line, total) for line, total in zip(lines, totals, strict=True) if line]
    if not all(rule.takes(total + line.points) for line, total in playing):
        return lines
    words = "Everyone would be out: this deal is played again"
    return tuple(LineScore((Reason(words, 0, "all-out"),)) if line else None for line in lines)


def _eliminated(
    variant: Variant, tallies: Sequence[Tally | None], after: Sequence[int]
) -> tuple[int, ...]:
    return eliminated_seats(variant, {s: after[s] for s, tally in enumerate(tallies) if tally})


def eliminated_seats(variant: Variant, totals: Mapping[int, int]) -> tuple[int, ...]:
    """Return which of the seats still in, with these totals after a deal, are out (H-1, H-14).

    Where the house plays an extra deal and everybody would be out, those tied for the lowest
    total play on.
    """
    rule = variant.ending.eliminate
    seats = [seat for seat, total in totals.items() if rule and rule.takes(total)]
    if rule and rule.all_out == "extra_deal" and seats and len(seats) == len(totals):
        # The lowest alone has won; only where several share it is there one more deal.
        lowest = min(totals.values())
        tied = [seat for seat in seats if totals[seat] == lowest]
        seats = [seat for seat in seats if seat not in tied] if len(tied) > 1 else seats
    return tuple(seats)
