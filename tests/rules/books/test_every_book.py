"""Every book, by itself and under every house rule: short enough to read aloud, true, complete."""

import re
from collections.abc import Iterator
from typing import Any

from companion.melds import RANKS
from companion.rules import (
    Variant,
    card_games,
    extend,
    load,
    load_examples,
    with_choices,
)
from companion.rules.advice import advice
from companion.rules.book import LONGEST_TEXT, Rule, load_book, load_rules
from companion.rules.examples import WorkedDeal, WorkedGame, WorkedHand
from companion.rules.field_text import rule_fields, tables
from companion.rules.search.model import model
from tests.support.every_game import EVERY_GAME


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
        said = entry.title + entry.text + entry.source + entry.ruling
        assert not set("{}") & set(said), entry.id


@EVERY_GAME
def test_every_text_is_made_of_whole_sentences(variant: Variant) -> None:
    """No bare phrase from a table of words: it begins like a sentence and ends like one."""
    whole = re.compile(r"[A-Z\d\[].*[.?]", re.DOTALL)
    phrases = [
        f"{house}: {entry.id}: {entry.text}"
        for house, rules in houses(variant)
        for entry in load_book(rules).entries
        if not whole.fullmatch(entry.text)
    ]
    assert not phrases


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
        texts += [
            f"{fact.label}: {fact.words}" for fact in (*rule_fields(changed), *tables(changed))
        ]
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


# Every book is complete


@EVERY_GAME
def test_every_book_has_the_sections_it_needs(variant: Variant) -> None:
    needed = {"setup", "turn", "out", "scoring", "end", "questions", "words", "origins", "sources"}
    needed |= {"melds", "down"} if variant.has_contracts else set()
    needed |= {"melds"} if variant.scoring.entry == "unmelded" else set()
    assert not [name for name in needed if not load_book(variant).section(name)]


@EVERY_GAME
def test_every_one_of_several_contracts_has_a_rule_of_its_own(variant: Variant) -> None:
    steps = {entry.step for entry in load_book(variant).entries}
    asked = {step for step, deal in enumerate(variant.deals, 1) if deal.contract}
    assert len(asked) < 2 or asked <= steps


@EVERY_GAME
def test_a_contract_stands_on_the_source_of_its_own_game(variant: Variant) -> None:
    """Not on that of the game whose book it continues: those contracts are others."""
    borrowed = {entry.source for entry in load_book(variant).entries if entry.step}
    assert not [source for source in borrowed if source.startswith("Contract Rummy rules")]
    assert not borrowed & {other.source for other in card_games() if other.key != variant.key}


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
        assert {*entry.about} <= {*model().subjects}, entry.id
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


@EVERY_GAME
def test_no_source_of_another_game_stands_behind_what_only_this_one_says(variant: Variant) -> None:
    """A deck's laws, which every book has, say the same in other words."""
    others = ancestors(variant)[1:]
    for rule in load_book(variant).entries:
        for above in filter(None, (load_book(other).find(rule.id) for other in others)):
            differs = (rule.title, rule.text, rule.answer) != (
                above.title,
                above.text,
                above.answer,
            )
            is_sourced = rule.source and not rule.id.startswith("AT-")
            assert not (differs and is_sourced and rule.source == above.source), rule.id
