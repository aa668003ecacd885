"""The sums kept for speed: changed with every result, equal to what the rows say."""

from datetime import date
from fractions import Fraction
from typing import Any

import pytest
from sqlalchemy import select

from companion.games import totals
from companion.games.changes import leave, void_deals
from companion.statistics.rating_replay import catch_up, is_settled, kept
from companion.statistics.ratings import RatingState
from companion.statistics.standings import standings
from companion.store.authors import Author
from companion.store.database import writing
from companion.store.models import (
    WIN,
    ContractSum,
    EveningSum,
    Game,
    League,
    PlayerSum,
    RivalSum,
    Seat,
    db,
)
from tests.leagues.game_driver import Table, counted, scoring
from tests.leagues.totals_oracle import everything
from tests.support.reports import ANN, BOB, CLEO, OUT, total

pytestmark = pytest.mark.sql
SEVEN = range(7)


def finished(author: Author, *points: int, on: date | None = None) -> Table:
    table = Table.start(author, "Ann", "Bob", "Cleo", on=on)
    for _ in SEVEN:
        table.score(*points)
    return table


def rows(model: type) -> list[Any]:
    db.session.rollback()
    return list(db.session.execute(select(model)).scalars())


def forms(author: Author) -> dict[str, RatingState]:
    db.session.rollback()
    rated = standings(db.session(), author.league_id)
    return {row.name: row.form for row in rated if row.form}


def test_a_running_game_is_in_no_sum(ann: Author) -> None:
    Table.start(ann, "Ann", "Bob", "Cleo").score(0, 5, 9)
    assert not any(rows(model) for model in (PlayerSum, RivalSum, ContractSum, EveningSum))


def test_a_finished_game_is_in_every_sum(ann: Author) -> None:
    finished(ann, 0, 5, 9)
    mine = select(PlayerSum).filter_by(season_id=0, variant_key="", players=0)
    people = db.session.execute(mine.order_by(PlayerSum.person_id)).scalars().all()
    assert [(row.games, row.shares, row.places) for row in people] == [
        (1, WIN, 1),
        (1, 0, 2),
        (1, 0, 3),
    ]
    # Totals are 0, 35 and 63, on average 32 2/3.
    assert [row.ahead for row in people] == [3267, -233, -3033]
    rivals = {
        (r.person_id, r.other_id): (r.games, r.above, r.level)
        for r in rows(RivalSum)
        if not r.variant_key
    }
    above, below = (1, 1, 0), (1, 0, 0)
    assert rivals == {
        (1, 2): above,
        (1, 3): above,
        (2, 3): above,
        (2, 1): below,
        (3, 1): below,
        (3, 2): below,
    }
    contracts = [(row.deals, row.points, row.ended) for row in rows(ContractSum)]
    assert len(contracts) == 21
    assert set(contracts) == {(1, 0, 1), (1, 5, 0), (1, 9, 0)}
    assert [row.games for row in rows(EveningSum)] == [1]


def test_sums_carry_the_revision_of_the_league(ann: Author) -> None:
    finished(ann, 0, 5, 9)
    finished(ann, 0, 5, 9)
    league = db.session.get_one(League, ann.league_id)
    assert league.revision == 2
    assert {row.revision for row in rows(PlayerSum)} == {2}


def test_a_win_shared_by_two_is_half_a_win_for_each(ann: Author) -> None:
    table = Table.start(ann, "Ann", "Bob", "Cleo")
    for number in range(6):
        table.score(*[(0, 5, 9), (5, 0, 9)][number % 2])
    table.change(scoring({ANN: total(5), BOB: total(5), CLEO: OUT}))
    wins = [row.wins for row in standings(db.session(), ann.league_id)]
    assert wins == [Fraction(1, 2), Fraction(1, 2), Fraction(0)]


def test_a_correction_after_the_end_moves_the_sums(ann: Author) -> None:
    table = finished(ann, 0, 5, 9)
    table.restore(table.revision - 1)
    assert everything(ann.league_id) == {name: {} for name in everything(ann.league_id)}
    table.restore(table.revision - 1)
    kept = everything(ann.league_id)
    with writing() as session:
        totals.rebuild(session, ann.league_id)
    assert kept == everything(ann.league_id) != {}


def test_whoever_left_is_not_measured_against_those_who_stayed(ann: Author) -> None:
    table = Table.start(ann, "Ann", "Bob", "Cleo")
    table.score(0, 5, 9)
    table.change(lambda record: leave(record, ANN, placed=True))
    for _ in range(6):
        table.change(scoring({BOB: OUT, CLEO: total(5)}))
    ann_row = next(
        row
        for row in standings(db.session(), ann.league_id, 0, "contract-rummy")
        if row.name == "Ann"
    )
    assert (ann_row.games, ann_row.ahead) == (1, None)
    seats = db.session.execute(select(Seat.total, Seat.ahead).order_by(Seat.number)).all()
    # Bob has 5 and Cleo 39, on average 22.
    assert [tuple(seat) for seat in seats] == [(None, None), (5, 1700), (39, -1700)]


def test_ratings_follow_the_games_in_their_order(ann: Author) -> None:
    first = finished(ann, 0, 5, 9, on=date(2026, 3, 1))
    finished(ann, 9, 0, 5, on=date(2026, 3, 2))
    assert not is_settled(db.session(), ann.league_id)
    assert catch_up(ann.league_id)
    assert is_settled(db.session(), ann.league_id)
    before = forms(ann)
    assert [before[name].streak for name in ("Ann", "Bob")] == [0, 1]
    first.change(lambda record: void_deals(record, [7]))
    assert catch_up(ann.league_id)
    after = forms(ann)
    assert [form.games for form in after.values()] == [1, 1, 1]
    assert after["Ann"].mu < before["Ann"].mu


def test_games_are_touched_only_when_their_result_is(ann: Author) -> None:
    table = Table.start(ann, "Ann", "Bob", "Cleo")
    table.score(0, 5, 9)
    assert db.session.get_one(Game, table.game_id).touched == 0


def test_a_replay_goes_back_little_further_than_the_change() -> None:
    """However often the checkpoints were thinned, after a game at a time or many at once."""
    for step in (1, 7, 500):
        row: list[int] = []
        for number in range(0, 300 * step, step):
            row = [one for one in [*row, number] if one in kept([*row, number])]
        assert len(row) <= 16 + 2 * 18
        for back in range(0, 300 * step - step, step):
            begin = max((one for one in row if one <= row[-1] - back), default=0)
            assert row[-1] - begin <= 4 * max(back, 16 * step)


def test_more_games_than_asked_for_are_left_to_a_quieter_place(ann: Author) -> None:
    for day in (1, 2, 3):
        finished(ann, 0, 5, 9, on=date(2026, 3, day))
    with counted() as statements:
        assert not catch_up(ann.league_id, most=2)
    assert len(statements) == 3, "nothing was read that is not used"
    assert forms(ann) == {}
    assert catch_up(ann.league_id, most=3)
    assert {form.games for form in forms(ann).values()} == {3}
