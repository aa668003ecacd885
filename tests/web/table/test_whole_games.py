"""Two whole games of each shipped game, totals and winners by arithmetic of their own.

Games of points are played by their pages, those with cards by the games' writer: there a page
adds no more than the reading of cards. Each has a late joiner, a leaver, a correction and, where
the game can have one, a tie.
"""

from __future__ import annotations

import pytest

from companion.cards import read_hand
from companion.games.changes import amend_deal, join, leave, play_deal
from companion.games.record import StartRule
from companion.rules import all_games, load
from companion.scoring import Tally
from companion.scoring.tally import Declared
from companion.store.authors import Author
from tests.leagues.game_driver import Table, newcomer
from tests.leagues.own_arithmetic import POINTS, RUMMY, Book, Event, Hand, Report, whole_game
from tests.support.doses import first_in_every_run
from tests.visits.browserless import entry, game_of, places, save, start, totals
from tests.visits.pages import Filled, Page
from tests.visits.phones import Phone

NAMES = ("Ann", "Bob", "Cleo", "Dev", "Eve")


def test_every_shipped_game_is_here() -> None:
    shipped = {one.key for one in all_games()}
    assert shipped - {"any-game"} == RUMMY.keys() | POINTS.keys()


def tally(key: str, book: Book, hand: Hand) -> Tally:
    """Report a hand of a game with cards."""
    how: Declared = "" if not hand.out else "rummy" if key == "chicago-rummy" else "out"
    if book.kind == "pays":
        return Tally(declared=how, bonuses={"jokers": hand.jokers} if hand.jokers else {})
    if book.kind == "zips":
        return Tally(declared=how, zipped=hand.zipped, total=None if hand.out else hand.points)
    return Tally(declared=how, cards=None if hand.out else read_hand(hand.cards), met=hand.met)


def happens(table: Table, key: str, book: Book, event: Event) -> None:
    told = {seat: tally(key, book, hand) for seat, hand in event.report.items()}
    match event.what:
        case "deal":
            table.change(lambda record: play_deal(record, told), "scored")
        case "correct":
            table.change(lambda record: amend_deal(record, 1, told), "corrected")
        case "join":
            eve = newcomer(table.author, "Eve")
            rule: StartRule = "lowest" if book.high else "highest"
            table.change(lambda record: join(record, eve, rule), "joined")
        case "leave":
            placed = bool(event.start)
            table.change(lambda record: leave(record, event.seat, placed=placed), "left")


@pytest.mark.parametrize("wants_tie", [False, True])
@pytest.mark.parametrize("key", first_in_every_run(sorted(RUMMY), 6))
def test_a_whole_game_of_cards(ann: Author, key: str, wants_tie: bool) -> None:
    book = RUMMY[key]
    table = Table.start(ann, *NAMES[: book.seats], variant=load(key))
    for event in whole_game(book, 3, wants_tie=wants_tie):
        happens(table, key, book, event)
        standing = table.record.standing()
        assert list(standing.totals) == event.totals
        assert standing.over is event.over
        if event.what == "end":
            assert list(standing.winners) == event.winners
            assert len(event.winners) == (1 + (wants_tie and book.tie == "shared" and book.ties))


def fill(form: Filled, book: Book, report: Report) -> Filled:
    """Type a deal of a game of points."""
    for seat, hand in report.items():
        if book.kind in ("wizard", "oh hell"):
            form.fill(f"seat{seat}-bid", str(hand.bid)).fill(f"seat{seat}-tricks", str(hand.points))
        elif book.kind in ("sides", "alone"):
            form.fill("worth", str(hand.points))
            form.typed[f"seat{seat}-bonus-won"] = "1" if hand.won else ""
        elif not hand.out or book.kind == "doubled":
            form.fill(f"seat{seat}-total", str(hand.points))
        if hand.met:
            form.typed[f"seat{seat}-met"] = "1"
        else:
            form.typed.pop(f"seat{seat}-met", None)
        if hand.first:
            form.choose("bonus-first", str(seat))
    return form


def on_pages(phone: Phone, table: Page, book: Book, event: Event) -> Page:
    match event.what:
        case "deal":
            by = next((seat for seat, hand in event.report.items() if hand.out), None)
            if book.kind in ("wizard", "oh hell"):
                bids = phone.show(table.link("/bids")).form()
                for seat, hand in event.report.items():
                    bids.fill(f"seat{seat}-bid", str(hand.bid))
                table = phone.press(bids)
            form = entry(phone, table, "" if by is None else "out", by).form()
            return save(phone, fill(form, book, event.report))
        case "correct":
            form = phone.show(f"{game_of(table)}/deals/1/edit").form()
            done = phone.press(fill(form, book, event.report), "review", 303)
            return phone.show(game_of(done))
        case "join":
            joining = phone.show(table.link("/more/join")).form()
            return phone.press(joining.fill("name", "Eve"))
        case "leave":
            leaving = phone.show(f"{game_of(table)}/seats/{event.seat}").link("/more/leave")
            form = phone.show(leaving).form("/departures")
            form.typed["placed"] = str(event.start)
            return phone.press(form)
    if book.end[0] == "stop":
        return phone.press(phone.show(table.link("/more/stop")).form("/stops"))
    return table


@pytest.mark.slow
@pytest.mark.parametrize("wants_tie", [False, True])
@pytest.mark.parametrize("key", sorted(POINTS))
def test_a_whole_game_of_points_by_its_pages(lone: Phone, key: str, wants_tie: bool) -> None:
    book = POINTS[key]
    # What Spades works out itself is in its worked game; here its points are written down.
    house = {"rule_by_hand": "True"} if key == "spades" else {}
    table = start(lone, key, *NAMES[: book.seats], **house)
    for event in whole_game(book, 3, wants_tie=wants_tie):
        table = on_pages(lone, table, book, event)
        assert totals(table) == event.totals
    won = [line.split(". ")[1].split(":")[0] for line in places(table) if line.startswith("1. ")]
    names = [*NAMES[: book.seats], "Eve"]
    assert won == [names[seat] for seat in event.winners]
