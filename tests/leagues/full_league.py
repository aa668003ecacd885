"""A league in which everything happened once: every game, hostile names, second thoughts."""

from __future__ import annotations

from datetime import date

from sqlalchemy import select, update

from companion.games import writer
from companion.games.changes import amend_deal, leave, play_deal, stop, throw_in, void_deals
from companion.games.rating_replay import rate_from
from companion.people import house_rules
from companion.rules import Variant, card_games, extend, load, load_examples, with_choices
from companion.rules.examples import WorkedGame
from companion.store.authors import Author
from companion.store.database import writing
from companion.store.models import Player, Season
from tests.support.reports import ANN, BOB, CLEO, DEV, FAMILY, OUT, reports, total

from .game_driver import Table, scoring, told

HOSTILE = [
    "=1+1",
    '<script>alert("Bob")</script>',
    "👩‍👩‍👧 Zoë",
    "שָׁלוֹם, 'Dev'",
    "@Eve {0}",
    "-5",
    "100%s \\n",
]


def play(author: Author, variant: Variant, worked: WorkedGame, names: list[str]) -> Table:
    """Play a worked game to its last deal, under other names."""
    table = Table.start(author, *names, variant=with_choices(variant, worked.house))
    for report in worked.deals:
        playing = table.record.standing().playing
        tallies = dict(enumerate(reports(report, worked.players)))
        heard = {seat: tallies[seat] for seat in playing}
        table.change(lambda record, heard=heard: play_deal(record, heard), "scored")  # type: ignore[misc]
    return table


def play_every_game(author: Author, names: list[str] = HOSTILE) -> list[Table]:
    """Play the worked games of every variant in the catalogue."""
    return [
        play(author, variant, worked, names[: len(worked.players)])
        for variant in card_games()
        for worked in load_examples(variant.key).games
    ]


def play_with_second_thoughts(
    author: Author, on: date | None = None, beside: int | None = ANN
) -> Table:
    """Play a game that was corrected, joined, left, stopped and taken back.

    `beside` is None where the tables are to be those of a version that knew of no other chair.
    """
    table = Table.start(author, *FAMILY, on=on)
    table.score(0, 25, 10, 5)
    table.change(lambda record: throw_in(record, "next_dealer"), "thrown in")
    table.score(5, 0, 45, 20)
    table.change(lambda record: amend_deal(record, 1, told(10, 0, 10, 15)), "corrected")
    at = (author, table.game_id, table.revision)
    joined = writer.join_game(*at, "zoe", "Zoe", "average", beside)
    table.revision = joined.revision
    table.score(0, 5, 5, 5, 30)
    table.change(lambda record: leave(record, CLEO, placed=True), "left")
    table.change(lambda record: stop(record, stopped=True), "stopped")
    table.change(lambda record: void_deals(record, [3]), "struck out")
    table.restore(4)
    table.restore(9)
    table.change(lambda record: stop(record, stopped=False), "resumed")
    odd = {ANN: OUT, BOB: total(900), DEV: total(5), 4: total(5)}
    table.change(scoring(odd), "scored")
    assert table.history[0].notes
    return table


def play_everything(author: Author) -> None:
    """Fill a league: every game of the catalogue, and all that happens in a league."""
    play_every_game(author)
    live_on(author)


def live_on(author: Author) -> None:
    """Let a league have second thoughts, a season, houses and a name that was merged."""
    play_with_second_thoughts(author, date(2023, 12, 31))
    finished = Table.start(author, "Cleo", "Bob", "Annie", on=date(2024, 2, 29))
    for number in range(7):
        finished.score(*[(0, 5, 9), (5, 0, 9)][number % 2])
    house_rules.keep_choices(author, "contract-rummy", {"joker": 25})
    house_rules.add_house(author, extend(load("zioncheck"), {"name": "Grandma's 🃏"}))
    with writing() as session:
        ids = dict(session.execute(select(Player.name, Player.id)).all())
        merged = {"person_id": ids["Ann"], "archived": True}
        session.execute(update(Player).where(Player.name == "Annie").values(merged))
        winter = {"starts_on": date(2023, 12, 1), "ends_on": date(2024, 3, 1), "own": True}
        session.add(Season(league_id=author.league_id, name="Winter ❄", **winter))
        rate_from(session, author.league_id)
