"""A table read once, as the value that its pages show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from flask import current_app
from msgspec import Struct
from msgspec.structs import asdict

from companion.games.reading import StoredGame
from companion.games.shown.scoreboard import Scoreboard, scoreboard
from companion.phones.deal_on_table import DealOnTable, awaited_elsewhere, deal_on_table
from companion.phones.pending_deal import ReportedHand, next_at_table, state_etag
from companion.phones.phone_list import Waiting, waiting
from companion.phones.presence import present_phones
from companion.rules.contracts import contract_words
from companion.scoring import Tally
from companion.scoring.zip_scores import without_open_zip
from companion.store.authors import Author
from companion.store.models import db
from companion.web.middleware.guard import i_may, my_league

from .story import Story, story_of

OPEN_DEALS = 6


class LateHand(Struct, frozen=True):
    """A hand that came after its deal was saved with `saved` points and would change it.

    `points` are None where the deal was saved, or saved once more, since the hand came.
    """

    report: ReportedHand
    name: str
    number: int
    points: int | None
    saved: int


class ComingDeal(Struct, frozen=True):
    """A deal that follows: its position, its name, and its heading."""

    position: int
    name: str
    words: str


class TableView(Struct, frozen=True):
    """A game as everything around its table stands.

    `story` is read for the table's own page only. `pending` is the deal that the table has come
    to, `my_seat` the seat of the asking phone, `awaited` another game that waits for its hand,
    `waiting` the phones that ask to be let in, `present` those of the table whose pages are open,
    `next_game` the one that is played here now, once this one is over; `coming` are the deals to
    come.
    """

    game: StoredGame
    board: Scoreboard
    story: Story | None
    pending: DealOnTable
    my_seat: int | None
    late: Sequence[LateHand]
    awaited: StoredGame | None
    waiting: Sequence[Waiting]
    present: Sequence[int]
    next_game: int | None
    coming: Sequence[ComingDeal]
    show_chances: bool
    is_example: bool

    @property
    def state_etag(self) -> str:
        """The name of this state, which changes with all that is shown of it."""
        awaited = self.awaited.game_id if self.awaited else None
        return state_etag(self.game, self.next_game, awaited)


def read_table(game: StoredGame, author: Author, *, tells_story: bool = False) -> TableView:
    """Read what the pages of a table show, once for each page."""
    session, league, is_over = db.session(), my_league(), game.status != "running"
    phones = () if is_over else waiting(session, author, game)
    next_game = next_at_table(session, game.league_id, game.game_id) if is_over else None
    pending = deal_on_table(session, game, confirms=league.confirm_hands)
    plays = league.player_id is not None and i_may("player")
    place = (Path(current_app.instance_path), league.league_id, game.game_id)
    return TableView(
        game=game,
        pending=pending,
        my_seat=pending.seat_of(author.device_id),
        waiting=phones,
        present=present_phones(*place, pending.devices),
        next_game=next_game,
        awaited=awaited_elsewhere(session, author, game.game_id) if plays else None,
        board=scoreboard(game),
        coming=list(_coming(game)),
        late=list(_late(game, pending.late)) if i_may("scorekeeper") else (),
        story=story_of(game, shows_chances=league.show_chances) if tells_story else None,
        show_chances=league.show_chances,
        is_example=league.is_sample,
    )


def _late(game: StoredGame, reports: Sequence[ReportedHand]) -> Iterator[LateHand]:
    for report in reports:
        deal = game.record.deals[report.position - 1]
        if line := deal.lines.get(report.seat):
            points = report.late_points
            if _is_other(report.tally, line.tally) if points is None else points != line.points:
                yield LateHand(report, game.names[report.seat], deal.step, points, line.points)


def _is_other(reported: Tally, saved: Tally) -> bool:
    """Return whether a phone entered something else than was saved, whatever it would score."""
    counted = without_open_zip(reported, has_cards=not saved.declared)
    entered = {name: value for name, value in asdict(counted).items() if value}
    return any(getattr(saved, name) != value for name, value in entered.items())


def _coming(game: StoredGame) -> Iterator[ComingDeal]:
    """List the deals that follow if each is scored, so that a phone knows them by itself."""
    variant, upcoming = game.record.variant, game.record.standing().upcoming
    if upcoming is None:
        return
    position = len(game.record.deals) + 1
    for step in range(upcoming.step, (variant.deal_count or upcoming.step + OPEN_DEALS) + 1):
        contract = None if variant.is_each_on_their_own else variant.deal(step).contract
        laid_down = f": {contract_words(contract)}" if contract else ""
        name = f"{variant.deal_word.capitalize()} {step}"
        yield ComingDeal(position + step - upcoming.step, name, f"{name}{laid_down}")
