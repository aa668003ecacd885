"""The sums kept for speed: what counted games come to, changed by a delta in the saving write.

A game is taken out as its rows stand before a change and put in as they stand after it, by the
same statement that rebuilds the sums of a whole league from its rows (`I1`). Every sum carries
the league's revision at which it last changed; one that has come to nothing may stay as zeros.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date
from typing import Any

from msgspec import Struct
from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Date,
    and_,
    bindparam,
    select,
    text,
    tuple_,
    update,
)
from sqlalchemy.orm import Session

from companion.store.models import Game, League, Player, PlayerSum

YES_OR_NO = "(SELECT 0 AS yes UNION ALL SELECT 1 AS yes)"
WHO_PLAYED = (
    "LEFT JOIN team_member ON team_member.team_id = seat.player_id "
    "JOIN player ON player.id = coalesce(team_member.member_id, seat.player_id) "
)
"""From a seat to those whom it counts for: each of a team, or the one who sat there."""
THEIR_GAMES = f"SELECT seat.game_id FROM seat {WHO_PLAYED}WHERE player.person_id IN :people"


class _Sum(Struct, frozen=True):
    """A table of sums: its keys, what it adds up, and the rows it is made of."""

    table: str
    keys: tuple[str, ...]
    sums: tuple[str, ...]
    select: str
    people: tuple[tuple[str, str], ...] = ()

    def rows(self, which: str) -> str:
        """Write the question what the chosen games come to, with `:sign`."""
        order = ", ".join(str(number) for number in range(1, len(self.keys) + 1))
        return f"{self.select} AND {which} GROUP BY {order}"

    def add(self, which: str) -> str:
        """Write the statement that adds the chosen games with `:sign`."""
        keys = ", ".join(self.keys)
        added = ", ".join(f"{name} = {self.table}.{name} + excluded.{name}" for name in self.sums)
        return (
            f"INSERT INTO {self.table} ({keys}, {', '.join(self.sums)}, revision) "
            f"{self.rows(which)} "
            # Adding in the database needs no earlier look: two saves at once can't lose one.
            f"ON CONFLICT ({keys}) DO UPDATE SET {added}, revision = excluded.revision"
        )


PLAYER = _Sum(
    "player_sum",
    ("league_id", "season_id", "variant_key", "players", "person_id"),
    ("games", "shares", "places", "whole_games", "ahead"),
    "SELECT game.league_id, game.season_id * in_season.yes, "
    "CASE WHEN of_variant.yes = 1 THEN game.variant_key ELSE '' END, "
    "game.players * with_players.yes, player.person_id, "
    ":sign * count(*), :sign * sum(seat.share), :sign * sum(seat.place), "
    ":sign * count(seat.ahead), :sign * coalesce(sum(seat.ahead), 0), :revision "
    f"FROM game JOIN seat ON seat.game_id = game.id {WHO_PLAYED}"
    f"CROSS JOIN {YES_OR_NO} AS in_season CROSS JOIN {YES_OR_NO} AS of_variant "
    f"CROSS JOIN {YES_OR_NO} AS with_players "
    "WHERE game.counted AND seat.place IS NOT NULL",
    (("person_id", "player.person_id"),),
)
RIVAL = _Sum(
    "rival_sum",
    ("league_id", "variant_key", "person_id", "other_id"),
    ("games", "above", "level"),
    "SELECT game.league_id, CASE WHEN of_variant.yes = 1 THEN game.variant_key ELSE '' END, "
    "player.person_id, other.person_id, :sign * count(*), "
    ":sign * sum(CASE WHEN seat.place < rival.place THEN 1 ELSE 0 END), "
    ":sign * sum(CASE WHEN seat.place = rival.place THEN 1 ELSE 0 END), :revision "
    f"FROM game JOIN seat ON seat.game_id = game.id {WHO_PLAYED}"
    "JOIN seat AS rival ON rival.game_id = game.id AND rival.number <> seat.number "
    "LEFT JOIN team_member AS team ON team.team_id = rival.player_id "
    "JOIN player AS other ON other.id = coalesce(team.member_id, rival.player_id) "
    f"CROSS JOIN {YES_OR_NO} AS of_variant "
    "WHERE game.counted AND seat.place IS NOT NULL AND rival.place IS NOT NULL",
    (("person_id", "player.person_id"), ("other_id", "other.person_id")),
)
CONTRACT = _Sum(
    "contract_sum",
    ("league_id", "variant_key", "contract", "person_id"),
    ("deals", "points", "ended"),
    "SELECT game.league_id, game.variant_key, deal.contract, player.person_id, "
    ":sign * count(*), :sign * sum(line.points), "
    ":sign * sum(CASE WHEN line.declared <> '' THEN 1 ELSE 0 END), :revision "
    "FROM game JOIN deal ON deal.game_id = game.id "
    "JOIN line ON line.game_id = deal.game_id AND line.position = deal.position "
    "JOIN seat ON seat.game_id = line.game_id AND seat.number = line.seat "
    f"{WHO_PLAYED}"
    "WHERE game.counted AND NOT deal.void AND seat.place IS NOT NULL",
    (("person_id", "player.person_id"),),
)
EVENING = _Sum(
    "evening_sum",
    ("league_id", "played_on"),
    ("games",),
    "SELECT game.league_id, game.played_on, :sign * count(*), :revision "
    "FROM game WHERE game.counted",
)
ALL = (PLAYER, RIVAL, CONTRACT, EVENING)


def sum_of_all(person: Any) -> ColumnElement[bool]:
    """Return the condition that a row of sums is a player's of all seasons, games and tables."""
    return and_(
        PlayerSum.league_id == Player.league_id,
        PlayerSum.person_id == person,
        PlayerSum.season_id == 0,
        PlayerSum.variant_key == "",
        PlayerSum.players == 0,
    )


def next_revision(session: Session, league_id: int) -> int:
    """Lock the league and move its revision on, before anything counted changes."""
    moved = update(League).where(League.id == league_id).values(revision=League.revision + 1)
    return int(session.execute(moved.returning(League.revision)).scalar_one())


def add_games(session: Session, games: Sequence[int], sign: int, revision: int) -> None:
    """Put games into the sums (1), or take them out (-1), as their rows stand now."""
    session.flush()
    if not games:
        return
    many: BindParameter[int] = bindparam("games", expanding=True)
    # Zeros stay as rows: a delete beside an upsert of another save would lose what that one added.
    for sums in ALL:
        values = {"sign": sign, "revision": revision, "games": list(games)}
        session.execute(text(sums.add("game.id IN :games")).bindparams(many), values)


def rebuild(session: Session, league_id: int) -> None:
    """Work out all sums of a league from its rows."""
    revision = session.execute(select(League.revision).where(League.id == league_id)).scalar_one()
    values = {"sign": 1, "revision": revision, "league": league_id}
    for sums in ALL:
        gone = f"DELETE FROM {sums.table} WHERE league_id = :league"
        session.execute(text(gone), {"league": league_id})
        session.execute(text(sums.add("game.league_id = :league")), values)


def rebuild_people(session: Session, league_id: int, people: Collection[int]) -> None:
    """Work out the sums of some people from the rows, after entries changed hands."""
    mine = {"league": league_id, "people": sorted(people)}
    values = mine | {"sign": 1, "revision": next_revision(session, league_id)}
    many: BindParameter[int] = bindparam("people", expanding=True)
    for sums in (PLAYER, RIVAL, CONTRACT):
        stored = " OR ".join(f"{column} IN :people" for column, _ in sums.people)
        gone = f"DELETE FROM {sums.table} WHERE league_id = :league AND ({stored})"
        session.execute(text(gone).bindparams(many), mine)
        theirs = " OR ".join(f"{source} IN :people" for _, source in sums.people)
        added = sums.add(f"game.league_id = :league AND ({theirs}) AND game.id IN ({THEIR_GAMES})")
        session.execute(text(added).bindparams(many), values)


def add_days(
    session: Session, league_id: int, first: date, last: date, sign: int, revision: int
) -> None:
    """Put the games of these days into the sums of their seasons (1), or take them out (-1)."""
    days: list[BindParameter[date]] = [
        bindparam("first", type_=Date),
        bindparam("last", type_=Date),
    ]
    theirs = "game.league_id = :league AND in_season.yes = 1"
    added = PLAYER.add(f"{theirs} AND game.played_on BETWEEN :first AND :last")
    values = {"league": league_id, "first": first, "last": last, "sign": sign, "revision": revision}
    session.execute(text(added).bindparams(*days), values)


def differing(session: Session, league_id: int) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Find the sums that are not what the rows come to, as their table and key."""
    values = {"sign": 1, "revision": 0, "league": league_id}
    for sums in ALL:
        keys, width = len(sums.keys), len(sums.keys) + len(sums.sums)
        names = ", ".join((*sums.keys, *sums.sums))
        stored_sums = text(f"SELECT {names} FROM {sums.table} WHERE league_id = :league")
        stored = _by_key(session.execute(stored_sums, {"league": league_id}), keys, width)
        rows = session.execute(text(sums.rows("game.league_id = :league")), values)
        due = _by_key(rows, keys, width)
        for key in sorted(k for k in {**stored, **due} if stored.get(k) != due.get(k)):
            yield sums.table, key


def _by_key(
    rows: Iterable[Sequence[Any]], keys: int, width: int
) -> dict[tuple[str, ...], tuple[int, ...]]:
    """Return sums by their key; the revision does not matter, nor what has come to nothing."""
    split = ((tuple(map(str, row[:keys])), tuple(map(int, row[keys:width]))) for row in rows)
    return {key: values for key, values in split if any(values)}


def mark_ratings_stale(session: Session, game: Game, revision: int) -> None:
    """Note that ratings are to be worked out again from this game onward, or from one before it.

    The league is locked by its revision.
    """
    game.touched = revision
    later = tuple_(League.stale_on, League.stale_game) > (game.played_on, game.id)
    mine = update(League).where(League.id == game.league_id, League.stale_on.is_(None) | later)
    session.execute(mine.values(stale_on=game.played_on, stale_game=game.id))


def mark_all_stale(session: Session, league_id: int) -> None:
    """Note that people or the order of games changed: every rating is worked out anew."""
    values = {"upheaval": League.upheaval + 1, "stale_on": date.min, "stale_game": 0}
    session.execute(update(League).where(League.id == league_id).values(values))
