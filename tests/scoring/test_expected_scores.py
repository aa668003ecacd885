"""Every expected result of `tests/cases/` that needs no solver, under each reading."""

from collections.abc import Callable
from typing import Any

import pytest

from companion.cards import Card, Pack, Suit
from companion.melds import RANK_NAMES
from companion.rules import Variant, VariantError, find_variant, with_choices
from companion.scoring import (
    PlayedDeal,
    SeatStay,
    Standing,
    Tally,
    TallyError,
    deal_doubts,
    is_zip,
    knock_limit,
    score_deal,
    standing_after,
)
from companion.scoring.cards_left import sum_of_values as hand_points
from tests.support.case_files import cases, hand

Case = dict[str, Any]
CONTRACT, ZIONCHECK = find_variant("contract rummy"), find_variant("zioncheck")
CHICAGO, ZIP = find_variant("chicago"), find_variant("zip")


def each(name: str) -> Callable[[Callable[..., None]], Any]:
    return pytest.mark.parametrize("case", [pytest.param(c, id=c["id"]) for c in cases(name)])


def contract_house(options: Case) -> Variant:
    chosen: dict[str, Any] = {}
    if options.get("deuces_wild"):
        chosen["deuces_wild"] = 25
    if options.get("number_cards_5"):
        chosen["number_cards"] = 5
    return with_choices(CONTRACT, chosen)


@each("card_values")
def test_card_values(case: Case) -> None:
    (card,) = hand([case["in"]["card"]])
    games = {
        "zioncheck": ZIONCHECK,
        "contract_rummy": CONTRACT,
        "contract_rummy_deuces_wild": contract_house({"deuces_wild": True}),
        "contract_rummy_number_cards_5": contract_house({"number_cards_5": True}),
        "chicago": CHICAGO,
        "zip": ZIP,
    }
    for name, value in case["expect"].items():
        assert _value(games[name], card) == value, name


def _value(variant: Variant, card: Card) -> int | None:
    value = variant.melds.values.get(RANK_NAMES[card.rank])
    if value is None or variant.scoring.zips is None:
        return value
    assert is_zip(variant, (card, Card(card.rank, Suit.RED))) != bool(
        card.suit and card.suit.is_red
    )
    return -value if card.suit and card.suit.is_red else value


@each("zion_points")
def test_zioncheck_points(case: Case) -> None:
    assert hand_points(ZIONCHECK.melds, hand(case["in"]["hand"])) == case["expect"]["points"]


@each("cr_points")
def test_contract_rummy_points(case: Case) -> None:
    rules = contract_house(case["in"]["options"]).melds
    assert hand_points(rules, hand(case["in"]["hand"])) == case["expect"]["points"]


SETUPS = {
    "joker_rule": {"jokers": "players_minus_one"},
    "five_players": {"jokers": "five_two_packs"},
}


@each("cr_setup")
def test_contract_rummy_setup(case: Case) -> None:
    players = case["in"]["players"]
    assert _setup(CONTRACT, players) == case["expect"]["setup"]
    for reading in case.get("variants", ()):
        (name,) = reading["params"]
        house = with_choices(CONTRACT, SETUPS[name])
        assert _setup(house, players) == reading["expect"]["setup"], name


def _setup(variant: Variant, players: int) -> dict[str, int] | None:
    try:
        pack = variant.pack(players)
    except VariantError:
        return None
    return {"decks": pack.decks, "jokers": pack.jokers, "cards": pack.size}


def play(
    variant: Variant, players: int, first_dealer: int, deals: list[list[Tally | None]], pack: Pack
) -> tuple[list[PlayedDeal], Standing]:
    """Score deal after deal, each dealt by whom the course says."""
    seats = [SeatStay()] * players
    played: list[PlayedDeal] = []
    for tallies in deals:
        standing = standing_after(variant, seats, played, first_dealer, pack)
        assert standing.upcoming
        score = score_deal(variant, standing.upcoming.step, tallies, standing.totals)
        points = {s: line.points for s, line in enumerate(score.lines) if line}
        told = {s: tally for s, tally in enumerate(tallies) if tally}
        upcoming = standing.upcoming
        played.append(
            PlayedDeal(step=upcoming.step, dealer=upcoming.dealer, points=points, tallies=told)
        )
    return played, standing_after(variant, seats, played, first_dealer, pack)


def left(cards: list[list[str]], out: int) -> list[Tally | None]:
    return [
        Tally(declared="out") if seat == out else Tally(cards=hand(held))
        for seat, held in enumerate(cards)
    ]


@pytest.mark.parametrize(
    "case", [pytest.param(c, id=c["id"]) for c in cases("zion_games") + cases("cr_games")]
)
def test_contract_games(case: Case) -> None:
    told, expect = case["in"], case["expect"]
    if case["kind"] == "zion_game":
        variant, deals = ZIONCHECK, [left(d["left"], d["winner"]) for d in told["hands"]]
    else:
        variant = contract_house(told.get("options", {}))
        deals = [left(d["left"], d["out"]) for d in told["deals"]]
    pack = Pack(told["decks"], told["jokers"])
    played, end = play(variant, told["players"], told["first_dealer"], deals, pack)
    assert [[d.points[s] for s in range(told["players"])] for d in played] == expect["points"]
    assert list(end.totals) == expect["totals"]
    assert list(end.winners) == expect["winners"]
    assert list(end.places) == expect["places"]
    assert [d.dealer for d in played] == expect["dealers"]
    assert end.over == expect["complete"]
    firsts = [(d.dealer + 1) % told["players"] for d in played]
    assert firsts == expect["first_to_play"]


@each("chicago_knock")
def test_knock_limits(case: Case) -> None:
    _check_knock(CHICAGO, case["in"], case["expect"])
    for reading in case.get("variants", ()):
        house = with_choices(CHICAGO, {"eliminate_at": ">"})
        _check_knock(house, case["in"], case["expect"] | reading["expect"])


def _check_knock(variant: Variant, told: Case, expect: Case) -> None:
    limit = knock_limit(variant, told["score"])
    assert limit == expect["limit"]
    assert (limit is not None and told["unmelded"] <= limit) == expect["may_knock"]
    assert variant.ending.eliminate
    assert variant.ending.eliminate.takes(told["score"]) != expect["still_in"]


CHICAGO_READINGS: dict[str, dict[str, Any]] = {
    "tie_penalty": {"knock_tie": "penalty"},
    "eliminate_at": {"eliminate_at": ">"},
    "seven_twos_scored": {"seven_twos": True},
}


@each("chicago_round")
def test_chicago_rounds_from_their_unmelded_points(case: Case) -> None:
    base = [CHICAGO_READINGS[name] for name in case.get("params", {})]
    _check_round(_house(base), case["in"], case["expect"])
    for reading in case.get("variants", ()):
        (name,) = reading["params"]
        if name in CHICAGO_READINGS:
            house = _house([*base, CHICAGO_READINGS[name]])
            _check_round(house, case["in"], case["expect"] | reading["expect"])


def _house(readings: list[dict[str, Any]]) -> Variant:
    return with_choices(CHICAGO, {key: value for one in readings for key, value in one.items()})


def _check_round(variant: Variant, told: Case, expect: Case) -> None:
    """Knocks are scored from the count as the players report it."""
    start, by = told["start"], told["by"]
    how: Any = {"seven_twos": "instant_win"}.get(told["how"], told["how"])
    tallies = [
        None
        if score is None
        else Tally(
            declared=how if seat == by else "",
            total=None if seat == by and how != "knock" else expect["unmelded"][seat],
        )
        for seat, score in enumerate(start)
    ]
    totals = [score or 0 for score in start]
    if not expect["legal"]:
        with pytest.raises(TallyError):
            score_deal(variant, 1, tallies, totals)
        return
    score = score_deal(variant, 1, tallies, totals)
    assert [line and line.points for line in score.lines] == expect["added"]
    assert [None if start[s] is None else total for s, total in enumerate(score.totals)] == expect[
        "totals"
    ]
    assert list(score.eliminated) == expect["eliminated"]
    if how == "knock":
        assert knock_limit(variant, start[by]) == expect["limit"]
    _check_who_is_left(variant, told, score.lines, tallies, expect)


def _check_who_is_left(
    variant: Variant, told: Case, lines: Any, tallies: Any, expect: Case
) -> None:
    """The same round as the only deal of a game whose seats start with these scores."""
    seats = [
        SeatStay(start=s or 0, left=None if s is not None else 1, placed=s is not None)
        for s in told["start"]
    ]
    deal = PlayedDeal(
        step=1,
        dealer=0,
        points={s: line.points for s, line in enumerate(lines) if line},
        tallies={s: tally for s, tally in enumerate(tallies) if tally},
    )
    end = standing_after(variant, seats, [deal], 0, Pack(2, 0))
    assert end.over == expect["over"]
    if end.over:
        assert list(end.winners) == expect["winners"]


@each("zip_score")
def test_zip_scores(case: Case) -> None:
    """A card that one pack holds once, told twice, is possible only by mistake: a doubt (I8)."""
    zips, remaining = tuple(map(hand, case["in"]["zips"])), hand(case["in"]["remaining"])
    if remaining:
        tallies = [Tally(zips=zips, cards=remaining), Tally(declared="out")]
    else:
        tallies = [Tally(declared="out", zips=zips), Tally(total=1)]
    expect = case["expect"]
    if not expect["legal"]:
        assert [is_zip(ZIP, zipped) for zipped in zips] == expect["zip_ok"]
        assert _refused(tallies) or deal_doubts(ZIP, 1, tallies, [0, 0], Pack(1, 0))
        return
    line = score_deal(ZIP, 1, tallies, [0, 0]).lines[0]
    assert line
    assert line.points == expect["score"]
    assert sum(r.points for r in line.reasons if r.rule == "zips") == expect["zipped"]
    assert -sum(r.points for r in line.reasons if r.rule == "values") == expect["remaining"]


def _refused(tallies: list[Tally]) -> bool:
    try:
        score_deal(ZIP, 1, tallies, [0, 0])
    except TallyError:
        return True
    return False


@each("zip_game")
def test_zip_games(case: Case) -> None:
    told, expect = case["in"], case["expect"]
    deals = [
        [
            Tally(
                declared="out" if seat == deal["out"] else "",
                zips=tuple(map(hand, deal["zips"][seat])),
                cards=None if seat == deal["out"] else hand(deal["left"][seat]),
            )
            for seat in range(told["players"])
        ]
        for deal in told["hands"]
    ]
    played, end = play(ZIP, told["players"], 0, deals, Pack(1, 0))  # type: ignore[arg-type]
    assert [[d.points[s] for s in range(told["players"])] for d in played] == expect["points"]
    assert list(end.totals) == expect["totals"]
    assert list(end.winners) == expect["winners"]
    assert list(end.places) == expect["places"]
    assert end.over == expect["complete"]


@each("entry")
def test_hands_that_hold_more_than_the_packs(case: Case) -> None:
    told = case["in"]
    over = Pack(told["decks"], told["jokers"]).too_many(map(hand, told["hands"]))
    assert {str(card) for card in over} == set(map(str, hand(case["expect"]["too_many"])))
    assert (not over) == case["expect"]["possible"]
