"""Which game a question is about: that of the page, or another one that is named or described."""

import pytest

from companion.rules import card_games, load
from companion.rules.search import search, search_all

SHELF = card_games()


@pytest.mark.parametrize(
    ("asked", "key"),
    [
        ("in shanghai how many buys do i get", "shanghai"),
        ("liverpol rummy: how many jokers", "liverpool"),
        ("does chicago have a knock limit", "chicago-rummy"),
        ("when may i knock", "chicago-rummy"),
        ("what is a zip", "zip-zilch-zero"),
        ("what is king rummy", "king"),
        ("deuces wild: what does a two cost", "deuces-wild"),
        ("how do you win at zip zilch zero", "zip-zilch-zero"),
        ("what is wild in the fifth round of three thirteen", "three-thirteen"),
        ("how many jokers go in with the carioca from chile", "carioca-chile"),
        ("when we play Jo, how many jokers are there", "jo"),
        ("Jo for four of us, how many jokers", "jo"),
        ("for deuces wild, how many jokers go in", "deuces-wild"),
        ("the seven round zioncheck, how many cards in the last round", "zioncheck-seven"),
        ("in the longer liverpool how many cards do we get", "liverpool-seven"),
        ("liverpool with 7 deals, what does an exact cut earn", "liverpool-seven"),
        ("the one where you knock, what does a two left over cost", "chicago-rummy"),
        ("that game where everybody pays the winner, how many cards do we get", "continental"),
        ("is it most or least that wins zip zilch", "zip-zilch-zero"),
        ("prog rummy round 2", "progressive"),
        ("round 3 progressive how many cards", "progressive"),
        ("the plain carioca, not the chile one, how many may play", "carioca"),
        ("how many buys do we get in shanghai, not liverpool", "shanghai"),
    ],
)
def test_a_question_about_another_game_is_answered_by_that_game(asked: str, key: str) -> None:
    reply = search(load("zioncheck"), asked, SHELF)
    assert (reply.certain, reply.variant.key) == (True, key)


@pytest.mark.parametrize(
    "asked",
    [
        *("what does the king cost", "may i take the joker", "what is the contract"),
        *("are deuces wild", "can a two that is playing joker be swapped"),
    ],
)
def test_words_of_the_table_are_no_names_of_games(asked: str) -> None:
    assert search(load("zioncheck"), asked, SHELF).variant.key == "zioncheck"


@pytest.mark.parametrize(
    "asked", ["ann went out and jo went down, who scores", "i told that jo had to buy"]
)
def test_a_player_may_be_called_as_a_game_of_two_letters(asked: str) -> None:
    assert search(load("contract-rummy"), asked, SHELF).variant.key == "contract-rummy"


@pytest.mark.parametrize(
    ("asked", "key"),
    [
        ("in zioncheck may a run be longer than four", "zioncheck"),
        ("has contract rummy got seven deals", "contract-rummy"),
        ("contract rummy with jokers 15, what is a joker worth", "contract-bicycle"),
    ],
)
def test_what_tells_games_apart_does_so_beside_their_names_only(asked: str, key: str) -> None:
    assert search(load("king"), asked, SHELF).variant.key == key
    assert search(load("king"), "how many cards in seven deals", SHELF).variant.key == "king"


@pytest.mark.parametrize(
    ("key", "asked", "meant"),
    [
        ("liverpool-seven", "has liverpool got a limit of buys", "liverpool-seven"),
        ("liverpool-seven", "in the short liverpool, how many deals are there", "liverpool"),
        ("continental-spain", "how many jokers in continental", "continental-spain"),
        ("carioca-chile", "the plain carioca, are there jokers in it", "carioca"),
    ],
)
def test_a_game_goes_by_the_name_of_the_one_it_is_named_after(
    key: str, asked: str, meant: str
) -> None:
    assert search(load(key), asked, SHELF).variant.key == meant


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("in progressive does everyone get one more card each deal like here", "progressive"),
        ("not this one, in shanghai how many buys do we get", "shanghai"),
        ("we also play shanghai, how many cards do we deal here", "king"),
        ("is this the same game as shanghai or what is the difference", "king"),
        ("what do we lay down in the fourth deal of progressive", "progressive"),
    ],
)
def test_the_game_of_the_page_may_be_spoken_of_beside_another(asked: str, meant: str) -> None:
    assert search(load("king"), asked, SHELF).variant.key == meant


def test_the_game_of_the_page_is_meant_where_words_merely_sound_like_another() -> None:
    for asked in (
        "i have got zilch on the table, may i swap for her joker",
        "may i tuck this nine in",
    ):
        assert search(load("king"), asked, SHELF).variant.key == "king"


@pytest.mark.parametrize(
    "asked",
    ["must i say when i hold one last card, like in uno", "does the lowest score win, like golf"],
)
def test_a_game_that_is_only_compared_with_is_not_asked_about(asked: str) -> None:
    assert search(load("jo"), asked, SHELF).certain
    assert search(load("jo"), "how many cards do you draw in uno", SHELF).variant.key == "uno"


def test_another_game_answers_only_what_its_rules_say_in_the_words_of_the_question() -> None:
    asked = "aunt says three jokers and a six make a perfectly good set, i say no way. who is right"
    assert search(load("crummy"), asked, SHELF).variant.key == "crummy"


def test_without_a_shelf_only_the_game_itself_answers() -> None:
    reply = search(load("zioncheck"), "in shanghai how many buys do i get")
    assert reply.variant.key == "zioncheck"


def test_a_game_somebody_comes_from_is_not_asked_about() -> None:
    assert search(load("zip-zilch-zero"), "what is a zip, I only know uno", SHELF).certain
    asked = "what is a skip card, I play uno"
    assert search(load("zip-zilch-zero"), asked, SHELF).variant.key == "uno"


def test_of_two_games_that_are_named_that_of_the_page_answers() -> None:
    asked = "is a joker dearer in king rummy than in contract rummy"
    assert search(load("contract-rummy"), asked, SHELF).variant.key == "contract-rummy"


@pytest.mark.parametrize("key", ["contract-rummy", "zioncheck", "king", "telefunken"])
@pytest.mark.parametrize(
    "asked",
    [
        "does the one who finishes get minus points",
        "are red cards minus",
        "is zero the best score",
        "do we have to pay the winner",
        "is the deepest card mine if I take the pile",
        "is it for up to ten players",
        "may i come down with two runs both in hearts",
        "must i say uno",
        "when the game ends, is minus good",
    ],
)
def test_a_game_that_nobody_named_does_not_answer(key: str, asked: str) -> None:
    assert search(load(key), asked, SHELF).variant.key == key


@pytest.mark.parametrize(
    ("asked", "key"),
    [
        ("what does a joker count in five crowns", "five-crowns"),
        ("uno wild card points", "uno"),
        ("phase ten: what is phase 4", "phase-10"),
        ("how many rounds in wizard", "wizard"),
        ("up to what score do we play skyjo", "skyjo"),
    ],
)
def test_a_game_of_points_that_is_named_is_meant(asked: str, key: str) -> None:
    assert search(load("contract-rummy"), asked, SHELF).variant.key == key
    assert [reply.variant.key for reply in search_all(asked, SHELF)] == [key]


@pytest.mark.parametrize(
    ("key", "asked", "rule"),
    [
        ("five-crowns", "how many rounds are there", "AT-4.8"),
        ("five-crowns", "how many cards in round 4", "AT-4.2"),
        ("skyjo", "when does the game end", "AT-4.9"),
        ("uno", "how many can play", "AT-4.1"),
        ("phase-10", "what is phase 7", "AT-4.3"),
        ("phase-10", "i didnt make my phase, next round?", "AT-4.4"),
        ("hearts", "who wins, most or fewest points", "AT-4.10"),
        ("cribbage", "what if its a tie", "AT-4.11"),
        ("spades", "can my aunt join later", "AT-1.9"),
        ("wizard", "how many pts for right guess", "AT-4.13"),
        ("hearts", "i took everything what now", "AT-4.7"),
        ("wizard", "who wins with 2 wizards", "WZ-2.1"),
        ("uno", "2 players what does reverse do", "UN-2.3"),
        ("phase-10", "can the same person be skipped twice", "PT-2.3"),
        ("canasta", "do i need my partners ok to go out", "CN-5.1"),
        ("skat", "what are clubs and grand worth", "SK-6.4"),
        ("doppelkopf", "what is a fuchs worth", "DK-6.2"),
        ("doppelkopf", "what is trump", "DK-2.1"),
    ],
)
def test_a_game_of_points_answers_what_its_numbers_say(key: str, asked: str, rule: str) -> None:
    reply = search(load(key), asked, SHELF)
    assert reply.certain
    assert reply.entries[0].id == rule


@pytest.mark.parametrize("asked", ["what is a trick", "may i swap cards", "what is trump"])
def test_what_the_numbers_of_a_game_of_points_do_not_say_is_not_answered(asked: str) -> None:
    assert not search(load("five-crowns"), asked, SHELF).certain


@pytest.mark.parametrize("asked", ["do you have kalooki too", "rules of three thirteen pls"])
def test_who_only_names_a_game_is_told_which_it_is(asked: str) -> None:
    reply = search(load("liverpool"), asked, SHELF)
    assert reply.certain
    assert "what-game" in reply.entries[0].about
