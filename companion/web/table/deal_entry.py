"""What is being entered for one deal: the hands of its players as they were typed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from companion.games.reading import StoredGame
from companion.phones.pending_deal import ReportedHand
from companion.rules.variant import Bonus, Variant
from companion.scoring import Finding, Tally, TallyError, asks_cards, endings, knock_limit
from companion.scoring.bonuses import asked_bonuses
from companion.scoring.knock import OVER_LIMIT, whole_hand
from companion.scoring.shown_hands import lays_off
from companion.scoring.tally import Declared
from companion.web.frame.forms import LONGEST_FIELD, HandEntry, place_number


class DealEntry(Struct):
    """What is being entered for one deal; `only` narrows it to one seat of an earlier deal."""

    game: StoredGame
    position: int
    is_new: bool
    ended: Declared
    by: int | None
    hands: list[HandEntry]
    sent: Mapping[str, Any] = field(default_factory=dict)
    only: int | None = None
    faults: list[tuple[str, str]] = field(default_factory=list)
    refused_knock: str = ""

    @property
    def wrong_knock(self) -> bool:
        """Whether the table says that a knock over its limit was really made."""
        return self.is_new and self.sent.get("wrong_knock") == "1"

    @property
    def step(self) -> int:
        """The number of the deal in the course of the game."""
        return self.game.record.number(self.position)

    @property
    def tabs(self) -> list[HandEntry]:
        """Every hand of the deal, first that of the player who ended it."""
        return sorted(self.hands, key=lambda hand: hand.seat != self.by)

    @property
    def shown(self) -> list[HandEntry]:
        """The hands that are asked for on this page, the one who ended the deal first."""
        if self.only is not None:
            return [hand for hand in self.hands if hand.seat == self.only]
        return [hand for hand in self.tabs if hand.is_asked]

    @property
    def ways(self) -> tuple[str, ...]:
        """The ways in which any hand of this page can be entered."""
        return max((hand.ways for hand in self.shown), key=len, default=())

    @property
    def before(self) -> tuple[int, ...]:
        """The totals at the start of the deal, by seat."""
        return self.game.record.standing(self.position - 1).totals

    def tallies(self) -> dict[int, Tally]:
        """Read every hand; what cannot be read is listed in `faults`."""
        read = {hand.seat: hand.tally() for hand in self.hands}
        for hand in self.hands:
            for name, words in hand.faults.items():
                self.faults.append((f"seat{hand.seat}-{name}", words))
        return read

    def tell(self, fault: TallyError) -> None:
        """Put the faults of the rules beside the hands they are about."""
        for finding in fault.findings:
            words = finding.in_words(self.game.names)
            if finding.field == OVER_LIMIT and len(fault.findings) == 1:
                self.refused_knock = self.game.names[finding.seats[0]]
            seat = finding.seats[0] if finding.seats else self.shown[0].seat if self.shown else 0
            hand = next((hand for hand in self.shown if hand.seat == seat), None)
            name = _field_of(hand, finding)
            if hand:
                hand.faults[name] = words
            self.faults.append((f"seat{seat}-{name}" if hand else "entry", words))


def _field_of(hand: HandEntry | None, finding: Finding) -> str:
    """Return the field that a finding is about: the one in which the hand was entered."""
    if hand is None:
        return "cards"
    if finding.field in ("adjust", "why"):
        return finding.field
    if finding.field == "zips":
        return "zips" if hand.zips else "zipped"
    if hand.asks_bid or hand.asks_points:
        return hand.ways[0]
    return "hand" if hand.hand else "total" if hand.total and not hand.cards else "cards"


def take_over(entry: DealEntry, sent: Mapping[str, Any]) -> None:
    """Take what was typed over an earlier deal: one seat's hand, or every hand."""
    only = place_number(str(sent.get("only", "")))
    if only in entry.game.record.deals[entry.position - 1].lines:
        entry.only = only
    for hand in entry.hands:
        if entry.only in (None, hand.seat):
            had_points = bool(hand.adjust)
            hand.take(sent)
            if "asks-points" in sent and not hand.adjust and (hand.why or not had_points):
                hand.faults["adjust"] = "Enter how many points."
    if entry.only is None and "asks-bonuses" in sent:
        _take_bonuses(entry, sent)


def new_entry(game: StoredGame, position: int, sent: Mapping[str, Any]) -> DealEntry:
    """Build the entry of a new deal from what was sent."""
    entry = empty_entry(game, position, seats_of(game, position), sent, default="")
    for hand in entry.hands:
        hand.take(sent)
    _take_bonuses(entry, sent)
    return entry


def seats_of(game: StoredGame, position: int) -> tuple[int, ...]:
    """Say who plays a deal; somebody of an earlier one may be out of the game by now."""
    deals = game.record.deals
    if not 1 <= position <= len(deals):
        return game.record.standing().playing
    return tuple(deals[position - 1].lines) or game.record.standing(position - 1).playing


def late_entry(game: StoredGame, position: int, seat: int, sent: Mapping[str, Any]) -> DealEntry:
    """Build the entry of an earlier deal with one hand as its player tells it now."""
    entry = earlier_entry(game, position, {})
    entry.only = seat
    (hand,) = entry.shown
    hand.take(sent)
    for bonus in asked_bonuses(game.record.variant):
        if bonus.who != "one":
            hand.bonuses.pop(bonus.key, None)
            _take_bonus(bonus, hand, entry, sent)
    return entry


def as_sent(variant: Variant, report: ReportedHand) -> dict[str, str]:
    """Write a reported hand as the form of the whole deal would send it."""
    hand, seat = as_told(report), f"seat{report.seat}-"
    sent = {seat + name: text for name, text in hand.typed.items() if text}
    sent |= {f"{seat}asks-met": "1"} | ({f"{seat}met": "1"} if hand.met else {})
    for bonus in asked_bonuses(variant):
        if times := hand.bonuses.get(bonus.key):
            if bonus.group:
                sent[f"group-{bonus.group}"] = bonus.key
            elif bonus.who == "one":
                sent[f"bonus-{bonus.key}"] = str(report.seat)
            else:
                sent[f"{seat}bonus-{bonus.key}"] = times
    return sent


def as_told(report: ReportedHand) -> HandEntry:
    """Show a reported hand as it was entered."""
    hand = HandEntry(report.seat, report.who)
    hand.show(report.tally, report.typed)
    return hand


def _take_bonuses(entry: DealEntry, sent: Mapping[str, Any]) -> None:
    """Take what was told of each bonus: of who went out, of one player at most, or of everybody."""
    for hand in entry.hands:
        hand.bonuses = {}
        for bonus in asked_bonuses(entry.game.record.variant):
            _take_bonus(bonus, hand, entry, sent)


def _take_bonus(bonus: Bonus, hand: HandEntry, entry: DealEntry, sent: Mapping[str, Any]) -> None:
    if told := _told(bonus, hand, entry, sent):
        hand.bonuses[bonus.key] = told[:LONGEST_FIELD]


def _told(bonus: Bonus, hand: HandEntry, entry: DealEntry, sent: Mapping[str, Any]) -> str:
    if bonus.who == "out" and hand.seat != entry.by:
        return ""
    if bonus.group:
        return "1" if sent.get(f"group-{bonus.group}") == bonus.key else ""
    if bonus.who == "one":
        return "1" if str(sent.get(f"bonus-{bonus.key}", "")) == str(hand.seat) else ""
    return str(sent.get(f"seat{hand.seat}-bonus-{bonus.key}", "")).strip()


def earlier_entry(game: StoredGame, position: int, sent: Mapping[str, Any]) -> DealEntry:
    """Build the entry of an earlier deal as it stands, or with another ending if one was sent."""
    deal = game.record.deals[position - 1]
    ending = {
        "how": next(
            (line.tally.declared for line in deal.lines.values() if line.tally.declared), ""
        ),
        "by": next((str(s) for s, line in deal.lines.items() if line.tally.declared), ""),
    }
    told = ending
    if "how" in sent:
        told = {"how": str(sent["how"]), "by": str(sent.get("by") or ending["by"])}
    entry = empty_entry(game, position, seats_of(game, position), told, default="")
    entry.is_new, entry.sent = False, sent
    for hand in entry.hands:
        hand.limit = None  # a corrected deal may keep a knock that is over it (I7)
        if hand.seat in deal.lines:
            hand.show(deal.lines[hand.seat].tally)
        hand.bonuses = {key: n for key, n in hand.bonuses.items() if _is_theirs(entry, hand, key)}
    return entry


def _is_theirs(entry: DealEntry, hand: HandEntry, key: str) -> bool:
    """Return whether a bonus told before may still be this player's, whoever ended the deal now."""
    bonuses = {bonus.key: bonus for bonus in asked_bonuses(entry.game.record.variant)}
    return key in bonuses and (bonuses[key].who != "out" or hand.seat == entry.by)


def empty_entry(
    game: StoredGame,
    position: int,
    seats: tuple[int, ...],
    sent: Mapping[str, Any],
    default: Declared,
) -> DealEntry:
    """Build an entry with nothing typed: who is asked for what follows from how the deal ended."""
    variant = game.record.variant
    how = str(sent.get("how", default))
    ended = next((ending for ending in endings(variant) if ending == how), default)
    named = place_number(str(sent.get("by", "")))
    by = named if named in seats and ended else None
    ended = default if by is None else ended
    hands = [_empty_hand(game, position, seat, ended, by) for seat in seats]
    return DealEntry(game, position, True, ended, by, hands, sent)


def _empty_hand(
    game: StoredGame, position: int, seat: int, ended: Declared, by: int | None
) -> HandEntry:
    """Build one hand with nothing typed: what it asks follows from what its player declared."""
    declared: Declared = ended if seat == by else ""
    variant, before = game.record.variant, game.record.standing(position - 1)
    asked, points = asks_cards(variant, ended, declared), variant.scoring.points
    cards = asked and variant.has_cards
    hand = HandEntry(
        seat,
        game.names[seat],
        declared,
        asks_cards=cards,
        asks_zipped=variant.scoring.entry == "zips",
        asks_points=asked and points is not None and not points.bids,
        asks_bid=asked and points is not None and points.bids is not None,
        asks_hand=cards and variant.scoring.entry == "unmelded",
        asks_met=variant.asks_who_went_down and not declared,
        task=variant.deal(before.met[seat] + 1).task if before.met else "",
    )
    if declared == "knock":
        hand.limit = knock_limit(variant, before.totals[seat])
    if hand.asks_hand and (declared or not lays_off(variant)):
        hand.size = whole_hand(variant, game.record.number(position), Tally(declared=declared))
    return hand
