"""Rules that were read again in their sources: what each says, and what stands behind it."""

import pytest

from companion.rules import load
from companion.rules.book import RuleEntry, load_book
from companion.rules.catalogue import with_choices


def rule(game: str, name: str) -> RuleEntry:
    found = load_book(load(game)).find(name)
    assert found
    return found


def test_a_discard_that_several_want_at_shanghai_goes_to_the_dealers_left() -> None:
    """Its own text: the one closest to the dealer's left has precedence."""
    for name in ("CR-2.8", "CR-Q7"):
        entry = rule("shanghai", name)
        assert "nearest to the dealer's left" in entry.text
        assert entry.source == "The Shanghai Rummy rules, buying"


def test_kalookis_sources_differ_on_a_run_of_the_whole_suit() -> None:
    """The rule in Wikipedia, and not a word of it at pagat.com."""
    entry = rule("kalooki-jamaica", "KJ-4.1")
    assert "by Wikipedia" in entry.text
    assert entry.ruling
    assert entry.choice == "full_suit"


def test_laying_off_at_once_is_not_settled_for_continental_in_spain() -> None:
    for name in ("CR-4.5", "CR-Q11"):
        entry = rule("continental-spain", name)
        assert (entry.source, entry.choice) == ("", "layoff")
        assert "doesn't say" in entry.ruling


@pytest.mark.parametrize(
    ("choice", "value", "field"),
    [("wild_limit", "less_than_half", "wild_share"), ("new_melds", True, "new_melds")],
)
def test_where_the_makers_of_frustration_differ_a_table_may_choose(
    choice: str, value: str | bool, field: str
) -> None:
    """Of three printed rules one has fewer wilds and new melds; no page may say they agree."""
    game = load("frustration")
    changed = with_choices(game, {choice: value})
    owner = changed.melds if field == "wild_share" else changed.turn
    assert getattr(owner, field) == value
    assert "Zepherin Games alone" in rule("frustration", "FR-s.4").text
    said = " ".join(entry.source for entry in load_book(game).entries)
    assert "three agree" not in said + game.source


@pytest.mark.parametrize(
    ("game", "players"),
    [("telefunken", 3), ("telefunken", 9), ("continental-spain", 5), ("hollywood", 3)],
)
def test_a_number_of_players_that_is_only_not_usual_may_play(game: str, players: int) -> None:
    """The sources say how many usually play, and forbid nobody to."""
    variant = load(game)
    assert variant.players.min <= players <= variant.players.max
    assert variant.players.is_unusual(players)
    assert variant.pack(players).decks > 1
    assert "usual are" in rule(game, "CR-1.2").text


def test_the_first_to_call_gets_the_discard_in_the_ten_contracts() -> None:
    """Its rule C: whoever says May I first; each deck keeps its two jokers."""
    assert rule("the-ten-contracts", "CR-2.8").text.endswith("it goes to the one who called first.")
    assert rule("the-ten-contracts", "CR-1.4").source


def test_our_reading_of_crummys_last_deal_is_no_citation() -> None:
    """The page says only: three runs, all cards."""
    for name in ("CR-5.2", "CR-Q18", "CY-5.1"):
        assert "our reading" in rule("crummy", name).ruling
