"""Everybody's own phone at a table: made directly, telling hands in few words."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import uuid4

from sqlalchemy import select
from sqlalchemy.orm import Session

from companion.cards import read_hand, write_hand
from companion.games.changes import play_deal
from companion.games.writer import Saved
from companion.phones import hand_reports, pending_deal
from companion.phones.deal_on_table import deal_on_table
from companion.phones.pending_deal import EndedDeal, PendingDeal
from companion.scoring import Tally
from companion.store.authors import Author, Role, token_hash
from companion.store.database import writing
from companion.store.dates import now
from companion.store.models import Device, Player, db

from .game_driver import Table

OUT = "out"


def own_phone(host: Author, whose: str, role: Role = "player", token: str = "") -> Author:
    """A phone in the host's league; somebody's own where the league has a player of that name."""

    def add(session: Session) -> int:
        named = (Player.league_id == host.league_id, Player.name == whose)
        player = session.execute(select(Player.id).where(*named)).scalar_one_or_none()
        facts = {"role": role, "created_at": now(), "name": f"{whose}'s phone"}
        device = Device(league_id=host.league_id, player_id=player, **facts)
        device.token_hash = token_hash(token or f"{whose.lower()}'s token")
        session.add(device)
        session.flush()
        return device.id

    with writing() as session:
        return Author(host.league_id, add(session))


@dataclass
class PendingTable:
    """A table whose phones tell hands of it."""

    table: Table

    def hand(
        self,
        phone: Author,
        seat: int,
        cards: str,
        *,
        position: int = 1,
        seen: int = 0,
        key: str = "",
        instead: tuple[str, ...] = (),
    ) -> int:
        """Tell cards of a hand; a key of its own unless one is given."""
        told = Tally(cards=read_hand(cards))
        where = (phone, self.table.game_id, position, seat, seen)
        return hand_reports.report_hand(*where, key or uuid4().hex, told, {}, instead)

    def end(self, phone: Author, by: int | None, *, position: int = 1) -> None:
        ended = EndedDeal(OUT if by is not None else "", by)
        hand_reports.end_deal(phone, self.table.game_id, position, ended)

    def now(self, position: int = 1) -> PendingDeal:
        """What is told of a deal, as whoever looks now sees it."""
        game = self.table.stored
        place = (game.league_id, game.game_id, position)
        return pending_deal.pending_deal(db.session(), *place, game.report_revision)

    def cards(self, seat: int, position: int = 1) -> dict[str, str]:
        """What each phone tells of a hand, by whose phone it is."""
        told = self.now(position).reports.get(seat, ())
        return {report.who: write_hand(report.tally.cards or ()) for report in told}

    def save(
        self, tallies: dict[int, Tally], report_revision: int | None = None, key: str = ""
    ) -> Saved:
        """Save the deal on the table, looked over at a report revision, else now."""
        seen = self.table.stored.report_revision if report_revision is None else report_revision
        saved = hand_reports.save_deal(
            self.table.author,
            self.table.game_id,
            self.table.revision,
            seen,
            key or uuid4().hex,
            lambda record: play_deal(record, tallies),
            accepted=True,
        )
        self.table.revision = saved.revision
        return saved

    def late(self) -> list[tuple[int, int, str, str]]:
        """Every hand that came late: its deal, seat, whose phone told it, and what."""
        game = self.table.stored
        return [
            (report.position, report.seat, report.who, write_hand(report.tally.cards or ()))
            for report in deal_on_table(db.session(), game).late
        ]
