"""The links that let phones into a league, on the page of phones."""

from __future__ import annotations

import pytest

from tests.leagues.scanning import code_on
from tests.visits.phones import Phone


def test_a_link_is_made_shown_and_ended(ann_and_bob: tuple[Phone, Phone]) -> None:
    ann, _ = ann_and_bob
    page = ann.show("/league/devices")
    forms = [form for form in page.forms() if form.action.endswith("/league/links")]
    at_home, other = forms
    shown = ann.press(at_home)
    assert shown.heading == "View-only link"
    opened, grandma = code_on(shown), ann.site.phone()
    looks = grandma.press(grandma.show(opened).form())
    assert looks.path.startswith("/league")
    assert grandma.show("/games/1/more/stop", 403)
    limited = ann.press(other.fill("role", "scorekeeper").fill("lasts", "week").fill("uses", "3"))
    assert limited.heading == "Link for a scorekeeper"
    assert "for 3 more phones" in limited.text
    assert "Until" in limited.text
    ann.press(shown.form("/departures"))
    assert ann.site.phone().show(opened, 404)
    assert grandma.show("/games/1")
    titles = ann.show("/league/devices").said("section li a")
    kinds = [title.partition(" Until")[0].partition(" For ")[0] for title in titles]
    assert kinds == ["Link for a scorekeeper", "Link for players"]


@pytest.mark.parametrize("uses", ["0x", "-1", "1001", "9" * 30, "two"])
def test_a_number_of_uses_that_cannot_be_is_refused(
    ann_and_bob: tuple[Phone, Phone], uses: str
) -> None:
    ann, _ = ann_and_bob
    page = ann.show("/league/devices")
    form = [form for form in page.forms() if form.action.endswith("/league/links")][1]
    refused = ann.press(form.fill("uses", uses), status=422)
    assert "phones" in refused.say("#uses-fault")
