"""What the sums and ratings of a league should be, worked out game by game from the records.

An independent reading: nothing here asks for sums in SQL or looks at what a seat earned.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any

from msgspec.structs import replace
from sqlalchemy import select

from companion.games import totals
from companion.games.reading import load_game
from companion.games.record import Record
from companion.rules.contracts import contract_signs
from companion.scoring import Standing
from companion.statistics.rating_replay import is_settled
from companion.statistics.ratings import RatingState, read_form, replay
from companion.statistics.standings import standings
from companion.store.database import writing
from companion.store.models import (
    WIN,
    ContractSum,
    EveningSum,
    Game,
    League,
    Player,
    PlayerSum,
    RivalSum,
    Season,
    Seat,
    db,
)
from companion.store.models import RatingRow as FormRow

KEYS: dict[type[Any], tuple[str, ...]] = {
    PlayerSum: ("season_id", "variant_key", "players", "person_id"),
    RivalSum: ("variant_key", "person_id", "other_id"),
    ContractSum: ("variant_key", "contract", "person_id"),
    EveningSum: ("played_on",),
}
SUMS = {
    PlayerSum: ("games", "shares", "places", "whole_games", "ahead"),
    RivalSum: ("games", "above", "level"),
    ContractSum: ("deals", "points", "ended"),
    EveningSum: ("games",),
}
Sums = dict[str, dict[tuple[Any, ...], tuple[int, ...]]]
Forms = dict[tuple[int, int], RatingState]


def everything(league_id: int) -> Sums:
    """The stored sums of a league by table and key; those that came to nothing are left out."""
    db.session.rollback()
    return _everything(db.session(), league_id)


def _everything(session: Any, league_id: int) -> Sums:
    found: Sums = {}
    for model, keys in KEYS.items():
        stored = session.query(model).filter_by(league_id=league_id)
        found[model.__tablename__] = {
            tuple(getattr(row, key) for key in keys): values
            for row in stored
            if any(values := tuple(getattr(row, name) for name in SUMS[model]))
        }
    return found


def rebuilt(league_id: int) -> Sums:
    """The sums as a rebuild from the rows would make them, which is then taken back."""
    with writing() as session:
        totals.rebuild(session, league_id)
        found = _everything(session, league_id)
        session.rollback()
        return found


@dataclass(frozen=True)
class OracleGame:
    """A game told by its record alone; `people` sit in seat order."""

    key: tuple[date, int]
    season: int
    record: Record
    standing: Standing
    people: tuple[int, ...]

    @property
    def counts(self) -> bool:
        """Whether it came to its end between two people at least, and was not left out."""
        return self.standing.over and self.record.counts and len(self.placed) > 1

    @property
    def placed(self) -> list[tuple[int, int]]:
        """Who has a place, and which."""
        places = zip(self.people, self.standing.places, strict=True)
        return [(person, place) for person, place in places if place is not None]

    @property
    def whole(self) -> list[int]:
        """The seats that played from the first deal to the last and have a place."""
        return [
            number
            for number, seat in enumerate(self.record.seats)
            if (seat.joined, seat.left) == (1, None) and self.standing.places[number] is not None
        ]

    @property
    def sign(self) -> int:
        return 1 if self.record.variant.ending.winner == "highest" else -1

    @property
    def totals(self) -> list[tuple[int, ...]]:
        """The totals after every deal but those that were added to part the tied."""
        variant, deals = self.record.variant, self.record.deals
        if variant.ending.tiebreak == "extra_deal":
            deals = tuple(deal for deal in deals if deal.step <= variant.ending.deals)
        told = replace(self.record, deals=deals)
        return [told.standing(n).totals for n in range(len(deals) + 1)]

    @property
    def by_points(self) -> bool:
        """Whether the order is one of points, not of contracts met nor of a hand that won it."""
        deals = [deal for deal in self.record.deals if not deal.void]
        told = [line.tally.declared for deal in deals for line in deal.lines.values()]
        own_pace = self.record.variant.ending.length == "until_contracts_met"
        return not own_pace and "instant_win" not in told

    @property
    def margin(self) -> int | None:
        """The points between the first and the second, if both stayed and points decided."""
        one_left = self.record.variant.ending.length == "until_one_left"
        ended = self.standing.over or self.record.stopped
        if one_left or not ended or not self.by_points or len(self.placed) < 2:
            return None
        runner_up = sorted(place for _, place in self.placed)[1]
        places = enumerate(self.standing.places)
        best = [seat for seat, place in places if place is not None and place <= runner_up]
        if not set(best) <= set(self.whole):
            return None
        totals = sorted(self.sign * self.totals[-1][seat] for seat in best)
        return totals[-1] - totals[-2]

    def share(self, place: int) -> int:
        winners = sum(other == 1 for _, other in self.placed)
        return int(Fraction(WIN, winners)) if place == 1 else 0

    def ahead(self, seat: int) -> int:
        """How much better than the average of those who stayed, in hundredths of a point."""
        totals, whole = self.totals[-1], self.whole
        average = Fraction(sum(totals[other] for other in whole), len(whole))
        return round((totals[seat] - average) * self.sign * 100)

    def earned(self, seat: int) -> tuple[int | None, ...]:
        """Place, total, share, ahead, highest and lowest deal, and how far behind it once was."""
        place = self.standing.places[seat]
        if place is None or not (self.standing.over or self.record.stopped):
            return (None,) * 7
        deals = [deal for deal in self.record.deals if not deal.void and seat in deal.lines]
        points = sorted(deal.lines[seat].points for deal in deals)
        low, high = (points[0], points[-1]) if points else (None, None)
        if seat not in self.whole:
            return (place, None, self.share(place), None, high, low, None)
        behind = self.behind(seat) if place == 1 and self.by_points else None
        ahead = self.ahead(seat) if self.by_points else None
        total = self.totals[-1][seat]
        return (place, total, self.share(place), ahead, high, low, behind)

    def behind(self, seat: int) -> int:
        """The most that others who stayed were ahead of a seat before the last deal."""
        before = self.totals[1:-1]
        gaps = [self.sign * (now[other] - now[seat]) for now in before for other in self.whole]
        return max(gaps, default=0)


def told_games(league_id: int) -> list[OracleGame]:
    """The games of a league in the order in which they are rated."""
    db.session.rollback()
    session = db.session()
    person = dict(
        session.execute(
            select(Player.id, Player.person_id).where(Player.league_id == league_id)
        ).all()
    )
    seasons = session.execute(select(Season).where(Season.league_id == league_id)).scalars().all()
    found = []
    numbers = session.execute(
        select(Game.id).where(Game.league_id == league_id, Game.hidden.is_(False))
    )
    for number in numbers.scalars().all():
        record = load_game(session, league_id, number).record
        standing = record.standing()
        day = record.played_on
        assert day
        people = tuple(person[seat.player_id] or 0 for seat in record.seats)
        found.append(OracleGame((day, number), _season(seasons, day), record, standing, people))
    return sorted(found, key=lambda game: game.key)


def _season(seasons: Any, day: date) -> int:
    """The league's own season of a day, or its year."""
    holding = [s for s in seasons if s.starts_on <= day and day <= (s.ends_on or day)]
    return int(max(holding, key=lambda season: season.own).id)


def expected(games: list[OracleGame]) -> Sums:
    """The sums of these games as their records say they are."""
    found: Sums = {model.__tablename__: {} for model in SUMS}
    for game in games:
        for table, key, values in _parts(game):
            before = found[table].get(key, (0,) * len(values))
            found[table][key] = tuple(a + b for a, b in zip(before, values, strict=True))
    return found


Part = tuple[str, tuple[Any, ...], tuple[int, ...]]


def _parts(game: OracleGame) -> Iterator[Part]:
    yield from _player_parts(game)
    yield from _rival_parts(game)
    yield from _contract_parts(game)
    yield "evening_sum", (game.key[0],), (1,)


def _player_parts(game: OracleGame) -> Iterator[Part]:
    whole, many = game.whole, len(game.placed)
    for seat, person in enumerate(game.people):
        place = game.standing.places[seat]
        if place is None:
            continue
        stayed = (1, game.ahead(seat)) if seat in whole and game.by_points else (0, 0)
        for season in (0, game.season):
            for variant in ("", game.record.variant.key):
                for players in (0, many):
                    key = (season, variant, players, person)
                    yield "player_sum", key, (1, game.share(place), place, *stayed)


def _rival_parts(game: OracleGame) -> Iterator[Part]:
    for one, (person, place) in enumerate(game.placed):
        for two, (other, theirs) in enumerate(game.placed):
            for variant in ("", game.record.variant.key):
                if one != two:
                    level = (1, int(place < theirs), int(place == theirs))
                    yield "rival_sum", (variant, person, other), level


def _contract_parts(game: OracleGame) -> Iterator[Part]:
    variant = game.record.variant
    for deal in game.record.deals:
        contract = variant.deals[min(deal.step, len(variant.deals)) - 1].contract
        own_pace = variant.ending.length == "until_contracts_met"
        signs = contract_signs(contract) if contract and not own_pace else ""
        for seat, line in deal.lines.items():
            if not deal.void and game.standing.places[seat] is not None:
                key = (variant.key, signs, game.people[seat])
                ended = int(line.tally.declared in ("out", "knock", "rummy", "instant_win"))
                yield "contract_sum", key, (1, line.points, ended)


def expected_forms(games: list[OracleGame]) -> Forms:
    """Everybody's form by season, replayed from nothing; a season of 0 is all time."""
    found: Forms = {}
    for season in {0, *(game.season for game in games)}:
        mine = [game.placed for game in games if season in (0, game.season)]
        for person, form in replay(mine).items():
            places = [place for placed in mine for who, place in placed if who == person]
            assert (form.games, form.streak, form.longest) == (len(places), *_runs(places))
            found[season, person] = form if season == 0 else replace(form, series=())
    return found


def _runs(places: list[int]) -> tuple[int, int]:
    """The run of wins that lasts still, and the longest there ever was."""
    run = longest = 0
    for place in places:
        run = run + 1 if place == 1 else 0
        longest = max(longest, run)
    return run, longest


def stored_forms(league_id: int) -> Forms:
    """Everybody's form as it is stored."""
    db.session.rollback()
    rows = db.session.query(FormRow).filter_by(league_id=league_id)
    return {(row.season_id, row.person_id): read_form(row.facts) for row in rows}


def check_league(league_id: int) -> None:
    """Prove that sums, standings and settled ratings are what the records say."""
    told = told_games(league_id)
    games = [game for game in told if game.counts]
    paper = expected(games)
    assert everything(league_id) == paper
    assert rebuilt(league_id) == paper
    league = db.session.get_one(League, league_id)
    _check_revisions(league)
    _check_rows(league, told)
    _check_standings(league, games)
    if is_settled(db.session(), league_id):
        assert stored_forms(league_id) == expected_forms(games)


def _check_revisions(league: League) -> None:
    """No sum is newer than its league."""
    for model in KEYS:
        rows = db.session.query(model).filter_by(league_id=league.id)
        assert all(1 <= row.revision <= league.revision for row in rows)


EARNED = ("place", "total", "share", "ahead", "high", "low", "comeback")
REPEATED = ("variant_key", "played_on", "counted", "league_id")


def _check_rows(league: League, told: list[OracleGame]) -> None:
    """What a seat earned, and what it repeats of its game; only what counts is counted."""
    for game in told:
        row = db.session.get_one(Game, game.key[1])
        ended = game.standing.over or game.record.stopped
        assert (row.played_on, row.season_id) == (game.key[0], game.season)
        assert (row.counted, row.players) == (game.counts, len(game.placed) if ended else 0)
        assert row.margin == game.margin
        assert 0 <= row.touched <= league.revision
        seats = db.session.query(Seat).filter_by(game_id=row.id).order_by(Seat.number)
        for number, seat in enumerate(seats):
            assert tuple(getattr(seat, name) for name in EARNED) == game.earned(number)
            assert all(getattr(seat, name) == getattr(row, name) for name in REPEATED)


def _check_standings(league: League, games: list[OracleGame]) -> None:
    """Every game is won once, however the games are chosen."""
    asked = {(0, "", 0)}
    for game in games:
        season, variant, players = game.season, game.record.variant.key, len(game.placed)
        asked |= {(season, "", 0), (0, variant, 0), (season, variant, players)}
    for season, variant, players in asked:
        mine = [
            game
            for game in games
            if season in (0, game.season)
            and variant in ("", game.record.variant.key)
            and players in (0, len(game.placed))
        ]
        rows = standings(db.session(), league.id, season, variant, players)
        assert sum(row.wins for row in rows) == len(mine)
        assert sum(row.games for row in rows) == sum(len(game.placed) for game in mine)
