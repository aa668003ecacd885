"""The worked examples of every game, run as shown: what a page claims is what is scored."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from companion.cards import read_hand
from companion.rules import Variant, VariantError, all_games, load_examples, with_choices
from companion.rules.examples import WorkedDeal, WorkedGame, WorkedHand, WorkedReport
from companion.scoring import (
    DealScore,
    PlayedDeal,
    SeatStay,
    Tally,
    TallyError,
    deal_doubts,
    score_deal,
    standing_after,
)
from tests.support.reports import reports
from tests.support.variant_shelf import Shelf, shelf_in

SEEDS = ("contract-rummy", "zioncheck", "chicago-rummy", "zip-zilch-zero")


def each(kind: str) -> Callable[[Callable[..., None]], Any]:
    found = [
        pytest.param(variant, worked, id=f"{variant.key}-{worked.rule}-{worked.title}")
        for variant in all_games()
        for worked in getattr(load_examples(variant.key), kind)
    ]
    return pytest.mark.parametrize(("variant", "worked"), found)


@each("hands")
def test_worked_hands(variant: Variant, worked: WorkedHand) -> None:
    house = with_choices(variant, worked.house)
    held = Tally(cards=read_hand(worked.cards), zips=tuple(map(read_hand, worked.zips)))
    ender = Tally(declared="rummy" if house.scoring.knock else "out")
    line = score_deal(house, 1, [held, ender], [0, 0]).lines[0]
    assert line
    assert line.points == worked.points


@each("deals")
def test_worked_deals(variant: Variant, worked: WorkedDeal) -> None:
    house, names = with_choices(variant, worked.house), list(worked.start)
    tallies, start = reports(worked, names), list(worked.start.values())
    if worked.refused:
        with pytest.raises(TallyError) as refused:
            score_deal(house, worked.deal, tallies, start)
        assert [found.in_words(names) for found in refused.value.findings] == [worked.refused]
        return
    score = score_deal(house, worked.deal, tallies, start)
    assert points(score, names) == worked.points
    assert dict(zip(names, score.totals, strict=True)) == worked.totals
    assert tuple(names[seat] for seat in score.eliminated) == worked.out
    played = PlayedDeal(
        step=worked.deal,
        dealer=0,
        points={seat: worked.points[name] for seat, name in enumerate(names)},
        tallies=dict(enumerate(tallies)),
    )
    seats = [SeatStay(start=total) for total in start]
    end = standing_after(house, seats, [played], 0, house.pack(max(len(names), house.players.min)))
    assert end.over == bool(worked.winners)
    assert not end.over or tuple(names[seat] for seat in end.winners) == worked.winners


def points(score: DealScore, names: Sequence[str]) -> dict[str, int]:
    return {n: line.points for n, line in zip(names, score.lines, strict=True) if line}


@each("games")
def test_whole_games(variant: Variant, worked: WorkedGame) -> None:
    house, names = with_choices(variant, worked.house), worked.players
    house = house.for_players(len(names))
    pack, seats = house.pack(len(names)), [SeatStay()] * len(names)
    played: list[PlayedDeal] = []
    for report in worked.deals:
        before = standing_after(house, seats, played, 0, pack)
        assert before.upcoming, "a deal after the end"
        told = [
            tally if seat in before.playing else None
            for seat, tally in enumerate(reports(report, names))
        ]
        score = score_deal(house, before.upcoming.step, told, before.totals, bags=before.bags)
        assert points(score, names) == report.points
        assert dict(zip(names, score.totals, strict=True)) == report.totals
        assert tuple(names[seat] for seat in score.eliminated) == report.out
        doubts = deal_doubts(house, before.upcoming.step, told, before.totals, pack)
        assert [found.in_words(names) for found in doubts] == []
        played.append(
            PlayedDeal(
                step=before.upcoming.step,
                dealer=before.upcoming.dealer,
                points={names.index(name): worth for name, worth in report.points.items()},
                tallies={seat: tally for seat, tally in enumerate(told) if tally},
            )
        )
    end = standing_after(house, seats, played, 0, pack)
    assert end.over == (house.ending.length != "until_stopped")
    assert dict(zip(names, end.totals, strict=True)) == worked.totals
    assert dict(zip(names, end.places, strict=True)) == worked.places


@pytest.mark.parametrize("key", SEEDS)
def test_every_seed_game_shows_hands_deals_and_a_whole_game(key: str) -> None:
    examples = load_examples(key)
    assert all((examples.hands, examples.deals, examples.games))


def test_the_chicago_game_has_every_kind_of_ending() -> None:
    (game,) = load_examples("chicago-rummy").games
    assert {report.ended for report in game.deals} == {"knock", "rummy"}
    beaten = [r for r in game.deals if r.ended == "knock" and _lowest(r) != r.by]
    assert beaten
    assert [name for report in game.deals for name in report.out] == ["Bob", "Cleo"]
    assert sum(total < 100 for total in game.totals.values()) == 1


def _lowest(report: WorkedReport) -> str:
    return min(report.points, key=lambda name: report.points[name])


# A file with a fault is refused with the path to it, and never half read.

GOOD_HAND = {"title": "t", "rule": "r", "cards": "K", "points": 10}
GOOD_DEAL = {
    "title": "t",
    "rule": "r",
    "ended": "out",
    "by": "Ann",
    "start": {"Ann": 0, "Bob": 0},
    "left": {"Bob": "K"},
    "points": {"Ann": 0, "Bob": 10},
}
GOOD_GAME = {
    "title": "t",
    "rule": "r",
    "players": ["Ann", "Bob"],
    "deals": [{"ended": "out", "by": "Ann", "left": {"Bob": "K"}, "points": {"Ann": 0, "Bob": 10}}],
    "totals": {"Ann": 0, "Bob": 10},
    "places": {"Ann": 1, "Bob": 2},
}


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shelf]:
    """A shelf with one game on it, whose examples a test may write."""
    with shelf_in(tmp_path, monkeypatch) as made:
        made.copy("zioncheck")
        yield made


def _toml(value: object) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)


@pytest.mark.parametrize(
    ("kind", "good", "changes", "fault"),
    [
        ("hands", GOOD_HAND, {"cards": "K 12"}, "zioncheck: examples.hands[0]: 12 could be"),
        ("hands", GOOD_HAND, {"house": {"joker": 15}}, "hands[0].house: choices.joker"),
        ("hands", GOOD_HAND, {"points": "ten"}, "examples.hands[0].points: expected `int`"),
        ("hands", GOOD_HAND, {"pionts": 10}, "examples.hands[0]: object contains unknown field"),
        ("deals", GOOD_DEAL, {"left": {"Cleo": "K"}}, "deals[0].left: Cleo is no player here"),
        ("deals", GOOD_DEAL, {"left": {"Bob": "ZZ"}}, 'deals[0]: We don\'t know "ZZ"'),
        ("deals", GOOD_DEAL, {"hands": {"Cleo": "K"}}, "deals[0].hands: Cleo is no player here"),
        ("deals", GOOD_DEAL, {"hands": {"Bob": "ZZ"}}, 'deals[0]: We don\'t know "ZZ"'),
        ("deals", GOOD_DEAL, {"by": "Cleo"}, "deals[0].by: Cleo is no player here"),
        ("deals", GOOD_DEAL, {"by": ""}, "deals[0].by: names who ended the deal"),
        ("deals", GOOD_DEAL, {"ended": "nobody"}, "deals[0].by: names who ended the deal"),
        ("deals", GOOD_DEAL, {"ended": "tired"}, "deals[0].ended: invalid enum value"),
        ("deals", GOOD_DEAL, {"refused": "No."}, "deals[0].points: belong to every deal"),
        ("deals", GOOD_DEAL, {"points": {}}, "deals[0].points: belong to every deal"),
        ("deals", GOOD_DEAL, {"out": ["Cleo"]}, "deals[0].out: Cleo is no player here"),
        ("deals", GOOD_DEAL, {"winners": ["Cleo"]}, "deals[0].winners: Cleo is no player here"),
        ("games", GOOD_GAME, {"totals": {"Ann": 0}}, "games[0].totals: must name every player"),
        ("games", GOOD_GAME, {"places": {"Ann": 1}}, "games[0].places: must name every player"),
    ],
)
def test_faulty_examples_are_refused_with_their_path(
    shelf: Shelf, kind: str, good: dict[str, Any], changes: dict[str, Any], fault: str
) -> None:
    shelf.put("zioncheck", f"{kind} = [{_toml(good)}]", "examples.toml")
    assert len(getattr(load_examples("zioncheck"), kind)) == 1
    shelf.put("zioncheck", f"{kind} = [{_toml({**good, **changes})}]", "examples.toml")
    with pytest.raises(VariantError) as refused:
        load_examples("zioncheck")
    assert fault in str(refused.value)


def test_a_broken_file_is_refused_and_a_missing_one_is_empty(shelf: Shelf) -> None:
    assert load_examples("zioncheck").hands == ()
    shelf.put("zioncheck", "[[hands]\n", "examples.toml")
    with pytest.raises(VariantError, match=r"zioncheck: examples\.toml"):
        load_examples("zioncheck")


def test_examples_of_no_game_are_refused() -> None:
    with pytest.raises(VariantError, match="no game whist"):
        load_examples("whist")
