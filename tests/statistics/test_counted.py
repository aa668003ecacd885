"""What pages add up in SQL is what the records of the games say, one by one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from companion.games.changes import amend_deal, describe, leave, play_deal, void_deals
from companion.games.game_season import season_at, seasons
from companion.games.reading import load_game
from companion.games.record import Record
from companion.people import merging, removed_games, season_dates
from companion.rules import extend, load
from companion.rules.contracts import contract_signs
from companion.scoring import Tally
from companion.statistics.profile import contract_records
from companion.statistics.rivals import rivals
from companion.statistics.standings import StandingsRow, standings
from companion.store.authors import Author
from companion.store.models import Game, Player, TeamMember, db
from tests.leagues.game_driver import Table, scoring, told
from tests.leagues.looked_back import check_league
from tests.support.doses import doses
from tests.support.reports import ANN, BOB, CLEO, CONTRACT, OUT, THREE, total

pytestmark = pytest.mark.sql
ONE_DEAL = extend(CONTRACT, {"ending": {"deals": 1}})
TWO_DEALS = extend(CONTRACT, {"name": "Two deals", "ending": {"deals": 2}})
DAYS = [date(2025, 12, 30), date(2025, 12, 31), date(2026, 1, 1), date(2027, 1, 1)]


def busy_years(author: Author, chance: Random, games: int) -> None:
    """Play by several people, alone and in teams; correct, move, take out, make people one."""
    tables: list[Table] = []
    for number in range(games):
        day = date(2024, 12, 1) + timedelta(days=chance.randrange(120))
        if number % 4 == 3:
            one, two, three, four = chance.sample(["Ann", "Bob", "Cleo", "Dora"], 4)
            teams = (f"{one} + {two}", f"{three} + {four}")
            table = Table.start(author, *teams, variant=load("nertz"), on=day)
            won = {0: Tally(total=110), 1: Tally(total=chance.choice([20, 110, 30]))}
            table.change(lambda record, won=won: play_deal(record, won), "scored")  # type: ignore[misc]
            continue
        people = chance.sample(["Ann", chance.choice(["Bob", "Robert"]), "Cleo", "Dora"], 3)
        table = Table.start(author, *people, variant=chance.choice([ONE_DEAL, TWO_DEALS]), on=day)
        for _ in range(2):
            if table.record.status == "running":
                table.score(*chance.sample([0, 5, 5 * chance.randrange(1, 4)], 3))
        tables.append(table)
    for table in chance.sample(tables, 4):
        table.change(lambda record: amend_deal(record, 1, told(9, 0, 9)), "corrected")
    moved, practice, taken_out = chance.sample(tables, 3)
    moved.change(lambda record: describe(record, date(2025, 2, 1), "", counts=True), "described")
    practice.change(lambda r: describe(r, r.played_on or DAYS[0], "", counts=False), "described")
    removed_games.remove_game(author, "out", taken_out.game_id)
    winter = season_dates.SeasonDates("Winter", date(2024, 12, 15), date(2025, 1, 31))
    season_dates.make_season(author, "winter", winter)
    ids = dict(db.session.execute(select(Player.name, Player.id)).all())
    db.session.rollback()
    merging.merge(author, "one", ids["Bob"], ids["Robert"])


@dataclass(frozen=True)
class Part:
    """One person's part in a game that counts: where they sat, and who sat where."""

    who: int
    seat: int
    record: Record
    placed: Mapping[int, int]
    seated: Mapping[int, Sequence[int]]

    @property
    def won(self) -> Fraction:
        """The person's share of the win."""
        return Fraction(self.placed[self.seat] == 1, len(self.record.standing().winners))


def parts_of(author: Author) -> Iterator[Part]:
    """Everybody's part in each game that counts."""
    session = db.session()
    person = {one.id: one.person_id or 0 for one in session.execute(select(Player)).scalars()}
    members: dict[int, list[int]] = defaultdict(list)
    for team, member in session.execute(select(TeamMember.team_id, TeamMember.member_id)):
        members[team].append(member)
    for number in session.execute(select(Game.id).where(Game.hidden.is_(False))).scalars():
        record = load_game(session, author.league_id, number).record
        placed = {seat: n for seat, n in enumerate(record.standing().places) if n}
        if record.status == "finished" and record.counts and len(placed) > 1:
            lines = (members.get(seat.player_id, [seat.player_id]) for seat in record.seats)
            seated = {seat: [person[one] for one in line] for seat, line in enumerate(lines)}
            yield from (
                Part(who, seat, record, placed, seated) for seat in placed for who in seated[seat]
            )


def wins_of(author: Author, parts: Sequence[Part]) -> dict[tuple[int, str, int], dict[int, Any]]:
    """Everybody's wins by season, game and number of players, and over all of each."""
    known = seasons(db.session(), author.league_id)
    wins: dict[tuple[int, str, int], dict[int, Any]] = defaultdict(lambda: defaultdict(Fraction))
    for part in parts:
        season = season_at(known, part.record.played_on or date.min)
        assert season
        keys = ((0, season.season_id), ("", part.record.variant.key), (0, len(part.placed)))
        for choice in product(*keys):
            wins[choice][part.who] += part.won
    return wins


def meetings_of(parts: Sequence[Part]) -> dict[int, dict[int, Counter[str]]]:
    """How often each has met each, ended above and level."""
    met: dict[int, dict[int, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for part in parts:
        place = part.placed[part.seat]
        for seat, other_place in part.placed.items():
            for other in part.seated[seat] if seat != part.seat else ():
                count = {"games": 1, "above": place < other_place, "level": place == other_place}
                met[part.who][other].update(count)
    return met


def deals_of(parts: Sequence[Part]) -> dict[int, Counter[tuple[str, str]]]:
    """How many deals each has played under which contract."""
    dealt: dict[int, Counter[tuple[str, str]]] = defaultdict(Counter)
    for part in parts:
        variant = part.record.variant
        for deal in part.record.deals if variant.has_cards else ():
            contract = variant.deal(deal.step).contract
            if contract and part.seat in deal.lines:
                dealt[part.who][variant.key, contract_signs(contract)] += 1
    return dealt


@doses("games", 12, 48)
def test_what_pages_add_up_is_what_the_records_say(app: Flask, ann: Author, games: int) -> None:
    busy_years(ann, Random(games), games)
    check_league(ann.league_id)
    db.session.rollback()
    parts = [*parts_of(ann)]
    for choice, expected in wins_of(ann, parts).items():
        rows = standings(db.session(), ann.league_id, *choice)
        assert {row.person_id: row.wins for row in rows} == expected, choice
    for who, others in meetings_of(parts).items():
        counts = {r.person_id: (r.games, r.above, r.level) for r in rivals(db.session(), who)}
        assert counts == {
            other: (count["games"], count["above"], count["level"])
            for other, count in others.items()
        }
    for who, dealt in deals_of(parts).items():
        deals = contract_records(db.session(), who)
        assert {(one.variant_key, one.contract): one.deals for one in deals} == dealt


def finished(author: Author, *points: int, on: date | None = None) -> Table:
    table = Table.start(author, *THREE, on=on)
    for _ in range(7):
        table.score(*points)
    return table


def rated(author: Author) -> dict[str, StandingsRow]:
    db.session.rollback()
    return {row.name: row for row in standings(db.session(), author.league_id)}


def test_a_win_shared_by_two_is_half_a_win_for_each(ann: Author) -> None:
    table = Table.start(ann, *THREE)
    for number in range(6):
        table.score(*[(0, 5, 9), (5, 0, 9)][number % 2])
    table.change(scoring({ANN: total(5), BOB: total(5), CLEO: OUT}))
    wins = [row.wins for row in rated(ann).values()]
    assert wins == [Fraction(1, 2), Fraction(1, 2), Fraction(0)]


def test_a_running_game_counts_nowhere_and_one_opened_again_no_more(ann: Author) -> None:
    Table.start(ann, *THREE).score(0, 5, 9)
    assert rated(ann) == {}
    table = finished(ann, 0, 5, 9)
    assert rated(ann)["Ann"].wins == 1
    table.restore(table.revision - 1)
    assert rated(ann) == {}
    check_league(ann.league_id)


def test_whoever_left_is_not_measured_against_those_who_stayed(ann: Author) -> None:
    table = Table.start(ann, *THREE)
    table.score(0, 5, 9)
    table.change(lambda record: leave(record, ANN, placed=True))
    for _ in range(6):
        table.change(scoring({BOB: OUT, CLEO: total(5)}))
    rows = {row.name: row for row in standings(db.session(), ann.league_id, 0, "contract-rummy")}
    # Bob has 5 and Cleo 39, on average 22.
    assert [rows[name].ahead for name in THREE] == [None, 17, -17]
    assert rows["Ann"].games == 1


def test_ratings_follow_the_games_in_their_order(ann: Author) -> None:
    first = finished(ann, 0, 5, 9, on=date(2026, 3, 1))
    finished(ann, 9, 0, 5, on=date(2026, 3, 2))
    before = {name: row.form for name, row in rated(ann).items()}
    assert before["Ann"]
    assert before["Bob"]
    assert (before["Ann"].streak, before["Bob"].streak) == (0, 1)
    first.change(lambda record: void_deals(record, [7]))
    after = {name: row.form for name, row in rated(ann).items()}
    assert [form.games for form in after.values() if form] == [1, 1, 1]
    assert after["Ann"]
    assert after["Ann"].mu < before["Ann"].mu
    check_league(ann.league_id)
