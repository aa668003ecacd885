"""What is being entered for one deal: the hands of its players as they were typed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from companion.games.reading import StoredGame
from companion.phones.pending_deal import PendingDeal, ReportedHand
from companion.rules.variant import Bonus
from companion.scoring import Finding, Tally, TallyError, asks_cards, endings, knock_limit
from companion.scoring.bonuses import asked_bonuses
from companion.scoring.knock import OVER_LIMIT, whole_hand
from companion.scoring.shown_hands import lays_off
from companion.scoring.tally import Declared
from companion.web.frame.forms import LONGEST_FIELD, HandEntry, place_number


class DealEntry(Struct):
    """What is being entered for one deal; `only` narrows it to one seat of an earlier deal.

    `wrong_knock`: the table says that a knock over its limit was really made. `told` is what phones
    entered, and `pulse` how much of it when the deal was looked over; `phones` are those of each
    seat, and `confirms` tells whether this league has neighbours confirm.
    """

    game: StoredGame
    position: int
    ended: Declared
    by: int | None
    hands: list[HandEntry]
    is_new: bool = True
    only: int | None = None
    wrong_knock: bool = False
    pulse: int | None = None
    told: PendingDeal = field(default_factory=lambda: PendingDeal(0, 0, None, {}))
    phones: Mapping[int, Sequence[int]] = field(default_factory=dict)
    confirms: bool = False
    faults: list[tuple[str, str]] = field(default_factory=list)
    refused_knock: str = ""

    @property
    def fields(self) -> dict[str, str]:
        """Everything that was entered, as the form of the whole deal sends it."""
        sent = {"asks-bonuses": "1"}
        for hand in self.hands:
            sent |= hand.fields
            for bonus in asked_bonuses(self.game.record.variant):
                if times := hand.bonuses.get(bonus.key):
                    name, mark = _bonus_field(bonus, hand.seat)
                    sent[name] = mark or times
        return sent

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
    def missing(self) -> list[str]:
        """Name the players whose hands are not in, or not settled."""
        return [hand.name for hand in self.hands if hand.is_waited_for]

    @property
    def without_phone(self) -> list[str]:
        """Name those of them who have no phone to enter theirs on."""
        return [hand.name for hand in self.hands if hand.is_waited_for and not hand.has_phone]

    @property
    def is_whole(self) -> bool:
        """Whether the deal ended and every hand is in."""
        return self.told.ended is not None and not self.missing

    @property
    def devices(self) -> list[int]:
        """The phones of all seats."""
        return [device for phones in self.phones.values() for device in phones]

    def seat_of(self, device_id: int) -> int | None:
        """Return the seat of the player whose own phone this is, if they sit here."""
        return next((seat for seat, mine in self.phones.items() if device_id in mine), None)

    def to_confirm(self, seat: int) -> HandEntry | None:
        """Return the hand that this seat confirms: its right neighbour's, once it is reported."""
        place = next((n for n, hand in enumerate(self.hands) if hand.seat == seat), 0)
        hand = self.hands[place - 1]
        waits = hand.is_due and hand.report and not hand.report.confirmed_by
        return hand if waits and hand.seat != seat else None

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
            if "asks-bonuses" in sent:
                _take_bonuses(entry, hand, sent)


def new_entry(game: StoredGame, position: int, sent: Mapping[str, Any]) -> DealEntry:
    """Build the entry of a new deal from what was sent."""
    entry = empty_entry(game, position, seats_of(game, position), sent, default="")
    entry.wrong_knock = sent.get("wrong_knock") == "1"
    entry.pulse = place_number(str(sent.get("pulse", "")))
    for hand in entry.hands:
        hand.take(sent)
        _take_bonuses(entry, hand, sent)
    return entry


def seats_of(game: StoredGame, position: int) -> tuple[int, ...]:
    """Say who plays a deal; somebody of an earlier one may be out of the game by now."""
    deals = game.record.deals
    if not 1 <= position <= len(deals):
        return game.record.standing().playing
    return tuple(deals[position - 1].lines) or game.record.standing(position - 1).playing


def show_report(entry: DealEntry, hand: HandEntry, report: ReportedHand) -> None:
    """Show a hand as a phone entered it; of what others may have too, what stands there stays."""
    bonuses = asked_bonuses(entry.game.record.variant)
    shared = {
        bonus.key for bonus in bonuses if bonus.who == "one" or (entry.is_new and bonus.group)
    }
    kept = {key: times for key, times in hand.bonuses.items() if key in shared}
    hand.show_report(report)
    told, hand.bonuses = hand.bonuses, kept
    for bonus in bonuses:
        if bonus.key in told and (entry.is_new or bonus.key not in shared):
            _give(entry, hand, bonus, told[bonus.key])


def _give(entry: DealEntry, hand: HandEntry, bonus: Bonus, times: str) -> None:
    """Note a bonus of a hand: one that only one may have, or its group, is nobody else's then."""
    if not _is_theirs(entry, hand, bonus):
        return
    for other in entry.hands if bonus.who == "one" else ():
        other.bonuses.pop(bonus.key, None)
    for rival in asked_bonuses(entry.game.record.variant):
        if bonus.group and rival.group == bonus.group:
            hand.bonuses.pop(rival.key, None)
    hand.bonuses[bonus.key] = times


def _take_bonuses(entry: DealEntry, hand: HandEntry, sent: Mapping[str, Any]) -> None:
    """Take what was told of each bonus: of who went out, of one player at most, or of everybody."""
    hand.bonuses = {}
    for bonus in asked_bonuses(entry.game.record.variant):
        name, mark = _bonus_field(bonus, hand.seat)
        told = str(sent.get(name, "")).strip()[:LONGEST_FIELD]
        if _is_theirs(entry, hand, bonus) and told and told == (mark or told):
            hand.bonuses[bonus.key] = "1" if mark else told


def _bonus_field(bonus: Bonus, seat: int) -> tuple[str, str]:
    """Name the field of a seat's bonus, and what it says where it does not say how often."""
    if bonus.group:
        return f"group-{bonus.group}", bonus.key
    if bonus.who == "one":
        return f"bonus-{bonus.key}", str(seat)
    return f"seat{seat}-bonus-{bonus.key}", ""


def late_entry(game: StoredGame, position: int, report: ReportedHand) -> DealEntry:
    """Build the entry of an earlier deal with one hand as its player tells it now."""
    entry = earlier_entry(game, position, {})
    entry.only = report.seat
    show_report(entry, entry.shown[0], report)
    return entry


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
    entry.is_new = False
    for hand in entry.hands:
        hand.limit = None  # a corrected deal may keep a knock that is over it (I7)
        if hand.seat in deal.lines:
            hand.show(deal.lines[hand.seat].tally)
        told, hand.bonuses = hand.bonuses, {}
        for bonus in asked_bonuses(game.record.variant):
            if bonus.key in told and _is_theirs(entry, hand, bonus):
                hand.bonuses[bonus.key] = told[bonus.key]
    return entry


def _is_theirs(entry: DealEntry, hand: HandEntry, bonus: Bonus) -> bool:
    """Return whether a bonus may be this player's, by who ended the deal."""
    return bonus.who != "out" or hand.seat == entry.by


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
    return DealEntry(game, position, ended, by, hands)


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
