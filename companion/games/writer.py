"""The only writer: every change is one transaction that locks, checks and adds to the history.

A write locks the league and the game, in this order, looks for its key, compares the revision,
asks the change, writes the units that differ with one history row, and moves the revision on by
one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from secrets import token_urlsafe

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import select
from sqlalchemy.orm import Session

from companion.cards import Pack, Refusal
from companion.rules import Variant
from companion.scoring import Finding
from companion.store.authors import Author, Writer
from companion.store.dates import now, today
from companion.store.models import Game, History, PendingEnding
from companion.store.names import all_different, clean_line, clean_name, refuse_list

from .changes import Change, ChangeError, check_pack, join
from .entries import entry_at_table, line_called, note_seated, refuse_twice, sits_there
from .game_season import begin_year_of
from .locking import in_league, in_own_league, lock_game
from .rating_replay import GameKey, rate_from
from .reading import history_units, load_game
from .record import (
    Record,
    SeatRecord,
    StartRule,
    Units,
    changed_units,
    write_rules,
    write_units,
)
from .results import game_results
from .rows import game_row, write_rows, write_seats

Also = Callable[[Session, Author, int], None]
LONGEST_KEY = 64


class Saved(Struct, frozen=True):
    """What a write led to: `repeated` if stored before, `changed` if anything differs."""

    game_id: int
    revision: int
    repeated: bool = False
    changed: bool = True


class StaleError(Refusal):
    """The game was changed by someone else since this page was opened."""

    status = 409


class KeyUsedError(Refusal):
    """A key under which something else was stored already; nothing is stored."""

    status = 409

    def __init__(self) -> None:
        super().__init__("This key was used for something else. Send each deal under its own.")


class DoubtError(Refusal):
    """A change that is odd but possible and was not confirmed yet."""

    def __init__(self, change: Change) -> None:
        self.change = change
        super().__init__("Check this again before saving.")


def start_game(
    writer: Writer,
    key: str,
    variant: Variant,
    names: Sequence[str],
    first_dealer: int = 0,
    pack: Pack | None = None,
    played_on: date | None = None,
    then: Callable[[Record], Change] | None = None,
    also: Sequence[Also] = (),
) -> Saved:
    """Start a game with these players in seat order; new names become players of the league.

    `then` is a change stored with it, as a game that is written down when it is over needs; each
    of `also` writes more about the game of this number, in the same transaction. A newcomer's
    league is opened in it too: whatever is refused leaves none behind.
    Raises `Refusal` for a number of players the game is not for, a name that cannot be used or
    stands twice, and a dealer without a seat; and what the change raises.
    """
    if not variant.players.min <= len(names) <= variant.players.max:
        raise ChangeError(variant.wrong_players(len(names)))
    if not 0 <= first_dealer < len(names):
        raise ChangeError("There is no such seat.")
    cards = pack or variant.pack(len(names))
    check_pack(variant, cards, len(names))
    rules = variant.for_players(len(names))
    # Before the transaction: a name that is refused must not hold up the league.
    people = all_different(map(clean_name if rules.has_cards else clean_line, names))

    def begin(session: Session, author: Author) -> Saved:
        if saved := _known_key(session, author, key):
            return saved
        players = [line_called(session, author.league_id, name, rules) for name in people]
        refuse_twice(session, players)
        seats = tuple(SeatRecord(player_id=player) for player in players)
        started = Record(
            variant=rules,
            decks=cards.decks,
            jokers=cards.jokers,
            first_dealer=first_dealer,
            seats=seats,
            played_on=played_on or today(),
        )
        game = _new_game(session, author, started)
        note_seated(session, game, players)
        _add_history(session, author, game, key, "started", {}, started.units(), ())
        write_seats(session, game, started, game_results(started))
        if then:
            # Two history rows of one submission need two keys, and the page made one.
            second = f"{key[: LONGEST_KEY - 2]}.2"
            _save_change(session, author, game, second, "typed in", started, then(started))
        for more in also:
            more(session, author, game.id)
        return Saved(game.id, game.revision)

    return in_own_league(writer, begin)


def change_game(
    author: Author,
    game_id: int,
    revision: int,
    key: str,
    action: str,
    change: Callable[[Record], Change],
    *,
    accepted: bool = False,
) -> Saved:
    """Change a game as it is now, if nobody changed it since `revision`.

    Raises `NotAllowedError`, `NoSuchGameError`, `StaleError`, `DoubtError` where doubts were not
    accepted, and what the change itself raises. In all these cases nothing is stored. A key seen
    before answers as it did then; one of another game is refused with `KeyUsedError`.
    """
    return change_in_session(
        author,
        game_id,
        revision,
        key,
        action,
        lambda _session, _game, record: change(record),
        accepted=accepted,
    )


def join_game(
    author: Author,
    game_id: int,
    revision: int,
    key: str,
    name: str,
    start_rule: StartRule,
    sits_after: int | None = None,
) -> Saved:
    """Seat a late joiner, who becomes a player of the league if the name is new.

    Raises as `change_game` does, and `PlayerNameError` for a name that cannot be used.
    """

    def sit_down(session: Session, game: Game, record: Record) -> Change:
        refuse_list(name)
        line = line_called(session, author.league_id, name, record.variant)
        entry = entry_at_table(session, record, line)
        refuse_twice(session, dict.fromkeys([*_entries(record), entry]), _entries(record))
        note_seated(session, game, [line])
        return join(record, entry, start_rule, sits_after)

    return change_in_session(author, game_id, revision, key, "joined", sit_down)


def seat_newcomer(session: Session, author: Author, game_id: int, key: str, person: int) -> bool:
    """Seat whom a link let in, in the transaction that lets them in; tell whether they sit.

    The link is the right to this, so no role is asked. Therefore it gives one person an ordinary
    seat, and only before anything of the first deal was told; after that whoever keeps the score
    seats them. The league and then the game must be held.
    """
    game = lock_game(session, author, game_id)
    record = load_game(session, author.league_id, game_id).record
    if sits_there(session, record, person):
        return True
    reported = session.execute(
        select(PendingEnding.position).where(PendingEnding.game_id == game_id)
    ).first()
    if record.deals or record.stopped or reported or _known_key(session, author, key):
        return False
    try:
        change = join(record, person, "zero")
    except ChangeError:
        return False
    note_seated(session, game, [person])
    _save_change(session, author, game, key, "joined", record, change)
    return True


def restore(author: Author, game_id: int, revision: int, key: str, version: int) -> Saved:
    """Make the game what it was at an earlier revision; the history keeps everything between.

    Raises as `change_game` does, and `ChangeError` where there was no such version.
    """

    def go_back(session: Session, _: Game, record: Record) -> Change:
        if not 1 <= version < revision:
            raise ChangeError(f"This game has no version {version} to go back to.")
        then = Record.from_units(record.variant, history_units(session, game_id, version))
        refuse_twice(session, _entries(then), _entries(record))
        return Change(replace(then, played_on=then.played_on or record.played_on))

    return change_in_session(author, game_id, revision, key, "restored", go_back)


def change_in_session(
    author: Author,
    game_id: int,
    revision: int,
    key: str,
    action: str,
    change: Callable[[Session, Game, Record], Change],
    *,
    accepted: bool = False,
) -> Saved:
    """Lock, look for the key, compare the revision, ask the change, store what differs.

    As `change_game`, for a change that asks the database or writes more than the game.
    """

    def write(session: Session) -> Saved:
        game = lock_game(session, author, game_id)
        if saved := _known_key(session, author, key):
            if saved.game_id != game_id:
                raise KeyUsedError
            return saved
        # After the key: whoever sends the same again because the answer was lost is told what was
        # stored, though the revision has moved on since.
        if game.revision != revision:
            raise StaleError("Someone else has changed this game since.")
        record = load_game(session, author.league_id, game_id).record
        after = change(session, game, record)
        if not after.is_certain and not accepted:
            raise DoubtError(after)
        return _save_change(session, author, game, key, action, record, after)

    return in_league(author, write)


def _entries(record: Record) -> list[int]:
    return [seat.player_id for seat in record.seats]


def saved_before(session: Session, author: Author, game_id: int, key: str) -> Saved:
    """Answer what was sent once more as it was answered then; raises `StaleError` if it was not."""
    saved = _known_key(session, author, key)
    if saved is None or saved.game_id != game_id:
        raise StaleError("This page is out of date.")
    return saved


def _known_key(session: Session, author: Author, key: str) -> Saved | None:
    row = session.execute(
        select(History.game_id, History.revision).where(
            History.league_id == author.league_id, History.key == key
        )
    ).first()
    return Saved(row.game_id, row.revision, repeated=True) if row else None


def _new_game(session: Session, author: Author, record: Record) -> Game:
    day = record.played_on or today()
    begin_year_of(session, author.league_id, [day])
    game = Game(
        league_id=author.league_id,
        variant_key=record.variant.key,
        variant_name=record.variant.name,
        rules=write_rules(record.variant),
        **game_row(record, game_results(record)),
        revision=0,
        started_at=now(),
        uid=token_urlsafe(16),
        played_on=day,
        hidden=False,
        counted=False,
    )
    session.add(game)
    session.flush()
    return game


def _save_change(
    session: Session,
    author: Author,
    game: Game,
    key: str,
    action: str,
    before: Record,
    change: Change,
) -> Saved:
    """Write what differs, then the history row; ratings follow where the game ends otherwise."""
    record = change.record
    old, new = changed_units(before.units(), record.units())
    if not new:
        return Saved(game.id, game.revision, changed=False)
    earned, was_rated = game_results(record), _rated_as(game, before)
    write_rows(session, game, before, record, new, earned)
    rated = _rated_as(game, record)
    if rated != was_rated:
        rate_from(session, game.league_id, min(state.key for state in (rated, was_rated) if state))
    notes = (*change.doubts, *(finding for _, finding in change.forbidden))
    _add_history(session, author, game, key, action, old, new, notes)
    return Saved(game.id, game.revision)


class _RatedAs(Struct, frozen=True):
    """What ratings rest on in a counted game: when it was played, who sat there and came where."""

    key: GameKey
    places: tuple[tuple[int, int | None], ...]


def _rated_as(game: Game, record: Record) -> _RatedAs | None:
    if not game.counted:
        return None
    places = zip(record.seats, record.standing().places, strict=True)
    seated = tuple((seat.player_id, place) for seat, place in places)
    return _RatedAs((game.played_on, game.id), seated)


def _add_history(
    session: Session,
    author: Author,
    game: Game,
    key: str,
    action: str,
    before: Units,
    after: Units,
    notes: Sequence[Finding],
) -> None:
    # The row of the history carries the revision that it leads to, so the first is 1.
    game.revision += 1
    session.flush()
    noted = [{"words": note.words, "seats": list(note.seats)} for note in notes]
    session.add(
        History(
            game_id=game.id,
            revision=game.revision,
            league_id=author.league_id,
            key=key,
            device_id=author.device_id,
            at=now(),
            action=action,
            notes=noted,
            before=write_units(before),
            after=write_units(after),
        )
    )
    session.flush()
