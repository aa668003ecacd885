"""Who can still win, on the page of a running game."""

from __future__ import annotations

from datetime import date

import pytest

from companion.scoring.chances import PastDeal
from companion.statistics.past_deals import past_deals
from companion.store.authors import Author
from companion.store.models import db
from tests.leagues.game_driver import Table
from tests.visits.league_stories import played
from tests.visits.pages import Page, attribute, spaced
from tests.visits.phones import Phone, Site


@pytest.fixture
def phone(site: Site) -> Phone:
    return site.phone("ann's token")


def prospects(page: Page) -> list[str]:
    return [spaced(item) for item in page.all(".prospects li")]


def running(author: Author, *deals: tuple[int, ...]) -> Table:
    table = Table.start(author)
    for points in deals:
        table.score(*points)
    return table


NEAR_THE_END = [(0, 30, 60)] * 6


def test_what_is_certain_is_said_without_any_past(phone: Phone, ann: Author) -> None:
    table = running(ann, *NEAR_THE_END)
    page = phone.show(f"/games/{table.game_id}/outlook")
    # Ann has 0, Bob 180 and Cleo 360; the last deal brings nobody less than 0.
    assert prospects(page)[0] == "A Ann 0 Ann can still win."
    assert "is sure to win" not in page.text
    assert "After a few more games we can work out" in page.text


def test_a_small_lead_makes_numbers_worth_saying(phone: Phone, ann: Author) -> None:
    table = running(ann, *[(5, 0, 9)] * 6)
    shown = prospects(phone.show(f"/games/{table.game_id}/outlook"))
    # Bob has 0, Ann 30, Cleo 54: with at most 29 Bob stays below Ann, who may go out with 0;
    # with 30 they would share the win.
    assert shown[0] == "B Bob 0 Bob is sure to win with 30 or fewer in the last deal."
    (story,) = phone.show(f"/games/{table.game_id}").all("a.story")
    assert attribute(story, "href") == f"/games/{table.game_id}/outlook"


@pytest.mark.parametrize(("behind", "is_news"), [(3, False), (13, True)])
def test_what_hardly_happens_is_no_news_at_the_table(
    phone: Phone, ann: Author, behind: int, is_news: bool
) -> None:
    """Bob has none after four deals of seven, and nobody waits for 12 points in the last three."""
    table = running(ann, *[(behind, 0, 20)] * 4)
    words = f"is sure to win with {4 * behind} or fewer in the last three deals"
    assert words in prospects(phone.show(f"/games/{table.game_id}/outlook"))[0]
    assert (words in phone.show(f"/games/{table.game_id}").text) == is_news


def test_no_more_points_to_spare_is_said_in_words(phone: Phone, ann: Author) -> None:
    table = running(ann, *[(0, 10, 20), (10, 0, 20)] * 3)
    shown = prospects(phone.show(f"/games/{table.game_id}/outlook"))
    # Whoever of the two that share first place gets no point cannot be passed.
    assert shown[0] == "A Ann 30 Ann is sure to win without another point."


def test_chances_come_from_the_leagues_own_deals(phone: Phone, ann: Author) -> None:
    for day in range(1, 13):
        played(ann, *[(0, 20, 40), (20, 0, 40)][day % 2], on=date(2026, 1, day))
    table = running(ann, *[(0, 10, 60)] * 6)
    page = phone.show(f"/games/{table.game_id}/outlook")
    # Ann leads Bob by 60 and Cleo by 360; no deal of theirs ever parted two by more than 40.
    assert "Ann 0 100 %" in prospects(page)[0]
    assert "Cleo 360 0 %" in prospects(page)[2]
    assert "from 84 deals of yours" in page.text


def test_deals_of_other_rules_and_uncounted_games_are_no_past(ann: Author, dev: Author) -> None:
    table = running(ann, (0, 5, 9))
    played(dev, 0, 5, 9, on=date(2026, 1, 1))
    played(ann, 9, 5, 0, on=date(2026, 1, 1))
    played(ann, 0, 5, on=date(2026, 1, 1), names="Ann Bob")
    assert set(past_deals(db.session(), table.stored)) == {
        PastDeal(step, (0, 9, 5)) for step in range(1, 8)
    }


def test_a_league_that_does_not_want_to_know_is_not_told(phone: Phone, ann: Author) -> None:
    table = running(ann, (0, 5, 9))
    address = f"/games/{table.game_id}/outlook"
    assert address in phone.show(f"/games/{table.game_id}").links()
    league = phone.press(phone.show("/league/settings").form("/settings/show_chances"))
    assert "Who can still win: Shown while a game is played. off" in league.text
    assert address not in phone.show(f"/games/{table.game_id}").links()
    phone.show(address, status=404)
    phone.press(phone.show("/league/settings").form("/settings/show_chances"))
    phone.show(address)


def test_there_is_nothing_to_tell_before_the_first_deal_and_after_the_last(
    phone: Phone, ann: Author
) -> None:
    table = Table.start(ann)
    phone.show(f"/games/{table.game_id}/outlook", status=404)
    over = played(ann, 0, 5, 9, on=date(2026, 1, 1))
    phone.show(f"/games/{over.game_id}/outlook", status=404)
