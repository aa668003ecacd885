"""A game played to try things is taken out of its league, kept, and brought back."""

from __future__ import annotations

import json
from datetime import date

import pytest

from companion.files.exchange import (
    export_league,
    import_document,
    read_document,
    undo_import,
    write_document,
)
from companion.games.shown.game_lists import list_games
from companion.people import removed_games
from companion.people.actions import league_actions
from companion.people.removed_games import RemovedGameError, remove_game
from companion.people.roster import people
from companion.statistics.standings import standings
from companion.store.authors import Author
from companion.store.models import db
from tests.leagues.looked_back import check_league, looked_back
from tests.visits.league_stories import played
from tests.visits.phones import Site

MAY, JUNE = date(2026, 5, 1), date(2026, 6, 1)


def exported(author: Author) -> bytes:
    db.session.rollback()
    return b"".join(write_document(export_league(db.session(), author.league_id)))


def games(author: Author) -> list[int]:
    db.session.rollback()
    return [game.game_id for game in list_games(db.session(), author.league_id)]


def seen_last(author: Author) -> dict[str, date | None]:
    return {row.name: row.last_played for row in people(db.session(), author.league_id)}


def bring_back(author: Author) -> None:
    db.session.rollback()
    act, *_ = league_actions(db.session(), author.league_id, removed_games.UNDOING)
    removed_games.undo(author, act.act_id)


def test_a_removed_game_leaves_every_list_and_sum_and_comes_back(ann: Author) -> None:
    played(ann, 0, 5, 9, on=MAY)
    kept, listed, seen = looked_back(ann.league_id), games(ann), seen_last(ann)
    trial = played(ann, 9, 5, 0, on=JUNE)
    with_it = looked_back(ann.league_id), games(ann), seen_last(ann)
    for _ in range(2):
        remove_game(ann, "once", trial.game_id)
        assert looked_back(ann.league_id) == kept
        assert games(ann) == listed
        assert seen_last(ann) == seen
    check_league(ann.league_id)
    assert [row.wins for row in standings(db.session(), ann.league_id, 0)] == [1, 0, 0]
    document = json.loads(exported(ann))
    assert len(document["games"]) == 1
    assert not document["acts"]
    bring_back(ann)
    assert (looked_back(ann.league_id), games(ann), seen_last(ann)) == with_it
    check_league(ann.league_id)


def test_nobody_removes_a_game_of_another_league_or_one_that_is_gone(
    ann: Author, dev: Author
) -> None:
    game = played(ann, 0, 5, 9, on=MAY)
    with pytest.raises(LookupError):
        remove_game(dev, "his", game.game_id)
    remove_game(ann, "hers", game.game_id)
    with pytest.raises(LookupError):
        remove_game(ann, "again", game.game_id)
    act, *_ = league_actions(db.session(), ann.league_id, removed_games.UNDOING)
    with pytest.raises(LookupError):
        removed_games.undo(dev, act.act_id)
    assert games(ann) == []


def test_a_game_whose_import_was_undone_does_not_come_back_alone(ann: Author, dev: Author) -> None:
    played(ann, 0, 5, 9, on=MAY)
    brought = import_document(read_document(exported(ann)), "once", author=dev)
    assert brought.act_id
    (game,) = games(dev)
    remove_game(dev, "trial", game)
    undo_import(dev, brought.act_id)
    with pytest.raises(RemovedGameError):
        bring_back(dev)
    assert games(dev) == []


def test_the_owner_removes_a_game_from_its_menu_and_brings_it_back(site: Site, ann: Author) -> None:
    game = played(ann, 0, 5, 9, on=MAY)
    phone = site.phone("ann's token")
    table = phone.show(f"/games/{game.game_id}")
    ask = phone.show(table.link("/removal"))
    gone = phone.press(ask.form("/removal"))
    assert "Contract Rummy" in gone.text
    assert "Ann, Bob, Cleo" in gone.text
    assert phone.press(ask.form("/removal")).text == gone.text, "a second tap does nothing"
    assert "Ann by" not in phone.show("/league/games").text
    phone.show(f"/games/{game.game_id}", 404)
    phone.press(gone.form("/undo"))
    assert "Ann by" in phone.show("/league/games").text
