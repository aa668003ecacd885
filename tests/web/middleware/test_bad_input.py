"""Bad input: a sentence, what was typed kept, and nothing changed (the phone sees to that)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import fresh_app
from tests.support.doses import doses, first_in_every_run
from tests.visits.browserless import entry, game_of, review, score, start, totals
from tests.visits.pages import Page
from tests.visits.phones import Phone, watched

SCRIPT = "<script>alert(1)</script>"


NO_HANDS = {
    "7 Z": 'We don\'t know "Z"',
    "234": "could be cards or points",
    "2x": "could be several things",
    "": "Enter Bob's cards. Only Ann went out",
    ",": "Enter Bob's cards. Only Ann went out",
    "٣": "could be cards or points",
    "1_0": "We don't know",
    SCRIPT: "We don't know",
}


def test_what_is_no_hand(lone: Phone) -> None:
    form = entry(lone, start(lone, "contract-rummy"), "out", 0).form().fill("seat2-cards", "K")
    for typed, sentence in NO_HANDS.items():
        page = lone.press(form.fill("seat1-cards", typed), "review", 422)
        assert sentence in page.faults
        assert page.say("title").startswith("Error: ")
        assert page.form().value("seat1-cards") == typed
        assert page.form().value("seat2-cards") == "K"


@pytest.mark.parametrize(
    ("game", "field", "cases"),
    [
        ("zioncheck", "total", {"7": "Is it 5 or 10"}),
        (
            "contract-rummy",
            "total",
            {
                "-5": "can't have -5",
                "1": "can't have 1:",
                "9" * 25: "too large",
                "1_0": "isn't a number",
                "٣": "isn't a number",
                "12.5": "isn't a number",
                "99999": "can't have 99999",
                "9" * 399: "too large",
            },
        ),
        (
            "zip-zilch-zero",
            "zipped",
            {"7": "even", "-4": "can't have zipped -4", "x": "isn't a number"},
        ),
    ],
)
def test_what_is_no_total(lone: Phone, game: str, field: str, cases: dict[str, str]) -> None:
    form = entry(lone, start(lone, game), "out", 0).form().fill("seat2-cards", "K")
    if field == "zipped":
        form.fill("seat1-cards", "K")
    for typed, sentence in cases.items():
        page = lone.press(form.fill(f"seat1-{field}", typed), "review", 422)
        assert sentence in page.faults
        assert page.form().value(f"seat1-{field}") == typed


@pytest.mark.parametrize(
    ("hands", "doubt"),
    [
        ({1: "5xK", 2: "4xK"}, "Bob and Cleo have 9 kings together, but there are only 8"),
        ({1: "2 3 4 5 6 7 8 9 T J Q K A A", 2: "K"}, "Bob has 14 cards, 10 were dealt"),
    ],
)
def test_doubts_are_asked_and_noted(phone: Phone, hands: dict[int, str], doubt: str) -> None:
    table = start(phone, "contract-rummy")
    page = review(phone, entry(phone, table, "out", 0), hands)
    assert doubt in page.doubts
    assert totals(phone.show(game_of(table))) == [0, 0, 0], "nothing is stored before the answer"
    changed = phone.press(page.form(), "change", 200)
    assert changed.form().value("seat1-cards") == hands[1]
    table = phone.press(page.form(), "save")
    assert doubt in phone.show(table.link("/history")).text


@pytest.mark.parametrize("tampered", [{"by": ""}, {"by": "7"}, {"how": ""}, {"how": "flew"}])
def test_nobody_went_out(lone: Phone, tampered: dict[str, str]) -> None:
    form = entry(lone, start(lone, "contract-rummy"), "out", 0).form()
    form.fill("seat1-cards", "K").fill("seat2-cards", "A")
    hand = {"seat0-cards": "2"}
    page = lone.post(form.action, form.data() | hand | tampered, 422)
    assert "No one went out" in page.faults
    assert page.form().value("seat1-cards") == "K"


def test_only_one_player_goes_out(lone: Phone) -> None:
    form = entry(lone, start(lone, "contract-rummy"), "out", 0).form().fill("seat2-cards", "A")
    both: dict[str, object] = {**form.data(), "by": ["0", "1"]}
    page = lone.post(form.action, both, 422)
    assert "Enter Bob's cards. Only Ann went out" in page.faults


def test_a_knock_over_the_limit(lone: Phone) -> None:
    page = entry(lone, start(lone, "chicago-rummy"), "knock", 0)
    page = review(lone, page, {0: "12", 1: "20", 2: "30"}, status=422)
    assert "Ann can't knock with 12" in page.faults
    assert page.form().value("seat0-total") == "12"


def _cleo_is_out(phone: Phone) -> Page:
    table = start(phone, "chicago-rummy")
    return score(phone, table, "knock", 0, {0: "5", 1: "20", 2: "100"})


def test_who_is_out_ends_no_deal(lone: Phone) -> None:
    form = entry(lone, _cleo_is_out(lone), "knock", 0).form()
    form.fill("seat0-total", "3").fill("seat1-total", "20")
    tampered = {"by": "2", "seat2-total": "4"}
    page = lone.post(form.action, form.data() | tampered, 422)
    assert "No one ended the deal" in page.faults


def test_who_is_out_gets_no_points(phone: Phone) -> None:
    form = entry(phone, _cleo_is_out(phone), "knock", 0).form()
    form.fill("seat0-total", "3").fill("seat1-total", "20")
    sent = form.data() | {"seat2-total": "50", "step": "save", "accepted": "1"}
    table = phone.follow(phone.post(form.action, sent))
    assert totals(table) == [8, 40, 100]


NO_NAMES = {
    "Ann, Bob": "2",
    "A,B,C,D,E,F,G,H,I": "9",
    "Ann, Bob, ANN": "is listed twice",
    "Zoe, Bob, Zoë": "is listed twice",
    "": "Enter the players' names",
    " , ,": "Enter the players' names",
    "Ann, Bob, \u200b": "at least one letter",
    "Ann, Bob, \ufe0f": "at least one letter",
    "Ann, Bob, " + "x" * 300: "300 characters",
    "Ann, Bob, e" + "\u0301" * 300: "too many marks",
    "Ann, Bob, " + "\ufdfa" * 40: "too many marks",
    "Ann, " * 400: "very long list",
}


def test_names_that_cannot_be(phone: Phone) -> None:
    form = phone.show("/games/new/contract-rummy").form()
    form.fill("league_name", "The Harpers").fill("dealer", "2")
    for names, sentence in NO_NAMES.items():
        page = phone.press(form.fill("names", names), status=422)
        assert sentence in page.faults
        kept = [page.form().value(name) for name in ("names", "league_name", "dealer")]
        assert kept == [names, "The Harpers", "2"]


@pytest.mark.parametrize(
    ("field", "cases"),
    [
        (
            "decks",
            {
                "0": "1 to 12",
                "9" * 25: "too large",
                "٣": "isn't a number",
                "1": "these decks hold",
            },
        ),
        ("jokers", {"-1": "0 to 48", "x": "isn't a number"}),
        ("league_name", {"y" * 41: "41 characters"}),
    ],
)
def test_packs_that_cannot_be(lone: Phone, field: str, cases: dict[str, str]) -> None:
    form = lone.show("/games/new/contract-rummy").form()
    form.fill("names", "Ann, Bob, Cleo, Dev, Eve, Flo")
    for typed, sentence in cases.items():
        page = lone.press(form.fill(field, typed), status=422)
        assert sentence in page.faults
        assert page.form().value(field) == typed


def test_packs_may_be_written_as_a_sum(phone: Phone) -> None:
    assert "3 decks" in start(phone, "contract-rummy", decks="1+2").text


def test_a_rule_that_is_not_offered(lone: Phone) -> None:
    form = lone.show("/house/contract-rummy").form("/contract-rummy")
    assert lone.post(form.action, form.data() | {"rule-joker": "7"}, 422).heading


EVERYWHERE = ["", "/history", "/sheet", "/seats/0", "/deals/1", "/deals/1/seats/0", "/deals/1/edit"]
MORE = ["/more/join", "/more/stop", "/more/throw-in", "/deals/new?how=out&by=0"]

ELSEWHERE = ["/", "/league", "/league/games", "/games/new/zip-zilch-zero"]

NAMES = (
    SCRIPT,
    "{0} %(x)s %s",
    "🎲",
    "👨‍👩‍👧",
    '"><b>Ann</b>',
    "{{ 7*7 }}",
    "O'Brien & 'son",
    "עדה",
)


@pytest.mark.parametrize("name", first_in_every_run(NAMES, 2))
def test_hostile_names_are_only_names(lone: Phone, name: str) -> None:
    table = start(lone, "contract-rummy", name, "Bob", "Cleo", league_name=name)
    table = score(lone, table, "out", 1, {0: "5xK", 2: "5xK"})
    game = game_of(table)
    pages = [lone.show(game + place) for place in EVERYWHERE + MORE]
    doubtful = review(lone, entry(lone, table, "out", 1), {0: "5xK", 2: "5xK"})
    wrong = review(lone, entry(lone, table, "out", 1), {0: "Z", 2: "K"}, status=422)
    stopped = lone.press(lone.show(f"{game}/more/stop").form())
    pages += [doubtful, wrong, stopped]
    pages += [lone.show(place) for place in ELSEWHERE]
    assert name in stopped.typed_text("share")
    named = [page.path for page in pages if name in page.text]
    assert len(named) >= 14, named
    for page in pages:
        assert "<script>alert" not in page.html
        assert "<b>Ann" not in page.html, page.path


def test_too_much_at_once(lone: Phone) -> None:
    form = entry(lone, start(lone, "contract-rummy"), "out", 0).form()
    page = lone.post(form.action, form.data() | {"seat1-cards": "K" * 300_000}, 413)
    assert page.heading
    many = form.data() | {f"field{number}": "1" for number in range(600)}
    assert lone.post(form.action, many, 413, content_type="multipart/form-data").heading


def test_characters_that_nobody_types(phone: Phone) -> None:
    table = start(phone, "contract-rummy", "An\x00n", "B\x07ob", "Cleo")
    assert "Ann" in table.text
    form = entry(phone, table, "out", 0).form()
    form.fill("seat1-cards", "K\x00").fill("seat2-cards", "Z\x00\x1b")
    page = phone.post(form.action, form.data() | {"key": "\x00", "step": "review"}, 422)
    assert page.form().value("seat2-cards") == "Z"


TEXT = st.text(max_size=30) | st.sampled_from(
    ["", "0", "1", "2", "7", "-1", "٣", "9" * 25, "9" * 5000, "K", "7 7 X", "out", "knock", "\x00"]
)
FIELDS = ["how", "by", "only", "position", "seat", "version", "stopped", "placed", "after_void"]
FIELDS += ["names", "name", "start_rule", "dealer", "decks", "jokers", "league_name", "step"]
FIELDS += ["later", "accepted", "rule-joker", "rule-tiebreak", "key", "revision", "csrf_token"]
FIELDS += [f"seat{seat}-{what}" for seat in range(4) for what in ("cards", "total", "zipped")]
PLACES = ["voids", "deals/1/void", "deals/2/void", "seats", "departures", "stops", "dealer"]
PLACES += ["restorations", "deals", "deals", "deals/1", "deals/2", "deals/3", "rematch"]
STARTS = ["/games/new/contract-rummy", "/games/new/zip-zilch-zero", "/samples"]
FORMS = st.dictionaries(st.sampled_from(FIELDS), TEXT, max_size=12)


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Phone:
    """Ann's phone with a game of each kind, after Dev's league with a game of its own."""
    site = watched(fresh_app(tmp_path_factory.mktemp("busy")))
    dev, ann = site.phone(), site.phone()
    score(dev, start(dev, "contract-rummy"), "out", 0, {1: "K", 2: "A"})
    score(ann, start(ann, "contract-rummy"), "out", 0, {1: "K", 2: "A"})
    start(ann, "zip-zilch-zero")
    table = start(ann, "chicago-rummy")
    ann.press(ann.show(table.link("/more/throw-in")).form())
    return ann


@doses("examples", 40, 150)
def test_no_form_breaks_a_game(busy: Phone, examples: int) -> None:
    @settings(max_examples=examples)
    @given(game=st.integers(1, 4), place=st.sampled_from(PLACES), form=FORMS, whole=st.booleans())
    def send(game: int, place: str, form: dict[str, str], whole: bool) -> None:
        _send_anything(busy, f"/games/{game}/{place}", form, whole, game)

    send()


@doses("examples", 40, 150)
def test_no_form_breaks_the_start(busy: Phone, examples: int) -> None:
    @settings(max_examples=examples)
    @given(place=st.sampled_from(STARTS), form=FORMS, whole=st.booleans())
    def send(place: str, form: dict[str, str], whole: bool) -> None:
        _send_anything(busy, place, form, whole, 0)

    send()


def _send_anything(
    phone: Phone, address: str, form: dict[str, str], whole: bool, game: int
) -> None:
    if whole:
        with phone.site.engine.connect() as connection:
            query = "SELECT revision FROM game WHERE id = ?"
            revision = connection.exec_driver_sql(query, (game,)).scalar()
        form = form | {"csrf_token": phone.token(), "revision": str(revision)}
    dev = phone.site.league(1)
    answer = phone.send(address, "POST", data=form)
    assert answer.status_code < 500
    if answer.status_code not in (303, 413):
        phone.check(address, answer, answer.status_code)
    assert phone.site.league(1) == dev
