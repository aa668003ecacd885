"""Any sequence of changes against a small model that knows nothing of the program's own rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import func, select

from companion.games.changes import (
    Change,
    ChangeError,
    amend_deal,
    join,
    leave,
    stop,
    throw_in,
    void_deals,
)
from companion.games.record import Record
from companion.games.writer import StaleError
from companion.people import leagues
from companion.rules import Variant
from companion.scoring import TallyError
from companion.store.models import Deal, Game, History, Line, Seat, db
from tests.leagues.game_driver import Table, check_sound, newcomer, scoring, told, told_rummy
from tests.support.doses import doses
from tests.support.reports import CHICAGO, CONTRACT

PEOPLE = ("Ann", "Bob", "Cleo", "Dora", "Eve", "Finn")
LIMIT = 100
numbers = st.integers(0, 11)
amounts = st.lists(st.sampled_from([5, 10, 25, 40, 70]), min_size=12, max_size=12)


@dataclass
class MDeal:
    """A deal on paper: what it stood for, who dealt, and each seat's points."""

    step: int
    dealer: int
    points: dict[int, int]
    void: bool = False
    after: str = "again"


@dataclass
class MSeat:
    """A chair on paper."""

    person: int
    start: int = 0
    joined: int = 1
    left: int | None = None


@dataclass
class Paper:
    """The score pad as somebody with a pencil would keep it."""

    endless: bool
    seats: list[MSeat]
    on_left: dict[int, int]
    deals: list[MDeal] = field(default_factory=list)
    stopped: bool = False

    def totals(self, deals: int | None = None) -> list[int]:
        upto = self.deals[:deals]
        return [
            chair.start + sum(deal.points.get(seat, 0) for deal in upto)
            for seat, chair in enumerate(self.seats)
        ]

    def playing(self, deals: int | None = None) -> list[int]:
        """Who takes part in the deal after so many: sat down, not gone, never over the limit."""
        count = len(self.deals) if deals is None else deals
        after = [self.totals(number) for number in range(1, count + 1)]
        return [
            seat
            for seat, chair in enumerate(self.seats)
            if chair.joined <= count + 1
            and (chair.left is None or count + 1 < chair.left)
            and not any(
                self.endless and totals[seat] >= LIMIT and self._sat(chair, number)
                for number, totals in enumerate(after, start=1)
            )
        ]

    @staticmethod
    def _sat(chair: MSeat, position: int) -> bool:
        return chair.joined <= position and (chair.left is None or position < chair.left)

    def step(self) -> int | None:
        settled = {deal.step for deal in self.deals if not deal.void or deal.after == "skip"}
        if self.endless:
            return max(settled, default=0) + 1
        return next((step for step in range(1, 8) if step not in settled), None)

    def over(self) -> bool:
        return self.step() is None or len(self.playing()) < (2 if self.endless else 1)

    def dealer(self) -> int:
        playing = self.playing()
        if self.deals:
            last = self.deals[-1]
            if last.void and last.after == "again" and last.dealer in playing:
                return last.dealer
            found = self.on_left[last.dealer]
        else:
            found = 0
        while found not in playing:
            found = self.on_left[found]
        return found

    def chairs(self) -> list[int]:
        """Go round the table once, from the first chair to the left."""
        found = [0]
        while left := self.on_left[found[-1]]:
            found.append(left)
        return found

    def sit_down(self, chair: MSeat, beside: int | None) -> None:
        """Put a chair on the left of another, or of the last one before the first."""
        last = next(seat for seat, left in self.on_left.items() if left == 0)
        right, new = last if beside is None else beside, len(self.seats)
        self.on_left[new] = self.on_left[right]
        self.on_left[right] = new
        self.seats.append(chair)

    def next_deal(
        self, points: dict[int, int], *, void: bool = False, after: str = "again"
    ) -> None:
        step = self.step()
        assert step
        self.deals.append(MDeal(step, self.dealer(), points, void, after))


class KeeperMachine(RuleBasedStateMachine):
    """Ann's table does whatever people do; the paper beside it must always agree."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[tuple[str, int, Callable[[Record], Change]]] = []
        self.versions: list[Paper] = []

    @initialize(variant=st.sampled_from([CONTRACT, CHICAGO]))
    def start(self, variant: Variant) -> None:
        author = leagues.open_league("The Harpers", uuid4().hex)
        self.people = [newcomer(author, name) for name in PEOPLE]
        self.table = Table.start(author, *PEOPLE[:3], variant=variant)
        chairs = [MSeat(person) for person in range(3)]
        self.paper = Paper(variant is CHICAGO, chairs, {0: 1, 1: 2, 2: 0})
        self.versions = [deepcopy(self.paper)]
        self.report = told_rummy if variant is CHICAGO else told

    def do(self, change: Callable[[Record], Change], allowed: bool, after: Paper) -> None:
        """Make the change; it is stored if the paper allows it, or it leaves no trace."""
        key = uuid4().hex
        if not allowed:
            before = self.rows()
            with pytest.raises((ChangeError, TallyError)):
                self.table.change(change, key=key)
            assert self.rows() == before
            return
        seen = self.table.revision
        saved = self.table.change(change, key=key)
        assert not saved.repeated
        if after == self.paper:
            assert saved.revision == seen
            return
        assert saved.revision == seen + 1
        self.sent.append((key, saved.revision, change))
        self.paper = after
        self.versions.append(deepcopy(after))

    def rows(self) -> list[str]:
        """Every row of this game, and how many rows all games have together."""
        game = self.table.game_id
        with db.engine.connect() as connection:
            own = [
                repr(tuple(row))
                for model, column in (
                    (Game, Game.id),
                    (Seat, Seat.game_id),
                    (Deal, Deal.game_id),
                    (Line, Line.game_id),
                    (History, History.game_id),
                )
                for row in connection.execute(select(model.__table__).where(column == game))
            ]
            # In the order of their words: PostgreSQL gives rows as its housekeeping left them.
            return [*sorted(own), str(connection.scalar(select(func.count()).select_from(History)))]

    def points(self, seats: list[int], amounts: list[int], winner: int) -> dict[int, int]:
        first = seats[winner % len(seats)] if seats else 0
        return {seat: 0 if seat == first else amounts[seat] for seat in seats}

    def tallies(self, points: Mapping[int, int]) -> Any:
        return {seat: self.report(worth)[0] for seat, worth in points.items()}

    @rule(amounts=amounts, winner=numbers)
    def score(self, amounts: list[int], winner: int) -> None:
        points = self.points(self.paper.playing(), amounts, winner)
        allowed, after = not self.paper.over() and not self.paper.stopped, deepcopy(self.paper)
        if allowed:
            after.next_deal(points)
        self.do(scoring(self.tallies(points)), allowed, after)

    @rule(position=numbers, amounts=amounts, winner=numbers)
    def amend(self, position: int, amounts: list[int], winner: int) -> None:
        there, after, points = 1 <= position <= len(self.paper.deals), deepcopy(self.paper), {}
        allowed = there
        if there:
            deal = after.deals[position - 1]
            later = after.deals[position:]
            seats = sorted(deal.points) or self.paper.playing(position - 1)
            points = self.points(seats, amounts, winner)
            redealt = any(other.step == deal.step and not other.void for other in later)
            allowed = bool(seats) and not (deal.void and redealt)
            deal.points, deal.void = points, False
        self.do(lambda r: amend_deal(r, position, self.tallies(points)), allowed, after)

    @rule(position=numbers)
    def strike(self, position: int) -> None:
        allowed, after = 1 <= position <= len(self.paper.deals), deepcopy(self.paper)
        if allowed:
            struck = after.deals[position - 1]
            struck.points, struck.void = {}, True
            struck.after = "again" if position == len(after.deals) else "skip"
        self.do(lambda record: void_deals(record, [position]), allowed, after)

    @rule(what=st.sampled_from(["again", "next_dealer", "skip"]))
    def throw_in(self, what: Any) -> None:
        allowed, after = not self.paper.over() and not self.paper.stopped, deepcopy(self.paper)
        if allowed:
            after.next_deal({}, void=True, after=what)
        self.do(lambda record: throw_in(record, what), allowed, after)

    @rule(
        person=st.integers(2, len(PEOPLE) - 1),
        how=st.sampled_from(["highest", "zero"]),
        beside=st.none() | st.integers(0, 5),
    )
    def join(self, person: int, how: Any, beside: int | None) -> None:
        paper, after = self.paper, deepcopy(self.paper)
        totals = paper.totals()
        start = max((totals[seat] for seat in paper.playing()), default=0) * (how == "highest")
        now = len(paper.deals) + 1
        seats = [chair for chair in after.seats if chair.person == person]
        if seats:
            allowed = not paper.over() and seats[0].left == now
            seats[0].left = None
        else:
            free = beside is None or beside in paper.playing()
            allowed = free and not paper.over() and len(paper.playing()) < 8
            if allowed:
                after.sit_down(MSeat(person, start, now), beside)
        self.do(lambda r: join(r, self.people[person], how, beside), allowed, after)

    @rule(seat=st.integers(0, 6))
    def leave(self, seat: int) -> None:
        playing, after = self.paper.playing(), deepcopy(self.paper)
        allowed = seat in playing and len(playing) > 2
        if allowed:
            after.seats[seat].left = len(self.paper.deals) + 1
        self.do(lambda record: leave(record, seat, placed=True), allowed, after)

    @rule(stopped=st.booleans())
    def stop(self, stopped: bool) -> None:
        after = deepcopy(self.paper)
        after.stopped = stopped
        self.do(lambda record: stop(record, stopped=stopped), True, after)

    @rule(version=st.integers(-1, 40))
    def restore(self, version: int) -> None:
        if not 1 <= version < len(self.versions):
            before = self.rows()
            with pytest.raises(ChangeError):
                self.table.restore(version)
            assert self.rows() == before
            return
        key, then = uuid4().hex, deepcopy(self.versions[version - 1])
        saved = self.table.restore(version, key)
        if then != self.paper:
            self.versions.append(then)
            self.paper = deepcopy(then)
        assert saved.revision == len(self.versions)

    @rule(which=numbers)
    def send_again(self, which: int) -> None:
        if not self.sent:
            return
        key, revision, change = self.sent[which % len(self.sent)]
        before, now = self.rows(), self.table.revision
        saved = self.table.change(change, key=key, revision=revision - 1)
        assert (saved.revision, saved.repeated) == (revision, True)
        assert self.rows() == before
        self.table.revision = now

    @rule(late=st.integers(-3, 30).filter(bool))
    def come_late(self, late: int) -> None:
        before = self.rows()
        with pytest.raises(StaleError):
            self.table.change(
                lambda record: stop(record, stopped=True), revision=self.table.revision - late
            )
        assert self.rows() == before

    @invariant()
    def the_rows_are_sound(self) -> None:
        if self.versions:
            check_sound(self.table.game_id)

    @invariant()
    def the_paper_agrees(self) -> None:
        if not self.versions:
            return
        game, paper = self.table.stored, self.paper
        standing = game.record.standing()
        assert game.revision == len(self.versions) == self.table.revision
        assert list(standing.totals) == paper.totals()
        at_table = set(paper.playing())
        assert list(standing.playing) == [seat for seat in paper.chairs() if seat in at_table]
        assert standing.over == paper.over()
        status = "finished" if paper.over() else "stopped" if paper.stopped else "running"
        assert game.status == status
        assert [chair.person for chair in paper.seats] == [
            self.people.index(seat.player_id) for seat in game.record.seats
        ]
        assert [
            (deal.step, deal.dealer, deal.void, {s: line.points for s, line in deal.lines.items()})
            for deal in game.record.deals
        ] == [(deal.step, deal.dealer, deal.void, deal.points) for deal in paper.deals]


@doses("examples", 6, 30)
def test_whatever_a_table_does_the_paper_agrees(app: Flask, examples: int) -> None:
    run_state_machine_as_test(
        KeeperMachine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
