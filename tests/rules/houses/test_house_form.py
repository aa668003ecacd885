"""The form of a family's game: what it leaves as it is, and what one changed field changes."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules import Variant, card_games, compared, extend, to_data
from companion.rules.field_text import is_so, labels
from companion.rules.form_fields import Field, fields, shown
from companion.rules.form_reader import _of_path, read_form
from companion.rules.house import Difference
from tests.support.doses import first_in_every_run
from tests.support.every_game import EVERY_GAME
from tests.support.reports import CHICAGO, CONTRACT, ZIP

from .edited_games import SHANGHAI, edited, houses


def all_apart(variant: Variant, other: Variant) -> list[Difference]:
    """Every point on which two games differ, also what follows from another one."""
    return [*compared(variant, other).differences, *compared(variant, other).following]


@EVERY_GAME
def test_a_form_sent_back_unchanged_changes_nothing(variant: Variant) -> None:
    made, faults = read_form(variant, shown(variant), "our-game")
    assert faults == []
    assert made
    assert all_apart(made, variant) == []
    told = ("key", "extends", "aliases", "choices", "chosen", "source", "verified", "assumed")
    same = {name: value for name, value in to_data(made).items() if name not in told}
    assert same == {name: value for name, value in to_data(variant).items() if name not in told}


def test_a_form_keeps_what_a_file_may_say_of_a_game() -> None:
    """A game that came as a file is edited like any other."""
    assert edited(CONTRACT, summary="x" * 200).summary == "x" * 200


@given(houses())
@settings(max_examples=60)
def test_a_house_with_choices_sent_back_unchanged_changes_nothing(variant: Variant) -> None:
    made, faults = read_form(variant, shown(variant), "our-game")
    assert faults == []
    assert made
    assert all_apart(made, variant) == []
    assert shown(made) == shown(variant)


@given(houses(), st.data())
@settings(max_examples=60)
def test_what_a_form_does_not_name_stays_as_it_is(variant: Variant, data: st.DataObject) -> None:
    """Whole rows, and any single fields, may be missing from what a browser sends."""
    form = shown(variant)
    groups = sorted({name.split(".")[0] for name in form})
    gone = data.draw(st.sets(st.sampled_from([g for g in groups if g not in ("name",)])))
    alone = data.draw(st.sets(st.sampled_from([name for name in form if name.startswith("f.")])))
    kept = {n: t for n, t in form.items() if n.split(".")[0] not in gone and n not in alone}
    made, faults = read_form(variant, kept, "our-game")
    assert faults == []
    assert made
    assert all_apart(made, variant) == []


def test_a_game_of_ones_own_says_where_it_is_from() -> None:
    made = edited(SHANGHAI, name="  Grandma's \n Shanghai ")
    assert (made.key, made.name, made.extends) == ("our-game", "Grandma's Shanghai", "shanghai")
    assert made.source == "Your own rules, made from Shanghai Rummy."
    assert made.choices == ()
    again = edited(made, f__turn__upcard="false")
    assert (again.extends, again.source) == ("shanghai", made.source)


BOOK = "not in this game"
CHANGES = [
    (CONTRACT, {"f.turn.direction": "right"}, [("Play and deal pass", "to the right")]),
    (CONTRACT, {"f.turn.upcard": "false"}, [("A card is turned up after the deal", "no")]),
    (CONTRACT, {"f.melds.max_wilds": "1"}, [("Most wild cards in a meld", "1")]),
    (
        CONTRACT,
        {"f.melds.wild_table": "3:1, 5:2"},
        [("Wild cards by the size of a meld", "1 from 3 cards, 2 from 5 cards")],
    ),
    (CONTRACT, {"f.melds.wilds": "x 2"}, [("Wild cards", "joker and 2")]),
    (CONTRACT, {"f.melds.wilds": "jokers and twos"}, [("Wild cards", "joker and 2")]),
    (CONTRACT, {"f.melds.wilds": "Joker, 3s & kings"}, [("Wild cards", "joker, 3 and K")]),
    (CONTRACT, {"f.melds.wilds": "three; ace"}, [("Wild cards", "3 and A")]),
    (CONTRACT, {"f.scoring.out_points": "−25"}, [("Points for going out", "−25")]),
    (CONTRACT, {"f.ending.floor": "0"}, [("No total falls below", "0")]),
    (CONTRACT, {"f.ending.deals": "9"}, [("Number of deals", "9")]),
    (CONTRACT, {"deals": "9"}, [("Number of deals", "9")]),
    (
        CONTRACT,
        {"deals": "5"},
        [("Number of deals", "5"), ("Deal 6", BOOK), ("Deal 7", BOOK)],
    ),
    (CONTRACT, {"f.scoring.not_down.points": "25"}, [("Extra points for not being down", "25")]),
    (
        CONTRACT,
        {"value.joker": "50"},
        [
            (
                "Cards in hand count",
                "A = 15; 2 to 9 as shown; 10 to K = 10; joker = 50",
            )
        ],
    ),
    (CONTRACT, {"deal.1.contract": "3S3"}, [("Deal 1", "10 cards; Three sets of three")]),
    (
        CONTRACT,
        {"deal.2.dealt": "11"},
        [("Deal 2", "11 cards; One set of three and one run of four")],
    ),
    (
        CONTRACT,
        {"deal.1.goout": "either"},
        [("Deal 1", "10 cards; Two sets of three; discard or not")],
    ),
    (
        CONTRACT,
        {"deal.1.buys": "3"},
        [("Deal 1", "10 cards; Two sets of three; at most 3 taken out of turn")],
    ),
    (
        CONTRACT,
        {"deal.1.buys": "no limit"},
        [("Deal 1", "10 cards; Two sets of three; any number taken out of turn")],
    ),
    (CONTRACT, {"deal.1.wilds": "none"}, [("Deal 1", "10 cards; Two sets of three; wild: none")]),
    (CONTRACT, {"deal.7.dealt": ""}, [("Number of deals", "6"), ("Deal 7", BOOK)]),
    (
        CONTRACT,
        {"deal.6.contract": "", "deal.7.contract": " "},
        [("Number of deals", "5"), ("Deal 6", BOOK), ("Deal 7", BOOK)],
    ),
    (CONTRACT, {"deal.6.contract": ""}, [("Deal 6", "12 cards")]),
    (CONTRACT, {"deal.7.contract": "None"}, [("Deal 7", "12 cards")]),
    (CONTRACT, {"deal.8.dealt": "10"}, [("Number of deals", "8"), ("Deal 8", "10 cards")]),
    (
        CONTRACT,
        {"pack.1.jokers": "4"},
        [("Decks", "3 to 4 players: 2 decks and 4 jokers; 5 to 8 players: 3 decks and 2 jokers")],
    ),
    (
        CONTRACT,
        {"bonus.1.name": "Exact cut", "bonus.1.points": "-50", "bonus.1.who": "one"},
        [("Exact cut", "Exact cut: 50 points off, for one player")],
    ),
    (
        SHANGHAI,
        {"bonus.1.points": "-30"},
        [
            (
                "Out blind",
                "Out blind: 30 points off, for whoever goes out, only the largest of blind",
            )
        ],
    ),
    (
        SHANGHAI,
        {"bonus.1.who": "each"},
        [("Out blind", "Out blind: 25 points off, for anyone, only the largest of blind")],
    ),
    (
        SHANGHAI,
        {"bonus.1.counts": "true"},
        [
            (
                "Out blind",
                (
                    "Out blind: 25 points off for each, "
                    "for whoever goes out, only the largest of blind"
                ),
            )
        ],
    ),
    (
        SHANGHAI,
        {"bonus.1.name": "Blind"},
        [("Blind", "Blind: 25 points off, for whoever goes out, only the largest of blind")],
    ),
    (SHANGHAI, {"bonus.2.name": ""}, [("Out blind without a joker", BOOK)]),
    (
        CONTRACT,
        {"f.ending.length": "until_score", "f.ending.target": "200"},
        [
            ("The game lasts", "until someone reaches a score"),
            ("The score that ends the game", "200"),
            ("Number of deals", BOOK),
        ],
    ),
    (CHICAGO, {"f.ending.eliminate.at": "200"}, [("The score that puts a player out", "200")]),
    (
        CHICAGO,
        {"f.scoring.knock.penalty": "10"},
        [("Extra points for a beaten knock", "10")],
    ),
    (ZIP, {"f.scoring.zips.min_cards": "3"}, [("Fewest cards in a zip", "3")]),
]


@pytest.mark.parametrize(("base", "typed", "expected"), CHANGES)
def test_one_changed_field_is_just_that_difference(
    base: Variant, typed: dict[str, str], expected: list[tuple[str, str]]
) -> None:
    made, faults = read_form(base, shown(base) | typed, "our-game")
    assert faults == []
    assert made
    assert {found.what: found.ours for found in all_apart(made, base)} == dict(expected)
    there = sorted(found.book for found in all_apart(base, made))
    assert there == sorted(words for _, words in expected)


def other_answers(field: Field) -> Iterator[str]:
    """Answers to a field other than the one that stands there."""
    match field.kind:
        case "choice":
            yield from (answer for answer, _ in field.options if answer != field.value)
        case "number":
            number = int(field.value or "7")
            yield from (str(number + 1), str(number + 3), str(max(0, number - 1)), str(-number))
        case "ranks":
            yield "joker 3" if field.value != "joker 3" else "joker"
        case "rows":
            yield "6:2"
        case "text":
            yield "3" if field.value == "2" else f"{field.value} and more"


HOUSES = [
    extend(CONTRACT, {"pickup": {"limit": 3}}),
    extend(CONTRACT, {"ending": {"length": "until_score", "target": 200}}),
]


def matters(variant: Variant, path: str) -> bool:
    when = labels()[path].get("when", ())
    return all(is_so(variant, one) for one in ([when] if isinstance(when, str) else when))


@pytest.mark.slow
@pytest.mark.parametrize("variant", first_in_every_run(card_games(), 6, pytest.mark.long))
def test_no_changed_field_goes_unsaid(variant: Variant) -> None:
    """Every field, every other answer: a difference, a fault, or a field that is of no account."""
    for field in (field for group in fields(variant).values() for field in group):
        for answer in other_answers(field):
            if answer == field.value:
                continue
            form = shown(variant) | {f"f.{field.path}": answer}
            made, faults = read_form(variant, form, "our-game")
            if made is None:
                assert faults, field.path
                assert all(fault.words for fault in faults)
            elif field.path == "ending.deals" and made.deal_count == variant.deal_count:
                assert all_apart(made, variant) == [], "as many deals as there are contracts"
            elif matters(made, field.path) or matters(variant, field.path):
                assert field.label in [found.what for found in all_apart(made, variant)], field.path


def test_every_field_of_the_form_is_of_account_in_some_game() -> None:
    """Changed in some game of the catalogue, each field makes a difference that is told."""
    games = (*card_games(), *HOUSES)
    untold = {field.path for v in games for group in fields(v).values() for field in group}
    for variant in games:
        for field in (field for group in fields(variant).values() for field in group):
            for answer in other_answers(field) if field.path in untold else ():
                form = shown(variant) | {f"f.{field.path}": answer}
                made, _ = read_form(variant, form, "our-game")
                if made and field.label in [found.what for found in all_apart(made, variant)]:
                    untold.discard(field.path)
    assert untold == set()


ROW_FIELDS = [
    ("pack.1.decks", None),
    ("pack.1.jokers", None),
    ("deal.1.dealt", None),
    ("deal.1.buys", "5"),
    ("deal.1.wilds", "joker 4"),
    ("value.7", None),
    ("value.A", None),
]


@EVERY_GAME
@pytest.mark.parametrize(("name", "text"), ROW_FIELDS, ids=[name for name, _ in ROW_FIELDS])
def test_no_changed_row_goes_unsaid(variant: Variant, name: str, text: str | None) -> None:
    form = shown(variant)
    form |= {name: text or str(int(form[name]) + 1)}
    made, faults = read_form(variant, form, "our-game")
    if made is None:
        assert faults
    else:
        assert all_apart(made, variant)


def test_a_fault_of_a_row_that_the_form_left_out_names_that_row() -> None:
    fault = _of_path("deals[2].contract: is too large", {})
    assert (fault.field, fault.words) == ("deal.3.contract", "Deal 3: is too large.")


def test_what_rests_on_a_difference_follows_from_it_and_is_none_of_its_own() -> None:
    """With five deals there is no sixth and no seventh."""
    five = compared(edited(CONTRACT, deals="5"), CONTRACT)
    assert [one.what for one in five.differences] == ["Number of deals"]
    assert [one.what for one in five.following] == ["Deal 6", "Deal 7"]
