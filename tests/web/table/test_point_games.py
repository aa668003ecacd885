"""Games whose deals are points: each played by its pages as its worked game says, and our own."""

from __future__ import annotations

import pytest

from companion.rules import Variant, load, load_examples, point_games
from companion.rules.examples import WorkedReport
from tests.visits.browserless import bring_in, entry, game_of, places, save, score, start, totals
from tests.visits.pages import Page, attribute
from tests.visits.phones import Phone

GAMES = [pytest.param(variant, id=variant.key) for variant in point_games()]


def bid(phone: Phone, table: Page, bids: dict[int, str], status: int = 303) -> Page:
    """Enter what players bid in the deal on the table."""
    form = phone.show(table.link("/bids")).form()
    for seat, text in bids.items():
        form.fill(f"seat{seat}-bid", text)
    return phone.press(form, status=status)


def play(phone: Phone, table: Page, report: WorkedReport, names: tuple[str, ...]) -> Page:
    """Enter what a worked game reports of a deal, look it over, and save it."""
    by = names.index(report.by) if report.by else None
    bids = {names.index(name): had["bid"] for name, had in report.bonuses.items() if "bid" in had}
    if bids:
        table = bid(phone, table, {seat: str(one) for seat, one in bids.items()})
    form = entry(phone, table, "out" if report.by else "", by).form()
    is_worth = any("won" in had for had in report.bonuses.values())
    for name, points in report.left.items():
        form.fill("worth" if is_worth else f"seat{names.index(name)}-total", str(points))
    for name in report.met:
        if name != report.by:
            form.typed[f"seat{names.index(name)}-met"] = "1"
    for name, counted in report.bonuses.items():
        for key, times in counted.items():
            seat = names.index(name)
            if key not in ("bid", "tricks", "moon"):
                form.typed[f"seat{seat}-bonus-{key}"] = str(times)
                continue
            if key in ("bid", "tricks"):
                form.fill(f"seat{seat}-{key}", str(times))
            else:
                form.choose(f"bonus-{key}", str(seat))
    return save(phone, form)


PLAYED = ("hearts", "phase-10", "wizard", "skat", "spades")


@pytest.mark.parametrize("key", PLAYED)
def test_a_worked_game_of_each_kind_comes_out_on_the_pages(phone: Phone, key: str) -> None:
    """All of them are played in a browser by `test_points.py`."""
    variant = load(key)
    (worked,) = load_examples(variant.key).games
    table = start(phone, variant.key, *worked.players)
    for report in worked.deals:
        table = play(phone, table, report, worked.players)
        expected = [report.totals.get(name) for name in worked.players]
        assert totals(table) == expected
    if variant.ending.length == "until_stopped":
        stop = phone.show(table.link("/more/stop"))
        assert "The player ahead now wins." in stop.text
        table = phone.press(stop.form("/stops"))
    won = [name for name, place in worked.places.items() if place == 1]
    assert places(table)[0] == f"1. {won[0]}: {worked.totals[won[0]]:,}"
    assert len(places(table)) == len(worked.players)


@pytest.mark.parametrize("variant", GAMES)
def test_what_has_no_meaning_is_not_there(phone: Phone, variant: Variant) -> None:
    table = start(phone, variant.key, *load_examples(variant.key).games[0].players)
    for gone in ("/judge", "/search", "/practice"):
        assert not [link for link in table.links() if gone in link]
    rules = phone.show(f"/rules/{variant.key}")
    assert variant.source in rules.text
    assert "Points only" in rules.text
    for page in ("judge", "practice", "contracts"):
        phone.show(f"/rules/{variant.key}/{page}", 404)
    assert phone.follow(phone.show(f"/rules/{variant.key}/book", 302)).path == rules.path
    sheet = phone.show(f"/rules/{variant.key}/sheet").text
    assert "Cards count" not in sheet
    assert "no jokers" not in sheet


def test_the_felt_says_what_a_table_looks_at(phone: Phone) -> None:
    table = start(phone, "hearts", "Ann", "Bob", "Cleo", "Dev")
    assert "Pass to the left" in table.text
    for following in ("Pass to the right", "Pass across", "Keep your cards", "Pass to the left"):
        table = score(phone, table, "", None, {0: "13", 1: "0", 2: "13", 3: "0"})
        assert following in table.text
    assert "48 to go" in table.text
    assert "100 to go" not in table.text, "only of who is nearest, where the fewest points win"
    table = start(phone, "hearts", "Eva", "Fay", "Gus")
    for following in ("Pass to the left", "Pass to the right", "Keep your cards"):
        assert following in table.text, "nobody sits across"
        table = score(phone, table, "", None, {0: "13", 1: "0", 2: "13"})
    assert "Pass to the left" in table.text
    six = start(phone, "hearts", "Hal", "Ian", "Jon", "Kim", "Leo", "Max")
    assert "Lowest wins" in six.text
    race = score(phone, start(phone, "cribbage", "Ann", "Bob"), "", None, {0: "21", 1: "0"})
    assert "100 to go" in race.text
    assert "121 to go" in race.text


def test_the_others_hear_who_shot_the_moon(phone: Phone) -> None:
    form = entry(phone, start(phone, "hearts", "Ann", "Bob", "Cleo"), "").form()
    form.choose("bonus-moon", "1")
    assert "Bob shot the moon, +26" in phone.press(form, "review", 200).text
    table = save(phone, form)
    assert totals(table) == [26, 0, 26]
    for page in ("deals/1", "deals/1/seats/0", "seats/2"):
        told = phone.show(f"{game_of(table)}/{page}").text
        assert "Bob shot the moon" in told, page
    assert "Bob shot" not in phone.show(f"{game_of(table)}/deals/1/seats/1").text


def test_a_race_is_as_long_as_its_phases(phone: Phone) -> None:
    table = start(phone, "phase-10", "Ann", "Bob")
    form = entry(phone, table, "out", 0).form().fill("seat1-total", "50")
    table = save(phone, form)
    assert [attribute(bar, "width") for bar in table.all(".race rect")] == ["10.0%", "0%"]


def test_a_game_has_its_own_word_for_the_end_of_a_round(phone: Phone) -> None:
    table = start(phone, "skyjo", "Ann", "Bob")
    assert "Who closed?" in table.text
    form = entry(phone, table, "out", 1).form().fill("seat0-total", "3").fill("seat1-total", "4")
    review = phone.press(form, "review", 200)
    assert "closed" in review.text
    assert "went out" not in review.text


def test_another_game_is_named_and_played(phone: Phone) -> None:
    asked = phone.show(phone.show("/rules").link("/games/another")).form()
    asked.fill("name", "Blitz")
    asked.choose("winner", "highest").choose("ends", "until_score")
    refused = phone.press(asked, status=422)
    assert "Enter how many: 1 to 10,000." in refused.text
    seating = phone.press(refused.form().fill("number", "50"))
    assert "Blitz" in seating.text
    table = phone.press(seating.form().fill("names", "Ann, Bob"))
    assert "Highest wins" in table.text
    table = score(phone, table, "", None, {0: "30", 1: "-5"})
    assert totals(table) == [30, -5]
    table = score(phone, table, "", None, {0: "12+8", 1: "4+5"})
    assert places(table) == ["1. Ann: 50", "2. Bob: 4"]
    assert "Blitz" in phone.show("/rules").text, "next time it is one tap"


@pytest.mark.parametrize(
    ("ends", "number", "deals", "expected"),
    [
        ("fixed", "2", [(1, 2), (5, 1)], ["1. Bob: 3", "2. Ann: 6"]),
        ("until_one_left", "10", [(4, 11)], ["1. Ann: 4", "2. Bob: 11"]),
        ("until_score", "10", [(4, 6), (4, 6)], ["1. Ann: 8", "2. Bob: 12"]),
    ],
)
def test_another_game_ends_as_it_was_said(
    phone: Phone, ends: str, number: str, deals: list[tuple[int, int]], expected: list[str]
) -> None:
    asked = phone.show("/games/another").form().fill("name", "Ours").fill("number", number)
    table = phone.press(phone.press(asked.choose("ends", ends)).form().fill("names", "Ann, Bob"))
    for one, other in deals:
        table = score(phone, table, "", None, {0: f"0+{one}", 1: f"0+{other}"})
    assert places(table) == expected


def told(phone: Phone, table: Page, won: set[int], worth: str = "", status: int = 200) -> Page:
    """Tap who won, and type what it was worth."""
    form = entry(phone, table, "").form()
    for seat in won:
        form.typed[f"seat{seat}-bonus-won"] = "1"
    if worth:
        form.fill("worth", worth)
    return phone.press(form, "review", status)


@pytest.mark.parametrize(
    ("won", "first", "heading"),
    [
        ({1}, "1. Bob: 1", "Bob wins"),
        ({0, 2}, "1. Ann: 1", "Ann and Cleo share the win"),
        ({0, 1, 2}, "1. Ann: 1", "Ann, Bob and Cleo share the win"),
        (set(), "2. Ann: 0", "Nobody won"),
    ],
)
def test_a_game_of_which_only_the_winner_is_kept(
    phone: Phone, won: set[int], first: str, heading: str
) -> None:
    asked = phone.show("/games/another").form().fill("name", "Catan").choose("written", "winner")
    seating = phone.press(asked.choose("ends", "fixed").fill("number", "1"))
    table = phone.press(seating.form().fill("names", "Ann, Bob, Cleo"))
    assert "Who won?" in table.text
    over = phone.press(told(phone, table, won).form(), "save")
    assert places(over)[0] == first
    assert heading in over.text
    assert "point" not in over.text.replace("Points of each", "")
    league = phone.show("/league")
    assert "Catan" in league.text


@pytest.mark.parametrize(
    ("names", "won", "worth", "fault"),
    [
        ("Ann, Bob, Cleo, Dev", set(), "3", "Tap who won."),
        ("Ann, Bob, Cleo, Dev", {0, 1, 2, 3}, "3", "Someone must have lost: tap only who won."),
        ("Ann, Bob, Cleo, Dev", {0, 1}, "0", "Enter what it was worth: 1 or more."),
        ("Ann, Bob, Cleo, Dev", {0, 1}, "", "Enter what it was worth: 1 or more."),
        ("Ann, Bob, Cleo, Dev", {0, 1}, "-3", "Enter what it was worth: 1 or more."),
        ("Ann, Bob, Cleo, Dev, Eva", {0, 1}, "3", "2 against 3 can't be settled"),
    ],
)
def test_a_worth_that_cannot_be_settled_is_refused(
    phone: Phone, names: str, won: set[int], worth: str, fault: str
) -> None:
    asked = phone.show("/games/another").form().fill("name", "Schafkopf").choose("written", "worth")
    table = phone.press(phone.press(asked).form().fill("names", names))
    refused = told(phone, table, won, worth, 422)
    assert fault in refused.text
    assert refused.form().value("worth") == worth, "what was typed stays"


def test_at_skat_one_plays_alone_and_a_fourth_may_sit_by(phone: Phone) -> None:
    table = start(phone, "skat", "Ann", "Bob", "Cleo", "Dev")
    refused = told(phone, table, {0, 1}, "18", 422)
    assert "2 against 2 can't be settled: one plays alone." in refused.text
    review = told(phone, table, {0, 1, 3}, "18", 200)
    assert totals(phone.press(review.form(), "save")) == [0, 0, -36, 0]


def test_another_game_can_be_changed_and_keeps_the_games_in_progress(phone: Phone) -> None:
    asked = phone.show("/games/another").form().fill("name", "Ours")
    seating = phone.press(asked)
    table = phone.press(seating.form().fill("names", "Ann, Bob"))
    edited = phone.show("/games/another/our-ours").form()
    assert edited.value("name") == "Ours"
    card = phone.press(edited.choose("winner", "highest").fill("name", "Ours too"))
    assert "Ours too" in card.text
    assert "the highest total" in card.text
    assert "Lowest wins" in phone.show(table.path).text
    stale = phone.press(edited.fill("name", "Mine"), status=422)
    assert "Someone else has changed these rules since." in stale.text


def test_a_name_that_is_taken_is_refused(phone: Phone) -> None:
    asked = phone.show("/games/another").form().fill("name", "Skyjo")
    assert "There is a game called Skyjo already" in phone.press(asked, status=422).text
    unnamed = phone.show("/games/another").form()
    assert "Enter the name of the game." in phone.press(unnamed, status=422).text


@pytest.mark.parametrize(
    ("key", "hands", "fault"),
    [
        ("cribbage", {0: "-3", 1: "10"}, "Ann can't have -3: there are no minus points here."),
        ("canasta", {0: "103", 1: "100"}, "Ann can't have 103: points go by 5. Is it 100 or 105?"),
        ("nertz", {0: "10000", 1: "10"}, "Ann can't have 10000 points."),
        ("nertz", {1: "10"}, "Enter Ann's points."),
    ],
)
def test_points_that_cannot_be_are_refused_in_a_sentence(
    phone: Phone, key: str, hands: dict[int, str], fault: str
) -> None:
    table = start(phone, key, "Ann", "Bob")
    form = entry(phone, table, "").form()
    for seat, text in hands.items():
        form.fill(f"seat{seat}-total", text)
    assert fault in phone.press(form, "review", 422).text


def test_what_does_not_add_up_is_asked_once(phone: Phone) -> None:
    table = start(phone, "hearts")
    form = entry(phone, table, "").form()
    for seat, points in enumerate(("10", "10", "5")):
        form.fill(f"seat{seat}-total", points)
    review = phone.press(form, "review", 200)
    assert "Together that makes 25, and a hand has 26." in review.text
    assert totals(phone.press(review.form(), "save")) == [10, 10, 5]


def test_tricks_that_do_not_add_up_are_asked_once(phone: Phone) -> None:
    table = start(phone, "wizard")
    assert "Round 1 of 20" in table.text, "sixty cards among three"
    form = entry(phone, bid(phone, table, dict.fromkeys(range(3), "1")), "").form()
    for seat in range(3):
        form.fill(f"seat{seat}-tricks", "1")
    review = phone.press(form, "review", 200)
    assert "That's 3 tricks, but there is only 1." in review.text
    assert totals(phone.press(review.form(), "save")) == [30, 30, 30]


def phase_hand(phone: Phone, table: Page, by: int, left: int, *, met: bool) -> Page:
    """Play a hand of Phase 10 for two: who went out, what the other has left and if it is down."""
    form = entry(phone, table, "out", by).form().fill(f"seat{1 - by}-total", f"0+{left}")
    if met:
        form.typed[f"seat{1 - by}-met"] = "1"
    return save(phone, form)


def test_phases_and_not_points_decide_phase_10(phone: Phone) -> None:
    """Nine hands end with Bob out and 50 for Ann; in the tenth Ann goes out, with phase 10."""
    table = start(phone, "phase-10", "Ann", "Bob")
    for number in range(1, 10):
        table = phase_hand(phone, table, 1, 50, met=True)
        assert table.text.count(f"phase {number + 1}") == 2
        assert "leads by" not in table.text
    over = phase_hand(phone, table, 0, 5, met=False)
    assert places(over) == ["1. Ann: 450", "2. Bob: 5"]
    picture = phone.send(f"{game_of(over)}/picture/drawing.svg").text
    for page in (over.text, picture):
        assert "with phase 10" in page
        assert "phase 9 done" in page
        assert "point" not in page.split("Score sheet")[0]
    assert "Bob led before the last hand, then Ann went out." in over.text


def test_who_finish_phase_10_with_equal_points_play_it_again(phone: Phone) -> None:
    """Mattel: of those who complete phase 10 in one hand fewest points win, else a hand decides."""
    table = start(phone, "phase-10", "Ann", "Bob")
    for by in (0, 1) * 5:
        table = phase_hand(phone, table, by, 5, met=True)
    assert totals(table) == [25, 25]
    assert table.text.count("phase 10") == 2
    over = phase_hand(phone, table, 1, 20, met=True)
    assert places(over) == ["1. Bob: 25", "2. Ann: 45"]
    assert "behind" not in over.text


def test_a_game_is_found_by_its_other_name_and_by_its_beginning(phone: Phone) -> None:
    assert "Nertz" in phone.show("/rules/search?q=racing+demon").text
    assert "Skyjo" in phone.show("/rules/search?q=sky").text


def test_a_question_about_a_game_of_points_is_not_answered_from_rummy(phone: Phone) -> None:
    about = phone.show("/rules/search?q=how+many+cards+do+we+deal+in+skyjo")
    assert "Skyjo points only" in about.text
    assert "Everyone has twelve cards face down" in about.text
    links = [attribute(link, "href") for link in about.all("main a[href^='/rules/']")]
    assert {link.partition("#")[0] for link in links} == {"/rules/skyjo"}
    suits = phone.show("/rules/search?q=may+a+run+of+hearts+have+two+jokers")
    assert "points only" not in suits.text
    assert suits.all("main article")


def test_house_rules_of_a_game_of_points(phone: Phone) -> None:
    table = start(phone, "uno", "Ann", "Bob", rule_keeps="own")
    form = entry(phone, table, "out", 0).form().fill("seat1-total", "45")
    assert totals(save(phone, form)) == [0, 45]
    assert load("uno").scoring.points != load("any-game").scoring.points


def test_a_game_of_our_own_goes_to_another_league_as_a_file(phone: Phone) -> None:
    asked = phone.show("/games/another").form().fill("name", "Blitz").fill("number", "50")
    phone.press(asked.choose("winner", "highest").choose("ends", "until_score"))
    file = phone.send("/house/our-blitz/file").text
    other = phone.site.phone()
    taken = other.press(other.show("/house/files").form("/files").fill("text", file))
    assert "Blitz" in taken.text
    table = start(other, "our-blitz", "Dan", "Eve")
    table = score(other, table, "", None, {0: "49+2", 1: "40"})
    assert places(table) == ["1. Dan: 51", "2. Eve: 40"]


def test_a_league_with_games_of_points_goes_to_another_server(phone: Phone) -> None:
    asked = phone.show("/games/another").form().fill("name", "Blitz")
    table = phone.press(phone.press(asked).form().fill("names", "Ann, Bob"))
    score(phone, table, "", None, {0: "40+2", 1: "-5"})
    hearts = start(phone, "hearts")
    score(phone, hearts, "", None, {0: "13+1", 1: "10", 2: "0+2"})
    file = phone.send("/league/files/league.json").data
    bring_in(other := phone.site.phone(), file)
    games = other.show("/league/games").text
    assert "Blitz" in games
    assert "Hearts" in games
    assert "Blitz" in other.show("/rules").text


@pytest.mark.parametrize(
    ("key", "order"), [("skyjo", ""), ("nertz", ""), ("hearts", "deals"), ("wizard", "starts")]
)
def test_nobody_deals_or_starts_where_the_rules_say_nothing(
    phone: Phone, key: str, order: str
) -> None:
    table = start(phone, key)
    for text in (table.say("table.board"), phone.show(f"{game_of(table)}/far").text):
        assert ("deals" in text) is bool(order)
        assert ("plays first" in text) is (order == "starts")
    assert ("Change dealer" in table.text) is bool(order)
    seating = phone.show(f"/games/new/{key}")
    assert bool(seating.all("main div[hidden] > .field")) is not bool(order)
    played = start(phone, "skyjo", "Ann", "Bob")
    played = score(phone, played, "out", 0, {0: "0+1", 1: "0+2"})
    deal = phone.show(f"{game_of(played)}/deals/1").text
    assert "dealt" not in deal
    assert "Change Ann's points" in phone.show(f"{game_of(played)}/deals/1/seats/0").text


def test_a_game_of_our_own_has_no_house_rules(phone: Phone) -> None:
    asked = phone.show("/games/another").form().fill("name", "Blitz").fill("number", "50")
    seating = phone.press(asked.choose("winner", "highest").choose("ends", "until_score"))
    table = phone.press(seating.form().fill("names", "Ann, Bob"))
    assert "house rule" not in table.text


def test_bids_are_kept_when_they_are_made_and_changed_until_the_round_ends(phone: Phone) -> None:
    table = start(phone, "wizard", "Ann", "Bob", "Cleo")
    assert "What does everyone bid?" in table.text
    table = bid(phone, table, {1: "1", 2: "0"})
    assert "1 bid for 1 trick" in table.text
    assert "What does everyone bid?" in table.text, "Ann's is to come"
    table = bid(phone, table, {0: "1"})
    assert "2 bid for 1 trick" in table.text
    assert "2 bid for 1 trick" in phone.show(f"{table.path.partition('?')[0]}/far").text
    table = bid(phone, table, {2: "1"})
    assert "3 bid for 1 trick" in table.text
    form = entry(phone, table, "").form()
    assert [form.value(f"seat{seat}-bid") for seat in range(3)] == ["1", "1", "1"]
    for seat, took in enumerate("010"):
        form.fill(f"seat{seat}-tricks", took)
    table = save(phone, form)
    assert totals(table) == [-10, 30, -10]
    assert "2 tricks to bid for" in table.text
    undone = phone.press(table.form("/restorations"))
    assert "3 bid for 1 trick" in undone.text, "what was bid stays bid"


def test_partners_bid_each_for_themselves(phone: Phone) -> None:
    table = start(phone, "spades", "Ann + Cleo", "Bob + Dev")
    form = phone.show(table.link("/bids")).form()
    for name, bid in (("Bob", "4"), ("Cleo", "3"), ("Dev", "2")):
        form.fill(f"{name}'s bid", bid)
    refused = phone.press(form, status=422)
    assert "Ann and Cleo: enter both bids, 0 for nil." in refused.text
    assert refused.form().value("Cleo's bid") == "3"
    table = phone.press(refused.form().fill("Ann's bid", "0"))
    for page in (table, phone.show(f"{game_of(table)}/far")):
        assert "bid 0 + 3" in page.text
        assert "9 bid for 13 tricks" in page.text
    form = entry(phone, table, "").form()
    assert form.value("seat0-bid") == "0+3"
    assert not [one for one in form.controls() if attribute(one, "name") == "seat1-bonus-nil"]
    form.fill("seat0-tricks", "6").fill("seat1-tricks", "7")
    odd = phone.press(form, "review", 200)
    assert "Ann and Cleo bid nil: was it made or broken?" in odd.doubts
    form.fill("seat0-bonus-nil", "1")
    assert "bid nil" not in phone.press(form, "review", 200).doubts
    table = save(phone, form)
    assert totals(table) == [133, 61]
    edit = phone.show(f"{game_of(table)}/deals/1/edit").form()
    assert edit.value("seat0-bid") == "0+3"


@pytest.mark.parametrize(
    ("house", "bids", "fault"),
    [
        ({}, {0: "-1"}, "can't bid less than 0"),
        ({}, {}, "Enter what each player bids."),
        ({}, {0: "two?"}, "two?"),
        ({"rule_uneven": "False"}, {0: "0", 1: "1", 2: "0"}, "Ann bids last and may not make"),
    ],
)
def test_bids_that_cannot_be_are_refused(
    phone: Phone, house: dict[str, str], bids: dict[int, str], fault: str
) -> None:
    table = start(phone, "wizard", "Ann", "Bob", "Cleo", **house)
    refused = bid(phone, table, bids, 422)
    assert fault in refused.text
    for seat, text in bids.items():
        assert refused.form().value(f"seat{seat}-bid") == text


def test_who_won_a_tie_is_said_by_the_table_and_can_be_undone(phone: Phone) -> None:
    table = start(phone, "nertz", "Ann", "Bob", "Cleo")
    over = score(phone, table, "", None, {0: "121", 1: "121", 2: "90"})
    assert "Ann and Bob share the win" in over.text
    settled = phone.press(over.form("/tie"), "1")
    assert places(settled) == ["1. Bob: 121", "2. Ann: 121", "3. Cleo: 90"]
    assert "Bob wins" in settled.text
    assert "by the tie-break" in settled.text
    assert "Bob won the tie" in phone.show(settled.link("/history")).text
    league = phone.show("/league").text
    assert league.index("Bob") < league.index("Ann")
    undone = phone.press(settled.form("/restorations"))
    assert "Ann and Bob share the win" in undone.text
    lower = phone.show(undone.link("/deals/1/seats/1")).link("/cards")
    corrected = phone.press(phone.show(lower).form().fill("seat1-total", "120"))
    assert "Who won the tie?" not in phone.show(corrected.path.rsplit("/deals", 1)[0]).text


def test_seats_change_between_deals_and_what_was_played_stays(phone: Phone) -> None:
    table = start(phone, "hearts", "Ann", "Bob", "Cleo", "Dev")
    table = score(phone, table, "", None, {0: "13", 1: "13", 2: "0", 3: "0"})
    form = phone.show(table.link("/more/seats")).form()
    assert "Tap two players" in phone.press(form, status=422).text
    form.typed["seat"] = "3"
    changed = phone.press(form)
    assert "Dev deals next" in changed.text
    game = changed.path.partition("?")[0]
    form = phone.show(f"{game}/more/seats").form()
    form.typed["seat"] = "0"
    changed = phone.press(form)
    table = score(phone, changed, "", None, {0: "0", 1: "13", 2: "13", 3: "0"})
    assert "Bob deals" in table.say("table.board"), "the deal goes on from Ann, who dealt"
    history = phone.show(f"{game}/history").text
    assert "Ann deals next" in history


def test_a_game_is_picked_under_play_with_what_was_played_last_on_top(phone: Phone) -> None:
    front = phone.show("/")
    assert "We keep their points too" in front.text
    score(phone, start(phone, "golf", "Ann", "Bob"), "", None, {0: "0+1", 1: "0+2"})
    seating = phone.show("/games/new/contract-rummy")
    picking = phone.show(seating.link("play=1"))
    assert picking.text.index("Played last") < picking.text.index("Golf")
    assert picking.text.index("Golf") < picking.text.index("Rummy games")
    assert picking.text.index("Rummy games") < picking.text.index("Games of points")
    assert "/games/new/skyjo" in picking.links()
    assert "Played last" not in phone.show("/rules").text
