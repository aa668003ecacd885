"""What an ended game came to for each player, worked out by hand from its deals."""

from companion.games.changes import join, play_deal
from companion.games.results import GameResults, game_results
from companion.rules import extend
from companion.scoring import Tally
from tests.leagues.game_driver import told, told_rummy
from tests.scoring.whole_games.games_in_short import TWO_DEALS, fresh, game
from tests.support.reports import ANN, BOB, CHICAGO, CLEO, CONTRACT, OUT, SEVEN_TWOS, total

OWN_PACE = extend(
    CONTRACT,
    {
        "deals": [{"dealt": 10, "contract": {"melds": [{"kind": "set", "size": 3}]}}] * 2,
        "ending": {"length": "until_contracts_met", "winner": "furthest"},
    },
)


def totals(came_to: GameResults) -> list[int | None]:
    return [seat.total for seat in came_to.seats]


def aheads(came_to: GameResults) -> list[int | None]:
    return [seat.ahead for seat in came_to.seats]


def test_an_extra_deal_parts_the_tied_and_changes_nothing_else() -> None:
    """20, 20 and 52 are 30 2/3 on average; Ann wins by the extra deal, once 20 behind."""
    came_to = game_results(game(TWO_DEALS, (20, 0, 30), (0, 20, 22), (0, 30)))
    assert [seat.place for seat in came_to.seats] == [1, 2, 3]
    assert totals(came_to) == [20, 20, 52]
    assert aheads(came_to) == [1067, 1067, -2133]
    assert came_to.margin == 0
    assert [seat.comeback for seat in came_to.seats] == [20, None, None]


def test_where_contracts_met_decide_points_are_compared_with_nobodys() -> None:
    """Cleo met a contract and Bob none: she is second with 18 points, he third with 10."""
    first = {ANN: OUT, BOB: total(5), CLEO: Tally(total=9, met=True)}
    then = {ANN: OUT, BOB: total(5), CLEO: total(9)}
    record = play_deal(play_deal(fresh(OWN_PACE), first).record, then).record
    came_to = game_results(record)
    assert [seat.place for seat in came_to.seats] == [1, 3, 2]
    assert totals(came_to) == [0, 10, 18]
    assert aheads(came_to) == [None, None, None]
    assert [seat.comeback for seat in came_to.seats] == [None, None, None]
    assert came_to.margin is None


def test_a_hand_that_won_at_once_was_no_comeback() -> None:
    """Ann is 20 behind Bob when seven twos win her the game."""
    record = play_deal(fresh(CHICAGO), told_rummy(20, 0, 30)).record
    record = play_deal(record, {ANN: SEVEN_TWOS}).record
    came_to = game_results(record)
    assert [seat.place for seat in came_to.seats] == [1, 2, 3]
    assert totals(came_to) == [20, 0, 30]
    assert aheads(came_to) == [None, None, None]
    assert came_to.seats[ANN].comeback is None
    assert came_to.margin is None


def test_a_finish_is_not_close_by_somebody_who_came_late() -> None:
    """Dev joins with nothing for the last of two deals and is second with 5; Bob has 29."""
    played = game(extend(CONTRACT, {"ending": {"deals": 2}}), (0, 20, 30))
    record = play_deal(join(played, 4, "zero").record, told(0, 9, 9, 5)).record
    came_to = game_results(record)
    assert [seat.place for seat in came_to.seats] == [1, 3, 4, 2]
    assert totals(came_to) == [0, 29, 39, None]
    assert came_to.margin is None
