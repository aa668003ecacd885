"""A deal is over: entering the hands, one review, saving; and correcting any earlier deal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.league import keeper
from companion.league.archive import StoredGame, load_game
from companion.league.changes import Change, ChangeError, amend_deal, play_deal
from companion.league.devices import Author
from companion.league.keeper import DoubtError, StaleError
from companion.league.models import db
from companion.league.record import LineRecord, Record
from companion.rules.book import load_book
from companion.rules.variant import Bonus
from companion.scoring import Tally, TallyError, asks_cards, endings
from companion.scoring.bonuses import asked_bonuses
from companion.scoring.knock import melding
from companion.scoring.tally import Declared

from .forms import LONGEST_FIELD, ChangeForm, HandEntry, new_key, place_number
from .guard import my_game, needs
from .table import back_to_table

place = Blueprint("deals", __name__, url_prefix="/games/<int:game_id>/deals")
Page = str | Response | tuple[str, int]


@dataclass
class Entry:
    """What is being entered for one deal; `only` narrows it to one seat of an earlier deal."""

    game: StoredGame
    position: int
    is_new: bool
    ended: Declared
    by: int | None
    hands: list[HandEntry]
    only: int | None = None
    faults: list[tuple[str, str]] = field(default_factory=list)

    @property
    def step(self) -> int:
        """The number of the deal in the course of the game."""
        if not self.is_new:
            return self.game.record.deals[self.position - 1].step
        upcoming = self.game.record.standing().upcoming
        return upcoming.step if upcoming else self.position

    @property
    def shown(self) -> list[HandEntry]:
        """The hands that are asked for on this page."""
        if self.only is not None:
            return [hand for hand in self.hands if hand.seat == self.only]
        return [hand for hand in self.hands if hand.is_asked]

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
            words = finding.told(self.game.names)
            seat = finding.seats[0] if finding.seats else self.shown[0].seat if self.shown else 0
            hand = next((hand for hand in self.shown if hand.seat == seat), None)
            name = _field_of(hand, finding.words)
            if hand:
                hand.faults[name] = words
            self.faults.append((f"seat{seat}-{name}" if hand else "entry", words))


def _field_of(hand: HandEntry | None, words: str) -> str:
    """Find the field that a finding is about: the one in which the hand was told."""
    if hand is None:
        return "cards"
    if "points added" in words or "say why points" in words:
        return "adjust"
    if hand.asks_zipped and "zip" in words:
        return "zips" if hand.zips else "zipped"
    return "hand" if hand.hand else "total" if hand.total and not hand.cards else "cards"


@dataclass(frozen=True)
class ReviewRow:
    """One player in the review: what was reported, what it costs, and the total after it."""

    name: str
    line: LineRecord
    before: int
    after: int


@place.get("/new")
@needs("scorekeeper")
def new(game_id: int) -> Page:
    """Open the pad for the deal that just ended."""
    game, _ = my_game(game_id)
    standing = game.record.standing()
    if standing.upcoming is None or game.record.stopped:
        return redirect(url_for("table.show", game_id=game_id), 303)
    entry = _entry(game, len(game.record.deals) + 1, request.args)
    return _entry_page(entry)


@place.post("")
def create(game_id: int) -> Page:
    """Review the deal that just ended, then save it."""
    game, author = my_game(game_id)
    form = ChangeForm(request.form)
    if form.seen != game.revision:
        return _repeated_or_stale(game, author, form)
    entry = _entry(game, len(game.record.deals) + 1, request.form)
    return _answer(entry, author, form, must_review=True)


@place.get("/<int:position>")
def show(game_id: int, position: int) -> Page:
    """Show one deal of the score sheet with the reasons of every line."""
    game, _ = my_game(game_id)
    _check_position(game, position)
    return render_template(
        "table/deal.html",
        game=game,
        position=position,
        deal=game.record.deals[position - 1],
        running=game.record.standing().running[position - 1],
        key=new_key(),
    )


@place.get("/<int:position>/edit")
@needs("scorekeeper")
def edit(game_id: int, position: int) -> Page:
    """Open the pad for a whole earlier deal, filled in as it stands."""
    game, _ = my_game(game_id)
    _check_position(game, position)
    return _entry_page(_earlier(game, position, request.args))


@place.get("/<int:position>/seats/<int:seat>")
def cell(game_id: int, position: int, seat: int) -> Page:
    """Explain one number of the score sheet, with the pad to correct it."""
    game, _ = my_game(game_id)
    _check_position(game, position)
    if seat not in game.record.deals[position - 1].lines:
        abort(404)
    entry = _earlier(game, position, {})
    entry.only = seat
    return _cell_page(entry)


@place.post("/<int:position>")
def amend(game_id: int, position: int) -> Page:
    """Correct an earlier deal: at once where nothing is odd, after a review where something is."""
    game, author = my_game(game_id)
    _check_position(game, position)
    form = ChangeForm(request.form)
    if form.seen != game.revision:
        return _repeated_or_stale(game, author, form)
    entry = _earlier(game, position, request.form)
    _take(entry, request.form)
    return _answer(entry, author, form, must_review=False)


def _take(entry: Entry, sent: Mapping[str, Any]) -> None:
    """Take what was typed over an earlier deal: one seat's hand, or every hand."""
    only = place_number(str(sent.get("only", "")))
    if only in entry.game.record.deals[entry.position - 1].lines:
        entry.only = only
    for hand in entry.hands:
        if entry.only in (None, hand.seat):
            hand.take(sent)
    if entry.only is None and "asks-bonuses" in sent:
        _take_bonuses(entry, sent)


def _check_position(game: StoredGame, position: int) -> None:
    if not 1 <= position <= len(game.record.deals):
        abort(404)


def _entry(game: StoredGame, position: int, sent: Mapping[str, Any]) -> Entry:
    """Build the entry of a new deal from what was sent."""
    playing = game.record.standing().playing
    entry = _empty_entry(game, position, playing, sent, default="")
    for hand in entry.hands:
        hand.take(sent)
    _take_bonuses(entry, sent)
    return entry


def _take_bonuses(entry: Entry, sent: Mapping[str, Any]) -> None:
    """Take what was told of each bonus: of who went out, of one player at most, or of everybody."""
    for hand in entry.hands:
        hand.bonuses = {}
        for bonus in asked_bonuses(entry.game.record.variant):
            if told := _told(bonus, hand, entry, sent):
                hand.bonuses[bonus.key] = told[:LONGEST_FIELD]


def _told(bonus: Bonus, hand: HandEntry, entry: Entry, sent: Mapping[str, Any]) -> str:
    if bonus.who == "out" and hand.seat != entry.by:
        return ""
    if bonus.group:
        return "1" if sent.get(f"group-{bonus.group}") == bonus.key else ""
    if bonus.who == "one":
        return "1" if str(sent.get(f"bonus-{bonus.key}", "")) == str(hand.seat) else ""
    return str(sent.get(f"seat{hand.seat}-bonus-{bonus.key}", "")).strip()


def _earlier(game: StoredGame, position: int, sent: Mapping[str, Any]) -> Entry:
    """Build the entry of an earlier deal as it stands, or with another ending if one was sent."""
    deal = game.record.deals[position - 1]
    seats = tuple(deal.lines) or game.record.standing(position - 1).playing
    ending = {
        "how": next(
            (line.tally.declared for line in deal.lines.values() if line.tally.declared), ""
        ),
        "by": next((str(s) for s, line in deal.lines.items() if line.tally.declared), ""),
    }
    told = ending
    if "how" in sent:
        told = {"how": str(sent["how"]), "by": str(sent.get("by") or ending["by"])}
    entry = _empty_entry(game, position, seats, told, default="")
    entry.is_new = False
    for hand in entry.hands:
        if hand.seat in deal.lines:
            hand.show(deal.lines[hand.seat].tally)
        hand.bonuses = {key: n for key, n in hand.bonuses.items() if _is_theirs(entry, hand, key)}
    return entry


def _is_theirs(entry: Entry, hand: HandEntry, key: str) -> bool:
    """Tell whether a bonus told before may still be this player's, whoever ended the deal now."""
    bonuses = {bonus.key: bonus for bonus in asked_bonuses(entry.game.record.variant)}
    return key in bonuses and (bonuses[key].who != "out" or hand.seat == entry.by)


def _empty_entry(
    game: StoredGame,
    position: int,
    seats: tuple[int, ...],
    sent: Mapping[str, Any],
    default: Declared,
) -> Entry:
    variant = game.record.variant
    how = str(sent.get("how", default))
    ended = next((ending for ending in endings(variant) if ending == how), default)
    named = place_number(str(sent.get("by", "")))
    by = named if named in seats and ended else None
    ended = default if by is None else ended
    hands = []
    for seat in seats:
        declared: Declared = ended if seat == by else ""
        cards = asks_cards(variant, ended, declared)
        zipped = variant.scoring.entry == "zips"
        hands.append(
            HandEntry(
                seat,
                game.names[seat],
                declared,
                asks_cards=cards,
                asks_zipped=zipped,
                asks_hand=cards and variant.scoring.entry == "unmelded",
                asks_met=variant.asks_who_went_down and not declared,
            )
        )
    return Entry(game, position, True, ended, by, hands)


def _answer(entry: Entry, author: Author, form: ChangeForm, *, must_review: bool) -> Page:
    """Refuse with sentences, show the review, or save."""
    if not form.validate():
        entry.faults += form.sentences()
    tallies = entry.tallies()
    if entry.faults:
        return _back_to_entry(entry)
    void_later = request.form.get("later") == "void"

    def change(record: Record) -> Change:
        if entry.is_new:
            return play_deal(record, tallies)
        return amend_deal(record, entry.position, tallies, void_later=void_later)

    try:
        planned = change(entry.game.record)
    except TallyError as fault:
        entry.tell(fault)
        return _back_to_entry(entry)
    except ChangeError as fault:
        entry.faults.append(("entry", str(fault)))
        return _back_to_entry(entry)
    step = request.form.get("step")
    if step == "change":
        return _entry_page(entry)
    if step != "save" and (must_review or not planned.is_certain):
        return _review_page(entry, planned)
    return _save(entry, author, form, change)


def _save(entry: Entry, author: Author, form: ChangeForm, change: Any) -> Page:
    action = "scored" if entry.is_new else "corrected"
    accepted = request.form.get("accepted") == "1"
    try:
        saved = keeper.change_game(
            author, entry.game.game_id, form.seen, form.own_key, action, change, accepted=accepted
        )
    except DoubtError as doubt:
        return _review_page(entry, doubt.change)
    except StaleError:
        return _stale_page(entry.game, author)
    return back_to_table(saved)


def _repeated_or_stale(game: StoredGame, author: Author, form: ChangeForm) -> Page:
    """Answer a repeated submission as the first time; show both entries for a stale one."""
    try:
        saved = keeper.change_game(author, game.game_id, form.seen, form.own_key, "scored", _refuse)
    except StaleError:
        return _stale_page(game, author)
    return back_to_table(saved)


def _refuse(record: Record) -> Change:
    raise StaleError("This page is older than the game.")


def _stale_page(game: StoredGame, author: Author) -> tuple[str, int]:
    """Show what is stored now beside what was entered, with a way to use either."""
    db.session.rollback()
    now = load_game(db.session(), author.league_id, game.game_id)
    typed = place_number(request.form.get("position", "")) or 0
    there = typed if 1 <= typed <= len(now.record.deals) else None
    if there:
        entry = _earlier(now, there, request.form)
        _take(entry, request.form)
    else:
        entry = _entry(now, len(now.record.deals) + 1, request.form)
    entry.tallies()
    return (
        render_template(
            "table/stale.html",
            game=now,
            entry=entry,
            position=there,
            stored=now.record.deals[there - 1] if there else None,
            sent=request.form,
            key=new_key(),
        ),
        409,
    )


def _back_to_entry(entry: Entry) -> tuple[str, int]:
    page = _cell_page(entry) if entry.only is not None else _entry_page(entry)
    return page, 422


def _entry_page(entry: Entry) -> str:
    return render_template(
        "table/entry.html",
        entry=entry,
        game=entry.game,
        endings=endings(entry.game.record.variant),
        bonuses=asked_bonuses(entry.game.record.variant),
        key=new_key(),
    )


def _cell_page(entry: Entry) -> str:
    game, seat = entry.game, entry.only or 0
    line = game.record.deals[entry.position - 1].lines[seat]
    return render_template(
        "table/cell.html",
        entry=entry,
        game=game,
        line=line,
        melding=melding(game.record.variant, line.tally),
        rules=load_book(game.record.variant),
        seat=seat,
        before=game.record.standing(entry.position - 1).totals[seat],
        total=game.record.standing(entry.position).totals[seat],
        key=new_key(),
    )


def _review_page(entry: Entry, planned: Change) -> str:
    game, record = entry.game, planned.record
    deal = record.deals[entry.position - 1]
    before = game.record.standing(entry.position - 1).totals
    after = record.standing(entry.position).totals
    rows = [ReviewRow(game.names[s], line, before[s], after[s]) for s, line in deal.lines.items()]
    later = [(position, finding.told(game.names)) for position, finding in planned.forbidden]
    return render_template(
        "table/review.html",
        entry=entry,
        game=game,
        rows=rows,
        doubts=[finding.told(game.names) for finding in planned.doubts],
        later=later,
        sent=request.form,
        key=request.form.get("key") or new_key(),
    )
