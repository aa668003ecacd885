"""The rules books: short enough to read aloud, true under every house rule, complete, findable."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from companion.melds import RANKS, MeldRules
from companion.rules import (
    Variant,
    VariantError,
    all_variants,
    catalogue,
    extend,
    find_variant,
    load,
    load_examples,
    with_choices,
)
from companion.rules.advice import advice
from companion.rules.asking.subjects import ways_of_asking
from companion.rules.book import LONGEST_TEXT, TABLE, Book, Rule, load_book, load_rules
from companion.rules.examples import WorkedDeal, WorkedGame, WorkedHand
from companion.rules.field_text import at, facts, is_so, tables
from companion.rules.placeholders import fill
from companion.rules.variant import (
    Ending,
    InstantWin,
    JokerTrade,
    Knock,
    Pickup,
    Scoring,
    Turn,
    ZipRules,
)
from tests.support.variant_shelf import Shelf, shelf_in

CONTRACT, ZIONCHECK = find_variant("contract rummy"), find_variant("zioncheck")
SEVEN = find_variant("zioncheck-seven")
EVERY_GAME = pytest.mark.parametrize("variant", all_variants(), ids=lambda v: v.key)


def houses(variant: Variant) -> Iterator[tuple[str, Variant]]:
    """The game by the book, and with each single house rule taken."""
    yield "book", variant
    for choice in variant.choices:
        for option in choice.options[1:]:
            house = with_choices(variant, {choice.key: option.value})
            yield f"{choice.key}={option.value}", house


def ancestors(variant: Variant) -> list[Variant]:
    """The games whose words it inherits, itself first."""
    return [variant, *(ancestors(load(variant.extends)) if variant.extends else ())]


def told(variant: Variant) -> str:
    """Every word of a game's book except what tells of its sources."""
    entries = [e for e in load_book(variant).entries if e.section != "sources"]
    return "\n".join(f"{entry.title}. {entry.text}" for entry in entries)


def said(rule: Rule) -> Iterator[str]:
    """Every raw text of a rule."""
    yield from (rule.title, rule.text)
    for words in rule.say.values():
        yield from words.values()


# Every book, by itself and under every house rule

NUMBER = re.compile(
    r"\d|\b(three|four|five|six|seven|eight|nine|ten|eleven|twelve|(thir|four|fif|six|seven|eigh|"
    r"nine)teen|(twen|thir|for|fif|six|seven|eigh|nine)ty|hundred)s?\b",
    re.IGNORECASE,
)
FILLED = re.compile(r"\[[^\]]*\]|\{[^}]*\}")


@EVERY_GAME
def test_every_text_is_short_under_every_house_rule(variant: Variant) -> None:
    too_long = [
        f"{house}: {entry.id} has {count} words"
        for house, rules in houses(variant)
        for entry in load_book(rules).entries
        if (count := len(entry.text.split())) > LONGEST_TEXT
    ]
    assert not too_long


@EVERY_GAME
def test_every_number_comes_from_the_rules(variant: Variant) -> None:
    """Cards in square brackets are drawn; any other number must be filled in."""
    written = [
        f"{rule.id}: {found.group()} in {text}"
        for rule in load_rules(variant.key)[0]
        for text in said(rule)
        if (found := NUMBER.search(FILLED.sub("", text)))
    ]
    assert not written


@EVERY_GAME
def test_nothing_is_left_unfilled(variant: Variant) -> None:
    for entry in load_book(variant).entries:
        assert entry.title
        assert entry.text
        assert not set("{}") & set(entry.title + entry.text), entry.id


ONES: list[dict[str, Any]] = [
    {"melds": {"set_size": 1, "run_size": 1, "run_max": 1, "max_wilds": 1, "min_naturals": 1}},
    {"melds": {"values": dict.fromkeys(RANKS, 1), "wilds": ["2"]}},
    {"deals": [{"dealt": 1, "buys": 1}], "pickup": {"limit": 1, "penalty_cards": 1}},
    {
        "deals": [{"dealt": 1, "contract": {"melds": [{"kind": "run", "size": 1}]}}],
        "scoring": {"entry": "cards_left", "knock": None, "instant_win": None, "zips": None},
    },
    {"ending": {"length": "until_score", "target": 1, "deals": 0, "winner": "lowest"}},
    {"scoring": {"out_points": 1, "not_down": {"points": 1}}},
]
KNOCK = {"scoring": {"knock": {"limit": 1, "below": 1, "penalty": 1}}}
MANY = re.compile(r"(?<![\d+−=×,] )\b(1|one) (cards|points|players|jokers|decks|discards|times)\b")


def of_fixed_length(variant: Variant) -> Variant:
    """The game where each deal follows the last, so that a deal needs no contract."""
    if not variant.is_each_on_their_own:
        return variant
    return extend(variant, {"ending": {"length": "fixed", "winner": "lowest"}})


@EVERY_GAME
def test_one_of_a_thing_is_said_in_the_singular(variant: Variant) -> None:
    wrong = []
    for change in (*ONES, *([KNOCK] if variant.scoring.knock else [])):
        changed = extend(of_fixed_length(variant), {"choices": [], "chosen": {}} | change)
        assert load_book(changed).entries
        texts = [f"{e.id} {e.title}. {e.text}" for e in load_book(changed).entries]
        texts += [f"{fact.label}: {fact.words}" for fact in (*facts(changed), *tables(changed))]
        texts += advice(changed)
        wrong += [found.group() + " in " + text for text in texts if (found := MANY.search(text))]
    assert not wrong


@EVERY_GAME
def test_a_family_that_plays_fewer_deals_still_has_a_book(variant: Variant) -> None:
    for deals in range(1, len(variant.deals)):
        data = {"deals": [{"dealt": deal.dealt} for deal in variant.deals[:deals]]}
        changes = {"choices": [], "chosen": {}, "ending": {"deals": 0}} | data
        fewer = extend(of_fixed_length(variant), changes)
        assert load_book(fewer).entries


@EVERY_GAME
def test_every_choice_leads_to_its_rule_whatever_is_chosen(variant: Variant) -> None:
    lost = [
        f"{house}: {choice.key} → {choice.rule}"
        for house, rules in houses(variant)
        for choice in rules.choices
        if load_book(rules).find(choice.rule) is None
    ]
    assert not lost


@EVERY_GAME
def test_every_rule_names_a_choice_that_there_is(variant: Variant) -> None:
    """An inherited rule may name a choice of the game it comes from, which then is not shown."""
    keys = {choice.key for game in ancestors(variant) for choice in game.choices}
    assert not [rule.id for rule in load_rules(variant.key)[0] if rule.choice not in {"", *keys}]
    offered = {choice.key for choice in variant.choices}
    assert {entry.choice for entry in load_book(variant).entries} <= {"", *offered}


@EVERY_GAME
def test_every_example_rests_on_a_rule_of_its_house(variant: Variant) -> None:
    examples = load_examples(variant.key)
    worked_out: list[WorkedHand | WorkedDeal | WorkedGame] = [
        *examples.hands,
        *examples.deals,
        *examples.games,
    ]
    lost = [
        f"{worked.title}: {worked.rule}"
        for worked in worked_out
        if load_book(with_choices(variant, worked.house)).find(worked.rule) is None
    ]
    assert not lost


def reason_names(variant: Variant) -> Iterator[str]:
    """The names by which the score's reasons and older pages call a game's rules."""
    yield from ("adjust", "end", "packs", "stock")
    yield from {
        "cards_left": ("values", "out"),
        "unmelded": ("values", "knock", "rummy") if variant.scoring.knock else ("values", "out"),
        "zips": ("values", "zips", "out"),
        "payments": (),
    }[variant.scoring.entry]
    if variant.has_contracts:
        yield "contracts"
    if variant.has_wilds:
        yield "wilds"
    if variant.asks_who_went_down:
        yield "not-down"
    if variant.scoring.bonuses:
        yield "bonus"
    if variant.scoring.instant_win:
        yield "instant-win"
    if variant.ending.eliminate:
        yield "all-out"


@EVERY_GAME
def test_every_reason_leads_to_just_one_rule(variant: Variant) -> None:
    for house, rules in houses(variant):
        names = [name for entry in load_book(rules).entries for name in entry.anchors]
        assert len(names) == len(set(names)), house
        assert set(reason_names(rules)) <= set(names), house


# Every rule has its id for good

ID = re.compile(r"([A-Z]{2})-(?:\d+\.\d+|Q\d+[a-z]?|s\.\d+)|[A-Z]-\d+")


def table_ids() -> set[str]:
    """The records that every book has."""
    return set(re.findall(r'(?m)^id = "(.+)"$', (catalogue.SHELF / TABLE).read_text("utf-8")))


def own_ids(variant: Variant) -> set[str]:
    inherited = load_rules(variant.extends)[0] if variant.extends else ()
    there = {rule.id for rule in load_rules(variant.key)[0]} - table_ids()
    return there - {rule.id for rule in inherited}


def test_what_holds_at_every_table_has_its_own_prefix() -> None:
    assert table_ids()
    assert all(name.startswith("AT-") and ID.fullmatch(name) for name in table_ids())


@EVERY_GAME
def test_ids_have_their_form_and_one_prefix(variant: Variant) -> None:
    found = {name: ID.fullmatch(name) for name in own_ids(variant)}
    assert not [name for name, match in found.items() if match is None]
    assert len({match[1] for match in found.values() if match and match[1]}) <= 1


def test_no_two_games_have_an_id_of_their_own_in_common() -> None:
    ids = [name for variant in all_variants() for name in own_ids(variant)]
    assert len(ids) == len(set(ids))


def test_the_prefixes_of_the_seed_games() -> None:
    prefixes = {
        "contract-rummy": {"CR", "C"},
        "zioncheck": {"ZC", "Z"},
        "chicago-rummy": {"CH", "H"},
        "zip-zilch-zero": {"ZZ", "P"},
    }
    for key, expected in prefixes.items():
        assert {name.partition("-")[0] for name in own_ids(load(key))} == expected


@pytest.mark.parametrize(
    ("key", "letter", "gaps"),
    [
        ("zioncheck", "Z", 21),
        ("contract-rummy", "C", 22),
        ("chicago-rummy", "H", 24),
        ("zip-zilch-zero", "P", 13),
    ],
)
def test_every_gap_of_a_source_has_our_reading_with_its_reason(
    key: str, letter: str, gaps: int
) -> None:
    book = load_book(load(key))
    read = {entry.id: entry for entry in book.section("sources")}
    for number in range(1, gaps + 1):
        assert read[f"{letter}-{number}"].ruling


# Every book is complete


@EVERY_GAME
def test_every_book_has_the_sections_it_needs(variant: Variant) -> None:
    needed = {"setup", "turn", "out", "scoring", "end", "questions", "words", "origins", "sources"}
    needed |= {"melds", "down"} if variant.has_contracts else set()
    needed |= {"melds"} if variant.scoring.entry == "unmelded" else set()
    assert not [name for name in needed if not load_book(variant).section(name)]


def questions(variant: Variant) -> set[int]:
    """The questions asked at the table, by their number, that concern a game."""
    asked = {5, 18, 19, 20, 22}
    if variant.scoring.entry != "payments":
        asked |= {2}
    if variant.has_jokers:
        asked |= {3}
    if variant.has_contracts:
        asked |= {1, 4, 6, 10, 12, 13, 16, 17}
        asked |= {11} if variant.turn.layoff != "never" else set()
        asked |= {7, 8, 9} if variant.pickup.allowed else set()
        asked |= {14, 15} if variant.has_wilds else set()
        asked |= {21} if variant.scoring.entry == "cards_left" else set()
    if variant.scoring.knock:
        asked |= {1, 15, 21, 23}
    if variant.ending.eliminate:
        asked |= {24}
    if variant.turn.draw == "deep_discard":
        asked |= {25}
    return asked


@EVERY_GAME
def test_every_question_of_the_table_is_answered(variant: Variant) -> None:
    found = re.findall(r"Q(\d+)", " ".join(e.id for e in load_book(variant).section("questions")))
    assert not questions(variant) - set(map(int, found))
    for entry in load_book(variant).section("questions"):
        assert entry.see, f"{entry.id} rests on no rule"
        assert entry.title.endswith("?"), entry.id


@EVERY_GAME
def test_every_rule_can_be_asked_for_and_says_where_it_stands(variant: Variant) -> None:
    for entry in load_book(variant).entries:
        assert entry.about or entry.search, entry.id
        assert set(entry.about) <= set(ways_of_asking()), entry.id
        assert bool(entry.source) != bool(entry.ruling), entry.id
        assert entry.section != "sources" or entry.ruling, entry.id


@EVERY_GAME
def test_no_source_stands_beside_what_a_house_has_changed(variant: Variant) -> None:
    """Whatever is chosen: where the words differ from the book's, they are the house's own."""
    book = {entry.id: (entry.title, entry.text) for entry in load_book(variant).entries}
    for house, rules in houses(variant):
        for entry in load_book(rules).entries:
            differs = book.get(entry.id) != (entry.title, entry.text)
            assert entry.house == differs, (house, entry.id)
            assert bool(entry.source or entry.ruling) != differs, (house, entry.id)


# A changed number changes the text: no rule is written down twice

PARTS = {
    "turn": Turn,
    "pickup": Pickup,
    "joker_trade": JokerTrade,
    "melds": MeldRules,
    "scoring": Scoring,
    "scoring.knock": Knock,
    "scoring.instant_win": InstantWin,
    "scoring.zips": ZipRules,
    "ending": Ending,
}
NO_RULE_OF_THE_TABLE = {
    "scoring.entry",
    "ending.length",
    "ending.winner",
    "scoring.instant_win.count",
}
"""What is settled by which game it is, or said by the name of the hand that wins at once."""


def fields() -> Iterator[tuple[str, Any]]:
    """Every plain field of a game's rules, with its type."""
    for part, kind in PARTS.items():
        for name, hint in get_type_hints(kind).items():
            if f"{part}.{name}" not in NO_RULE_OF_THE_TABLE:
                yield f"{part}.{name}", hint


def others(value: Any, hint: Any) -> list[Any]:
    """Values that a field may have instead."""
    if get_origin(hint) is Literal:
        return [other for other in get_args(hint) if other != value]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1]
    return [1] if value is None and int in get_args(hint) else []


def changed(variant: Variant, path: str, value: Any) -> Variant | None:
    """The game with one field changed; None where the rules forbid that."""
    patch: Any = value
    for name in reversed(path.split(".")):
        patch = {name: patch}
    try:
        return extend(variant, patch)
    except VariantError:
        return None


@EVERY_GAME
def test_every_field_changes_what_the_book_says(variant: Variant) -> None:
    """Only where the field matters, as its label says; the same words would be a rule untold."""
    matters = {fact.path for fact in facts(variant)}
    if not variant.has_wilds:
        matters = {path for path in matters if not path.startswith("joker_trade.")}
    before = told(variant)
    untold = [
        f"{path}={value}"
        for path, hint in fields()
        if path in matters
        for value in others(at(variant, path), hint)
        if (other := changed(variant, path, value)) and told(other) == before
    ]
    assert not untold


CHANGES: list[tuple[Variant, dict[str, Any], str, str]] = [
    (CONTRACT, {"melds": {"values": {"joker": 17}}}, "CR-6.2", "joker: 17"),
    (CONTRACT, {"melds": {"values": {"joker": 17}}}, "CR-Q3", "costs 17 points"),
    (CONTRACT, {"melds": {"values": {"A": 1}}}, "CR-6.8", "1 + 10 + 9 + 2 = 22"),
    (CONTRACT, {"melds": {"set_size": 4}}, "CR-3.1", "four or more cards"),
    (CONTRACT, {"melds": {"run_size": 5}}, "CR-3.2", "five or more cards"),
    (CONTRACT, {"melds": {"run_size": 5}}, "CR-8.4", "[4C 5C 6C 7C 8C]"),
    (CONTRACT, {"melds": {"run_max": 14}}, "CR-4.7", "up to 14 cards"),
    (CONTRACT, {"melds": {"max_wilds": 1}}, "CR-3.7", "at most 1 wild card."),
    (CONTRACT, {"melds": {"min_naturals": 2}}, "CR-3.3", "at least 2 cards must be natural"),
    (CONTRACT, {"melds": {"wilds": ["joker", "2"]}}, "CR-3.5", "jokers and twos"),
    (CONTRACT, {"deals": {"7": {"dealt": 13}}}, "CR-1.7", "13 cards in deal 7"),
    (CONTRACT, {"deals": {"7": {"dealt": 13}}}, "CR-4.27", "leaves 2 cards"),
    (CONTRACT, {"deals": {"7": {"dealt": 11}}}, "CR-4.27", "take at least 1 discard out of turn"),
    (CONTRACT, {"deals": {"7": {"goout": "no_discard"}}}, "CR-5.2", "in deal 7 every card"),
    (CONTRACT, {"deals": {"7": {"contract": {"all_cards": True}}}}, "CR-4.27", "goes out in that"),
    (CONTRACT, {"pickup": {"penalty_cards": 3}}, "CR-2.9", "the top three cards"),
    (CONTRACT, {"pickup": {"limit": 1}}, "CR-2.11", "at most 1 time in each deal"),
    (CONTRACT, {"pickup": {"limit": 7, "limit_scope": "game"}}, "CR-2.11", "7 times in the whole"),
    (CONTRACT, {"deals": {"7": {"buys": 4}}}, "CR-2.11", "at most 4 times in deal 7"),
    (CONTRACT, {"scoring": {"out_points": -30}}, "CR-6.3", "scores −30."),
    (CONTRACT, {"scoring": {"not_down": {"points": 40}}}, "CR-6.5", "40 points more"),
    (CONTRACT, {"scoring": {"not_down": {"double": True}}}, "CR-Q21", "once again"),
    (CONTRACT, {"ending": {"floor": -100}}, "CR-7.7", "−100."),
    (CONTRACT, {"players": {"max": 4}, "packs": [{"players": [3, 4], "decks": 2}]}, "CR-1.2", "4"),
    (CONTRACT, {"packs": {"1": {"jokers": 4}}}, "CR-1.4", "2 decks and 4 jokers; 5 to 8: 3 decks"),
    (ZIONCHECK, {"melds": {"values": {"joker": 20}}}, "ZC-6.2", "joker: 20"),
    (ZIONCHECK, {"turn": {"first_player": "normal"}}, "ZC-2.2", "like any other"),
    (ZIONCHECK, {"pickup": {"penalty_cards": 1}}, "ZC-Q6", "the top card of the stock"),
    (ZIONCHECK, {"joker_trade": {"from_sets": True}}, "ZC-4.9", "a run or a set"),
    (ZIONCHECK, {"deal_word": "round"}, "ZC-4.21", "10 cards each"),
]


@pytest.mark.parametrize(
    ("variant", "change", "rule", "words"), CHANGES, ids=lambda value: str(value)[:40]
)
def test_a_changed_number_changes_the_text(
    variant: Variant, change: dict[str, Any], rule: str, words: str
) -> None:
    before, after = load_book(variant).find(rule), load_book(extend(variant, change)).find(rule)
    assert after
    assert words in after.text
    assert before is None or (before.text, before.title) != (after.text, after.title)


@EVERY_GAME
def test_every_card_value_stands_in_the_book(variant: Variant) -> None:
    """Each value made odd in turn: the rule of values must say it."""
    for name in variant.melds.values:
        if name == "joker" and not variant.has_jokers:
            continue
        odd = extend(variant, {"melds": {"values": {name: 77}}})
        rule = load_book(odd).find("values")
        assert rule is None or "77" in rule.text, name


def test_what_a_house_decides_is_what_its_book_says() -> None:
    house = with_choices(CONTRACT, {"deuces_wild": 25, "number_cards": 5, "goout": "last_deal"})
    book = load_book(house)
    texts = {entry.id: entry.text for entry in book.entries}
    assert texts["CR-6.2"] == "A: 15; 2: 25; 3 to 9: 5 each; 10 to K: 10 each; joker: 25."
    assert texts["CR-3.5"].startswith("Wild: jokers and twos.")
    assert "in deals 1 to 6 the last card must be discarded; in deal 7" in texts["CR-5.2"]


def test_the_short_game_of_zioncheck_ends_with_its_last_contract() -> None:
    short = with_choices(SEVEN, {"length": "short"})
    texts = {entry.id: entry.text for entry in load_book(short).entries}
    assert "4 contracts" in texts["ZC-7.1"]
    assert "ZC-4.25" not in texts
    assert "the round of three sets of three" in texts["ZS-7.1"]
    assert texts["ZC-5.2"] == "To go out, the last card must be discarded."


# What fills a text


@pytest.mark.parametrize(
    ("variant", "text", "filled"),
    [
        (CONTRACT, "{dealt}", "10 cards in deals 1 to 4; 12 cards in deals 5 to 7"),
        (CONTRACT, "{players}", "3 to 8"),
        (CONTRACT, "{packs.5}", "3 decks and 2 jokers"),
        (CONTRACT, "{values}", "A: 15; 2 to 9: what they show; 10 to K: 10 each; joker: 25"),
        (CONTRACT, "{sum.A_K_joker}", "15 + 10 + 25 = 50"),
        (CONTRACT, "{spare.7}, {need.7:word}", "1, twelve"),
        (CONTRACT, "{melds.set_size:card} {melds.set_size:word}", "3 cards three"),
        (CONTRACT, "{scoring.out_points:point}", "0 points"),
        (CONTRACT, "{melds.run_size:word card}, {side}", "four cards, left"),
        (find_variant("continental (spain)"), "{side}", "right"),
        (find_variant("3-13"), "{wilds.1} to {wilds.last}", "threes to kings"),
        (CONTRACT, "{wilds}, {wilds.2}", "jokers, jokers"),
        (CONTRACT, "{a_set} {a_run}", "[8C 8D 8H] [4C 5C 6C 7C]"),
        (CONTRACT, "{step.7}", "Deal 7"),
        (CONTRACT, "{buys}, {buys.3}", "as often as you like, 0"),
        (ZIONCHECK, "{step.6}: {contract.6}", "Hand 6: two sets of three and two runs of four"),
        (ZIONCHECK, "{values}", "A: 15; 2 to 9: 5 each; 10 to K: 10 each; joker: 15"),
        (SEVEN, "{room.7}", "That is every card of this round, the one drawn included. Whoever"),
        (SEVEN, "{goout.7}", "every card must be played on the table, none is discarded"),
    ],
)
def test_placeholders(variant: Variant, text: str, filled: str) -> None:
    assert fill(variant, text).startswith(filled)


def test_where_players_stay_on_a_contract_contracts_have_the_numbers() -> None:
    each = {"dealt": 12}
    ending = {"length": "until_contracts_met", "winner": "furthest"}
    own = extend(CONTRACT, {"deals": {"each": each}, "ending": ending})
    assert fill(own, "{step.3}") == "Contract 3"
    texts = {entry.id for entry in load_book(own).entries}
    assert {"CR-4.16", "CR-7.3"} <= texts
    assert not {"CR-4.15", "CR-7.1"} & texts


def test_a_single_contract_is_that_of_every_deal() -> None:
    one = extend(CONTRACT, {"deals": [{"dealt": 10, "contract": {"melds": TWO_SETS}}]})
    assert fill(one, "{step.1}") == "Every deal"
    more = extend(CONTRACT, {"ending": {"deals": 9}})
    assert fill(more, "{step.7}") == "Deal 7 and later"


TWO_SETS = [{"kind": "set", "size": 3}, {"kind": "set", "size": 3}]


def test_a_deal_that_is_not_there_is_none() -> None:
    assert at(CONTRACT, "deals.8") is None
    assert is_so(CONTRACT, "deals.7.goout=discard")
    assert not is_so(CONTRACT, "deals.8")
    with pytest.raises(VariantError, match="no deal 8"):
        fill(CONTRACT, "{need.8}")


@pytest.mark.parametrize("text", ["{melds.colour}", "{nothing}"])
def test_a_placeholder_that_nothing_fills_is_a_fault(text: str) -> None:
    with pytest.raises(VariantError, match="there is no such field"):
        fill(CONTRACT, text)


# Files: inherited, overridden, dropped, retired, refused


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shelf]:
    """A shelf with Contract Rummy, a small book of its own, and a variation."""
    with shelf_in(tmp_path, monkeypatch) as made:
        made.copy("contract-rummy")
        made.put("contract-rummy", BASE, "rules.toml")
        made.put("child", 'extends = "contract-rummy"\nname = "Child"')
        yield made


BASE = """
[[rules]]
id = "CR-6.1"
section = "scoring"
title = "Values"
text = "{values}."
see = ["CR-1.1", "CR-6.2"]
source = "Contract Rummy rules"
choice = "joker"
anchors = ["values"]
[[rules]]
id = "CR-6.2"
section = "scoring"
title = "Jokers"
text = "A joker costs {value.joker}."
when = ["has_jokers"]
source = "Contract Rummy rules"
[[rules]]
id = "CR-1.1"
section = "setup"
title = "Players"
text = "For {players} players."
source = "Contract Rummy rules"
"""


def book_of(key: str) -> Book:
    return load_book(load(key))


def test_a_book_is_in_order_of_its_sections(shelf: Shelf) -> None:
    assert [entry.id for entry in book_of("contract-rummy").entries] == [
        "CR-1.1",
        "CR-6.1",
        "CR-6.2",
    ]


def test_a_variation_inherits_with_its_own_numbers(shelf: Shelf) -> None:
    shelf.put(
        "child",
        'extends = "contract-rummy"\nname = "Child"\nmelds = { values = { joker = 50 } }',
    )
    rule = book_of("child").find("CR-6.2")
    assert rule
    assert rule.text == "A joker costs 50."
    assert rule.source == "Contract Rummy rules"


def test_a_variation_says_only_what_differs(shelf: Shelf) -> None:
    shelf.put("child", '[[rules]]\nid = "CR-1.1"\ntext = "For a family."', "rules.toml")
    rule, values = book_of("child").find("CR-1.1"), book_of("child").find("values")
    assert rule
    assert values
    assert (rule.title, rule.text, values.id) == ("Players", "For a family.", "CR-6.1")


def test_a_dropped_rule_is_no_longer_pointed_at(shelf: Shelf) -> None:
    shelf.put("child", 'drop = ["CR-6.2"]', "rules.toml")
    values = book_of("child").find("CR-6.1")
    assert book_of("child").find("CR-6.2") is None
    assert values
    assert values.see == ("CR-1.1",)


def test_a_rule_that_does_not_hold_is_not_pointed_at(shelf: Shelf) -> None:
    shelf.put(
        "child",
        'extends = "contract-rummy"\nname = "Child"\npacks = [{ players = [3, 8], decks = 3 }]',
    )
    values = book_of("child").find("values")
    assert values
    assert values.see == ("CR-1.1",)


def test_a_retired_rule_leads_to_the_one_in_its_place(shelf: Shelf) -> None:
    shelf.put("child", 'retired = { "CR-9.9" = "CR-6.1" }', "rules.toml")
    rule = book_of("child").find("CR-9.9")
    assert rule
    assert rule.id == "CR-6.1"


def test_a_choice_that_is_not_offered_is_not_named(shelf: Shelf) -> None:
    shelf.put("child", 'extends = "contract-rummy"\nname = "Child"\n[choices]\njoker = false')
    rule = book_of("child").find("CR-6.1")
    assert rule
    assert rule.choice == ""


def test_a_familys_own_game_reads_the_book_it_was_made_from(shelf: Shelf) -> None:
    own = extend(
        load("contract-rummy"),
        {"key": "our-own", "extends": "contract-rummy", "name": "Ours", "players": {"max": 8}},
    )
    assert load_book(own).find("CR-1.1")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[[rules]", "child: rules.toml: "),
        ('[[rules]]\nid = "CR-1.1"\nwhy = "x"', "CR-1.1.rules: object contains unknown field"),
        ('[[rules]]\nid = "CR-1.1"\nsection = "cellar"', "CR-1.1.section: invalid enum value"),
        ('[[rules]]\nid = "CR-1.1"\nsee = ["CR-5.5"]', "CR-1.1.see: there is no rule CR-5.5"),
        ('[[rules]]\nid = "CR-1.1"\nruling = "so"', "CR-1.1: needs a source or a ruling"),
        ('[[rules]]\nid = "CR-1.1"\nsource = ""', "CR-1.1: needs a source or a ruling"),
        ('[[rules]]\nid = "CR-1.1"\n[[rules]]\nid = "CR-1.1"', "CR-1.1 is there twice"),
        ('retired = { "CR-1.1" = "CR-6.1" }', "retired.CR-1.1: must be no rule any more"),
        ('retired = { "CR-9.9" = "CR-8.8" }', "retired.CR-9.9: must be no rule any more"),
        ("rulez = []", "rules.toml: rules: object contains unknown field"),
    ],
)
def test_a_faulty_book_is_refused_with_its_path(shelf: Shelf, text: str, fault: str) -> None:
    shelf.put("child", text, "rules.toml")
    with pytest.raises(VariantError) as refused:
        book_of("child")
    assert fault in str(refused.value)


def test_a_text_that_cannot_be_filled_names_its_rule(shelf: Shelf) -> None:
    shelf.put("child", '[[rules]]\nid = "CR-1.1"\ntext = "{need.9}"', "rules.toml")
    with pytest.raises(VariantError, match=r"child: rules\.toml: CR-1\.1: .* no deal 9"):
        book_of("child")


def test_a_game_of_no_shelf_has_no_book() -> None:
    stray = extend(CONTRACT, {"key": "stray", "extends": ""})
    with pytest.raises(VariantError, match="there is no game stray"):
        load_book(stray)
