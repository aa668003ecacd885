"""Any sequence of changes to a league's games: the sums and ratings are what the records say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import date
from itertools import permutations
from typing import Any
from uuid import uuid4

from flask import Flask
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from msgspec.structs import replace

from companion.games import writer
from companion.games.changes import (
    Change,
    ChangeError,
    amend_deal,
    leave,
    play_deal,
    stop,
    throw_in,
    void_deals,
)
from companion.games.record import Record
from companion.people import leagues
from companion.people.actions import league_actions
from companion.people.merging import MERGED, merge, undo
from companion.rules import Variant, extend, with_choices
from companion.scoring import Tally, TallyError
from companion.statistics.rating_replay import catch_up, is_settled
from companion.store.models import Player, db
from tests.leagues.game_driver import Table, newcomer
from tests.leagues.totals_oracle import check_league
from tests.support.doses import doses
from tests.support.reports import CHICAGO, CONTRACT, ZIONCHECK, ZIP

PEOPLE = ("Ann", "Bob", "Cleo", "Dora", "Eve", "Finn", "Gus", "Hal")
MOST_GAMES = 7
OWN_PACE = extend(
    CONTRACT,
    {
        "key": "own-pace",
        "deals": [{"dealt": 10, "contract": {"melds": [{"kind": "set", "size": 3}]}}] * 2,
        "ending": {"length": "until_contracts_met", "winner": "furthest"},
    },
)
VARIANTS = (
    extend(CONTRACT, {"ending": {"deals": 2}}),
    extend(ZIONCHECK, {"ending": {"deals": 1}}),
    with_choices(extend(ZIONCHECK, {"ending": {"deals": 2}}), {"tiebreak": "extra_deal"}),
    extend(ZIP, {"ending": {"deals": 2}}),
    extend(CHICAGO, {"ending": {"eliminate": {"at": 60}}}),
    OWN_PACE,
)
DAYS = [
    *(date(2024, month, 1) for month in (3, 7)),
    date(2024, 12, 31),
    date(2025, 1, 1),
    *(date(2025, 6, day) for day in (1, 2)),
    date(2026, 2, 2),
]
numbers = st.integers(0, 11)
days = st.sampled_from(DAYS)
tables = st.lists(st.sampled_from(PEOPLE), min_size=2, max_size=5, unique=True)
amounts = st.lists(st.sampled_from([4, 10, 10, 24, 40, 70]), min_size=12, max_size=12)
endings = st.lists(numbers, min_size=6, max_size=6)


def reports(
    variant: Variant, seats: Sequence[int], worth: Sequence[int], best: int
) -> dict[int, Tally]:
    """What everybody tells after a deal: one ended it, the others have so many points."""
    first = seats[best % len(seats)] if seats else -1
    return {seat: _report(variant, worth[seat % len(worth)], seat == first) for seat in seats}


def _report(variant: Variant, worth: int, ended: bool) -> Tally:
    match variant.scoring.entry:
        case "unmelded":
            return Tally(declared="rummy") if ended else Tally(total=worth)
        case "zips":
            left = None if ended else 10
            return Tally(declared="out" if ended else "", zipped=worth, total=left)
        case _ if ended:
            return Tally(declared="out")
        case _:
            return Tally(total=worth, met=variant.is_each_on_their_own and worth < 20)


class SumsMachine(RuleBasedStateMachine):
    """The Harpers play, correct, merge people and look back, in any order."""

    @initialize(
        variants=st.lists(st.sampled_from(VARIANTS), min_size=3, max_size=4),
        names=st.lists(tables, min_size=4, max_size=4),
        on=st.lists(days, min_size=4, max_size=4),
        worth=amounts,
        best=endings,
    )
    def open(
        self,
        variants: list[Variant],
        names: list[list[str]],
        on: list[date],
        worth: list[int],
        best: list[int],
    ) -> None:
        self.author = leagues.open_league("The Harpers", uuid4().hex)
        self.league = self.author.league_id
        self.people = {name: newcomer(self.author, name) for name in PEOPLE}
        self.tables: list[Table] = []
        for number, variant in enumerate(variants):
            self.start(names[number], variant, on[number], worth[number:], best[number:])

    def change(self, which: int, change: Callable[[Record], Change]) -> None:
        """Change one of the games if it allows that; a refusal is an answer too."""
        if self.tables:
            with suppress(ChangeError, TallyError):
                self.tables[which % len(self.tables)].change(change)

    def score(self, table: Table, worth: Sequence[int], best: int) -> bool:
        """Score the next deal, or tell that there is none."""
        record = table.record
        playing = record.standing().playing
        told = reports(record.variant, playing, worth, best)
        with suppress(ChangeError, TallyError):
            table.change(lambda record: play_deal(record, told), "scored")
            return True
        return False

    @precondition(lambda self: len(self.tables) < MOST_GAMES)
    @rule(
        names=tables,
        variant=st.sampled_from(VARIANTS),
        day=days,
        worth=amounts,
        best=endings | st.lists(numbers, max_size=2),
    )
    def start(
        self, names: list[str], variant: Variant, day: date, worth: list[int], best: list[int]
    ) -> None:
        with suppress(ChangeError):
            people = self.fitting(names, variant)
            table = Table.start(self.author, *people, variant=variant, on=day)
            self.tables.append(table)
            self.play_on(table, worth, best)

    def play_on(self, table: Table, worth: list[int], best: list[int]) -> None:
        """Score deal after deal until there is none any more."""
        for turn, ended in enumerate(best):
            if not self.score(table, worth[turn:], ended):
                break

    def fitting(self, names: list[str], variant: Variant) -> list[str]:
        """As many people as the game is for, each once, these names first."""
        several = names if len(names) >= variant.players.min else [*names, *PEOPLE]
        once = {self.person(self.people[name]): name for name in several}
        return list(once.values())[: min(5, variant.players.max)]

    def person(self, entry: int) -> int:
        db.session.rollback()
        return db.session.get_one(Player, entry).person_id or 0

    @rule(which=numbers, worth=amounts, best=numbers)
    def play(self, which: int, worth: list[int], best: int) -> None:
        if self.tables:
            self.score(self.tables[which % len(self.tables)], worth, best)

    @rule(which=numbers, worth=amounts, best=endings)
    def finish(self, which: int, worth: list[int], best: list[int]) -> None:
        if self.tables:
            self.play_on(self.tables[which % len(self.tables)], worth, best)

    @rule(which=numbers, position=st.integers(1, 3), worth=amounts, best=numbers)
    def correct(self, which: int, position: int, worth: list[int], best: int) -> None:
        def amend(record: Record) -> Change:
            if position > len(record.deals):
                raise ChangeError("not played yet")
            before = record.standing(position - 1).playing
            seats = sorted(record.deals[position - 1].lines) or before
            return amend_deal(record, position, reports(record.variant, seats, worth, best))

        self.change(which, amend)

    @rule(which=numbers, what=st.sampled_from(["again", "next_dealer", "skip"]))
    def throw_in(self, which: int, what: Any) -> None:
        self.change(which, lambda record: throw_in(record, what))

    @rule(which=numbers, position=st.integers(1, 3))
    def strike(self, which: int, position: int) -> None:
        self.change(which, lambda record: void_deals(record, [position]))

    @rule(which=numbers, stopped=st.booleans())
    def stop(self, which: int, stopped: bool) -> None:
        self.change(which, lambda record: stop(record, stopped=stopped))

    @rule(
        which=numbers,
        name=st.sampled_from(PEOPLE),
        how=st.sampled_from(["highest", "zero"]),
        worth=amounts,
        best=endings | st.just([]),
    )
    def join(self, which: int, name: str, how: Any, worth: list[int], best: list[int]) -> None:
        if not self.tables:
            return
        table = self.tables[which % len(self.tables)]
        with suppress(ChangeError):
            saved = writer.join_game(
                self.author, table.game_id, table.revision, uuid4().hex, name, how
            )
            table.revision = saved.revision
            self.play_on(table, worth, best)

    @rule(
        which=numbers,
        seat=st.integers(0, 4),
        placed=st.booleans(),
        worth=amounts,
        best=endings | st.just([]),
    )
    def leave(self, which: int, seat: int, placed: bool, worth: list[int], best: list[int]) -> None:
        if self.tables:
            self.change(which, lambda record: leave(record, seat, placed=placed))
            self.play_on(self.tables[which % len(self.tables)], worth, best)

    @rule(which=numbers, version=st.integers(1, 12))
    def restore(self, which: int, version: int) -> None:
        if self.tables:
            with suppress(ChangeError):
                self.tables[which % len(self.tables)].restore(version)

    @rule(which=numbers, day=days)
    def redate(self, which: int, day: date) -> None:
        self.change(which, lambda record: Change(replace(record, played_on=day)))

    @rule(which=numbers, note=st.sampled_from(["", "At the lake"]))
    def note(self, which: int, note: str) -> None:
        self.change(which, lambda record: Change(replace(record, note=note)))

    @rule(which=numbers, counts=st.booleans())
    def count_it(self, which: int, counts: bool) -> None:
        self.change(which, lambda record: Change(replace(record, counts=counts)))

    @rule(which=numbers, day=days, counts=st.booleans(), stopped=st.booleans())
    def change_much(self, which: int, day: date, counts: bool, stopped: bool) -> None:
        many = {"played_on": day, "counts": counts, "stopped": stopped}
        self.change(which, lambda record: Change(replace(record, **many)))

    @rule(which=numbers, look=st.booleans())
    def merge(self, which: int, look: bool) -> None:
        """Two entries turn out to be one person, who never sat twice at one table."""
        people = sorted({self.person(entry) for entry in self.people.values()})
        pairs = [pair for pair in permutations(people, 2) if not self.met(*pair)]
        if pairs:
            self.catch_up(None if look else 0)
            merge(self.author, uuid4().hex, *pairs[which % len(pairs)])

    def met(self, one: int, other: int) -> bool:
        """Whether two people sit at one table now; a version where they did cannot come back."""
        seated = [{self.person(seat.player_id) for seat in t.record.seats} for t in self.tables]
        return any({one, other} <= people for people in seated)

    @rule(look=st.booleans())
    def undo_merge(self, look: bool) -> None:
        done = [
            act for act in league_actions(db.session(), self.league, [MERGED]) if not act.undone
        ]
        if done:
            self.catch_up(None if look else 0)
            undo(self.author, done[0].act_id)

    @rule(most=st.sampled_from([None, None, 0, 1, 3]))
    def catch_up(self, most: int | None) -> None:
        settled = catch_up(self.league, most)
        assert settled or most is not None
        assert settled == is_settled(db.session(), self.league)

    @invariant()
    def the_league_is_what_its_records_say(self) -> None:
        if self.tables_there:
            check_league(self.league)

    @property
    def tables_there(self) -> bool:
        return bool(getattr(self, "tables", None))

    def teardown(self) -> None:
        if self.tables_there:
            assert catch_up(self.league)
            check_league(self.league)


@doses("examples", 2, 10)
def test_whatever_a_league_does_its_sums_agree(app: Flask, examples: int) -> None:
    run_state_machine_as_test(
        SumsMachine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
