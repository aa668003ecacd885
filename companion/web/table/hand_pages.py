"""Everyone's own phone: your place, the contract, and your own pad when the deal is over."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from time import monotonic
from typing import Any

from flask import (
    Blueprint,
    abort,
    current_app,
    jsonify,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response

from companion.cards import Refusal
from companion.games.reading import StoredGame
from companion.games.shown.scoreboard import scoreboard
from companion.phones import hand_reports, pending_deal
from companion.phones.hand_reports import EarlyError, OtherEndingError
from companion.phones.pending_deal import EndedDeal, PendingDeal, own_seats
from companion.phones.phone_list import waiting
from companion.phones.presence import named_here
from companion.scoring import cards_wanted, endings
from companion.store.authors import Author
from companion.store.models import db
from companion.web.frame.forms import SEND_AGAIN, HandForm, PlaceField, TapForm, new_key
from companion.web.frame.live_questions import LiveQuestions, patience
from companion.web.middleware import guard
from companion.web.middleware.fault_pages import asks_for_data, refusal_page
from companion.web.middleware.guard import (
    NotForYouError,
    author_here,
    i_may,
    my_game,
    my_league,
    needs,
    shows_chances,
)

from .deal_entry import DealEntry, new_entry, show_report
from .pending_entry import (
    coming_deals,
    ending_fields,
    how_it_ended,
    own_bonuses,
    pending_entry,
)
from .story import stake_of

place = Blueprint("hand", __name__, url_prefix="/games/<int:game_id>")
Page = str | Response | tuple[str | Response, int]
MOST_INSTEAD = 6


@place.get("/mine")
def show(game_id: int) -> Page:
    """Show a player's own phone: the pad when the deal is over, else where they stand.

    Once the game is over it goes on to the next one in which the player sits.
    """
    game, author = my_game(game_id)
    following = _following(author, game_id, game.status)
    if following:
        return redirect(url_for("hand.show", game_id=following), 303)
    pending = pending_entry(game)
    seat = pending.seat_of(author.device_id)
    if seat is None:
        return render_template("hand/seatless.html", game=game)
    return _own_page(game, author, seat, pending)


@place.get("/live")
def live(game_id: int) -> Response:
    """Say which state of the game is current; a page that has seen it may wait for the next.

    A page that `stays` doesn't go on to the next game, as one's own page does. One that asks about
    `phones` hears beside it which of them are here. Where too many wait it hears when to ask again.
    """
    until, seen = monotonic() + patience(), request.args.get("seen")
    questions: LiveQuestions = current_app.extensions["waiting"]
    with questions.waiter(game_id) if "wait" in request.args else nullcontext() as waiter:
        name, state = _live_mark(game_id)
        while waiter and name == seen:
            db.session.remove()  # nothing of the database is held by whoever waits
            if not questions.wait(waiter, state, until):
                break
            guard.forget_the_phone()  # it may have been put out meanwhile: then it learns nothing
            name, state = _live_mark(game_id)
    answer = Response(name, mimetype="text/plain")
    if "phones" in request.args:
        answer.headers["X-Here"] = named_here(
            Path(current_app.instance_path), my_league().league_id, request.args["phones"]
        )
    if name == seen and questions.is_full:
        answer.headers["Retry-After"] = str(ASK_AGAIN)
    return answer


ASK_AGAIN = 2
"""Seconds after which whoever may not wait asks again."""


def _live_mark(game_id: int) -> tuple[str, pending_deal.LiveState]:
    """Return the mark of a game for the asking phone, and the state that it names."""
    league = my_league()
    state = pending_deal.live_states(db.session.connection(), [game_id]).get(game_id)
    if state is None or state.league_id != league.league_id:
        abort(404)
    author = author_here(league)
    following = None if "stays" in request.args else _following(author, game_id, state.status)
    return pending_deal.mark(state.revision, state.pulse, state.status, following), state


@place.get("/far")
def far(game_id: int) -> Page:
    """Show the score across the room."""
    game, author = my_game(game_id)
    return render_template(
        "hand/far.html",
        game=game,
        board=scoreboard(game),
        variant=game.record.variant,
        pending=pending_entry(game),
        stake=stake_of(game) if shows_chances(author) else None,
    )


@place.get("/hands/<int:seat>")
@needs("player")
def pad(game_id: int, seat: int) -> Page:
    """Open the pad for one hand: one's own, or anybody's for who keeps the score."""
    game, author = my_game(game_id)
    _check_seat(game, author, seat)
    pending = pending_entry(game)
    return _pad_page(game, author, seat, pending)


@place.post("/hands/<int:position>/<int:seat>")
@needs("player")
def tell(game_id: int, position: int, seat: int) -> Page:
    """Take one hand of one deal; it counts when somebody saves the deal."""
    game, author = my_game(game_id)
    _check_seat(game, author, seat)
    form = HandForm(request.form)
    entry = _entry_of(game, seat, position, request.form)
    faults = _faults(entry, seat, form)
    if faults:
        return _not_taken(game, author, seat, entry, faults, 422)
    try:
        where = (author, game_id, position, seat, form.told.number or 0)
        told = entry.shown[0].told()
        revision = hand_reports.report_hand(*where, form.own_key, *told, _instead(form))
    except Refusal as fault:
        return _not_taken(game, author, seat, entry, [("cards", str(fault))], 409, fault)
    if asks_for_data():
        return jsonify(taken=True, told=revision)
    return redirect(_way_back(game, author, seat), 303)


@place.post("/endings")
@needs("player")
def end(game_id: int) -> Page:
    """Say how the deal on the table ended: every phone then opens its pad."""
    game, author = my_game(game_id)
    form = TapForm(request.form)
    ended, seen = _ended(game, form), str(form.seen.data)[:20]
    if ended is None:
        abort(400)
    where = (author, game_id, _position(game, form))
    return _do(game, form, lambda: hand_reports.end_deal(*where, ended, seen))


@place.post("/endings/back")
@needs("player")
def go_on(game_id: int) -> Page:
    """Take back that the deal ended."""
    game, author = my_game(game_id)
    form = TapForm(request.form)
    position = _position(game, form)
    return _do(game, form, lambda: hand_reports.go_on(author, game_id, position))


@place.post("/hands/<int:position>/<int:seat>/choices")
def choose(game_id: int, position: int, seat: int) -> Page:
    """Choose one of two versions of a hand."""
    game, author = my_game(game_id)
    form = TapForm(request.form)
    where = (author, game_id, position, seat, _number(form.device))
    return _do(game, form, lambda: hand_reports.choose(*where))


@place.post("/hands/<int:position>/<int:seat>/settled")
def settle(game_id: int, position: int, seat: int) -> Page:
    """Leave a saved deal as it is, whatever came late."""
    game, author = my_game(game_id)
    form = TapForm(request.form)
    return _do(game, form, lambda: hand_reports.settle(author, game_id, position, seat))


@place.post("/hands/<int:position>/<int:seat>/confirmations")
@needs("player")
def confirm(game_id: int, position: int, seat: int) -> Page:
    """Confirm a neighbour's hand as it was entered."""
    game, author = my_game(game_id)
    form = TapForm(request.form)
    where = (author, game_id, position, seat, _number(form.device), _number(form.told))
    return _do(game, form, lambda: hand_reports.confirm(*where))


def _following(author: Author, game_id: int, status: str) -> int | None:
    """Find the game that a phone goes on to, once this one is over."""
    if status == "running":
        return None
    return pending_deal.following_game(db.session(), author, game_id)


def _instead(form: HandForm) -> list[str]:
    """Read which tellings, sent before without an answer, this one stands for."""
    return str(form.instead.data)[:500].split()[:MOST_INSTEAD]


def _number(field: PlaceField) -> int:
    if field.number is None:
        abort(400)
    return field.number


def _position(game: StoredGame, form: TapForm) -> int:
    """Return the deal that the page was about; the one on the table where it does not say."""
    return form.position.number or len(game.record.deals) + 1


def _ended(game: StoredGame, form: TapForm) -> EndedDeal | None:
    """Read how the deal ended; None for what this game does not know."""
    how, by = str(form.how.data), form.by.number
    if how not in endings(game.record.variant) or (how != "") != (by is not None):
        return None
    if by is not None and by not in game.record.standing().playing:
        return None
    return EndedDeal(how, by)


def _do(game: StoredGame, form: TapForm, write: Callable[[], None]) -> Page:
    """Do something about the deal on the table, and go back to the page it was asked from."""
    words, code, early = "", 303, False
    if not form.validate():
        words, code = SEND_AGAIN, 422
    else:
        try:
            write()
        except OtherEndingError as fault:
            stored = how_it_ended(game, fault.stored)
            words, code = (
                f"Someone else has already entered how it ended: {stored}.",
                409,
            )
        except Refusal as fault:
            words, code = str(fault), fault.status
            early = isinstance(fault, EarlyError)
    if asks_for_data():
        return jsonify(taken=not words, words=words, early=early), code if words else 200
    if words:
        return refusal_page(words, url_for("table.show", game_id=game.game_id), code)
    here = "hand.show" if form.page.data == "mine" else "table.show"
    return redirect(url_for(here, game_id=game.game_id), 303)


def _way_back(game: StoredGame, author: Author, seat: int) -> str:
    own = seat in own_seats(db.session(), author, game.game_id)
    return url_for("hand.show" if own else "table.show", game_id=game.game_id)


def _check_seat(game: StoredGame, author: Author, seat: int) -> None:
    """Answer 404 for a seat that there is not, 403 for the hand of somebody else."""
    if not 0 <= seat < len(game.names):
        abort(404)
    if not i_may("scorekeeper") and seat not in own_seats(db.session(), author, game.game_id):
        raise NotForYouError("scorekeeper")


def _entry_of(game: StoredGame, seat: int, position: int, sent: Any) -> DealEntry:
    """Build the entry of one hand as it was sent."""
    entry = new_entry(game, position, sent)
    entry.only = seat
    return entry


def _faults(entry: DealEntry, seat: int, form: HandForm) -> list[tuple[str, str]]:
    """List what cannot be read of a hand; without cards there is nothing to tell."""
    faults = [] if form.validate() else form.sentences()
    hand = next((hand for hand in entry.hands if hand.seat == seat), None)
    if hand is None:
        return [*faults, ("cards", f"{entry.game.names[seat]} is not in this deal.")]
    hand.tally()
    faults += [(f"seat{seat}-{name}", words) for name, words in hand.faults.items()]
    if hand.is_asked and not hand.asks_zipped and not hand.entered and not faults:
        wanted = cards_wanted(entry.game.record.variant, seat, entry.by)
        name = "cards" if hand.asks_cards else hand.ways[0]
        hand.faults[name] = wanted.in_words(entry.game.names)
        faults.append((f"seat{seat}-{name}", hand.faults[name]))
    return faults


def _not_taken(
    game: StoredGame,
    author: Author,
    seat: int,
    entry: DealEntry,
    faults: list[tuple[str, str]],
    code: int,
    fault: Refusal | None = None,
) -> Page:
    """Refuse a hand in sentences, with what was typed, or as data for the outbox."""
    if asks_for_data():
        words = " ".join(words for _, words in faults)
        return jsonify(taken=False, words=words, early=isinstance(fault, EarlyError)), code
    pending = pending_entry(game)
    entry.faults = faults
    return _pad_page(game, author, seat, pending, entry), code


def _own_page(game: StoredGame, author: Author, seat: int, pending: DealEntry) -> str:
    return render_template(
        "hand/mine.html",
        waiting=waiting(db.session(), author, game.game_id),
        show_chances=shows_chances(author),
        key=new_key(),
        **_own_hand(game, author, seat, pending),
    )


def _own_hand(game: StoredGame, author: Author, seat: int, pending: DealEntry) -> dict[str, Any]:
    """Gather what one's own page shows of the game and of one's hand."""
    mine = next((hand for hand in pending.hands if hand.seat == seat), None)
    wants = mine is not None and (mine.is_waited_for or "pad" in request.args)
    pad = _own_entry(game, author, seat, pending) if mine else None
    return {
        "game": game,
        "board": scoreboard(game),
        "variant": game.record.variant,
        "seat": seat,
        "pending": pending,
        "mine": mine,
        "own": pending.told.own(author.device_id, seat),
        "entry": pad if wants else None,
        "spare": pad if pad and pad.shown else None,
        "coming": coming_deals(game),
        "neighbour": pending.to_confirm(seat) if pending.confirms and mine else None,
        "bonuses": own_bonuses(pending, seat),
        "endings": [how for how in endings(game.record.variant) if how],
    }


def _own_entry(game: StoredGame, author: Author, seat: int, pending: DealEntry) -> DealEntry:
    """Build the pad of one hand, with what this phone entered before."""
    told = pending.told
    entry = _entry_of(game, seat, told.position, ending_fields(told.ended))
    if own := told.own(author.device_id, seat) or told.agreed(seat):
        for hand in entry.shown:
            show_report(entry, hand, own)
    return entry


def _pad_page(
    game: StoredGame,
    author: Author,
    seat: int,
    pending: DealEntry,
    entry: DealEntry | None = None,
) -> str:
    position = entry.position if entry else pending.told.position
    return render_template(
        "hand/pad.html",
        game=game,
        variant=game.record.variant,
        seat=seat,
        pending=pending,
        own=_gathered(game, pending, position).own(author.device_id, seat),
        entry=entry or _own_entry(game, author, seat, pending),
        bonuses=own_bonuses(pending, seat),
        is_mine=seat == pending.seat_of(author.device_id),
        key=new_key(),
    )


def _gathered(game: StoredGame, pending: DealEntry, position: int) -> PendingDeal:
    """Return what was entered of the deal that a pad is for, which may be an earlier one."""
    if position == pending.told.position:
        return pending.told
    pulse = max(1, game.pulse)
    return pending_deal.pending_deal(db.session(), game.league_id, game.game_id, position, pulse)
