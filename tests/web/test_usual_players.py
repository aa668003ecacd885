"""A number of players that a source only calls usual: warned, and played."""

from tests.visits.browserless import start
from tests.visits.phones import Phone


def test_three_play_telefunken_after_a_warning(lone: Phone) -> None:
    """Its source says that four usually play, and refuses nobody."""
    page = lone.show("/games/new/telefunken")
    assert "Usually 4 to 8 play this game. You can play all the same." in page.text
    table = start(lone, "telefunken", "Ann", "Bob", "Cleo")
    assert "Ann" in table.text
