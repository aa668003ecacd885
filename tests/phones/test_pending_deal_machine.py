"""Any sequence of what phones do to a deal against a small model that knows no hand_reports.py."""

from __future__ import annotations

from copy import deepcopy
from uuid import uuid4

import pytest
from flask import Flask
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import update

from companion.cards import write_hand
from companion.games.changes import ChangeError
from companion.games.writer import StaleError
from companion.people import leagues
from companion.phones import hand_reports
from companion.phones.hand_reports import HandsChangedError, OtherEndingError, TooEarlyError
from companion.store.authors import NotAllowedError
from companion.store.database import writing
from companion.store.models import Device
from tests.leagues.game_driver import Table, check_sound
from tests.leagues.own_phones import PendingTable, own_phone
from tests.support.doses import doses
from tests.support.reports import OUT, left

from .model_of_phones import Letter, MPhone, MReport, Place, Review

FOUR = ("Ann", "Bob", "Cleo", "Dora")
POINTS = {"5": 5, "K": 10, "A": 15, "K A": 25, "X": 25, "K K K": 30}
KEEPER = 3
MOST_DEALS = 6
seats = st.integers(0, 3)
phones = st.integers(0, 3)
hands = st.sampled_from(sorted(POINTS))


class PhonesMachine(RuleBasedStateMachine):
    """Three phones of players and the scorekeeper's; the paper beside them must always agree."""

    @initialize()
    def start(self) -> None:
        ann = leagues.open_league("The Harpers", uuid4().hex)
        self.table = Table.start(ann, *FOUR)
        self.all = PendingTable(self.table)
        own = [own_phone(ann, name, token=uuid4().hex) for name in FOUR[:3]]
        self.phones = [MPhone(author) for author in (*own, ann)]
        self.reports: dict[Place, dict[int, MReport]] = {}
        self.endings: dict[int, int] = {}
        self.deals: list[dict[int, int]] = []
        self.versions: list[list[dict[int, int]]] = [[]]
        self.report_revision = 0
        self.acknowledged: dict[tuple[int, Place], tuple[int, str]] = {}
        self.sent: list[Letter] = []
        self.review: Review | None = None

    @property
    def position(self) -> int:
        return len(self.deals) + 1

    # What the server should do.

    def expected(self, letter: Letter) -> type[Exception] | int:
        """What a letter should be answered, by the paper."""
        own = self.reports.get(letter.place, {}).get(letter.phone)
        if self.phones[letter.phone].revoked or letter.phone not in (KEEPER, letter.place[1]):
            return NotAllowedError
        if own and own.key == letter.key:
            return own.count
        if letter.place[0] > self.position:
            return TooEarlyError
        if (own.count if own else 0) != letter.seen and not (own and own.key in letter.instead):
            return StaleError
        return (own.count if own else 0) + 1

    def deliver(self, letter: Letter) -> type[Exception] | int:
        """Let a letter arrive, and note on paper what it should do."""
        answer, place = self.expected(letter), letter.place
        author = self.phones[letter.phone].author
        known = {"seen": letter.seen, "key": letter.key, "instead": letter.instead}
        at = {"position": place[0], **known}
        self.sent.append(letter)
        if not isinstance(answer, int):
            with pytest.raises(answer):
                self.all.hand(author, place[1], letter.cards, **at)  # type: ignore[arg-type]
            return answer
        assert self.all.hand(author, place[1], letter.cards, **at) == answer  # type: ignore[arg-type]
        told = self.reports.setdefault(place, {})
        own = told.get(letter.phone)
        if own is None or own.key != letter.key:
            for report in told.values():
                report.chosen = False
            told[letter.phone] = MReport(answer, letter.key, letter.cards)
            self.report_revision += 1
        return answer

    # What the phones do.

    def flush(self, phone: int) -> None:
        """Send what waits, in order; one phone's own letters are never out of date."""
        mine = self.phones[phone]
        for letter in tuple(mine.outbox) if mine.online else ():
            answer = self.deliver(letter)
            if answer is TooEarlyError:
                continue
            mine.outbox.remove(letter)
            assert answer is not StaleError, "what was typed on this phone would be lost"
            if isinstance(answer, int):
                mine.told[letter.place] = answer
                self.acknowledged[phone, letter.place] = (answer, letter.cards)

    def look(self, phone: int) -> None:
        """Read the page anew, if there is a connection."""
        mine = self.phones[phone]
        if not mine.online or mine.revoked:
            return
        mine.position = self.position
        for place, told in self.reports.items():
            if phone in told:
                mine.told[place] = told[phone].count

    @rule(phone=phones, seat=seats, cards=hands, ahead=st.integers(0, 5))
    def tell(self, phone: int, seat: int, cards: str, ahead: int) -> None:
        """Type a hand, again perhaps; a phone may be a deal ahead, or behind where it is alone."""
        self.look(phone)
        mine = self.phones[phone]
        place = (mine.position + (ahead == 1), seat if phone == KEEPER else phone)
        letter = Letter(phone, place, cards, mine.told.get(place, 0))
        waiting = [number for number, one in enumerate(mine.outbox) if one.place == place]
        if waiting:
            first = mine.outbox[waiting[0]]
            letter.seen, letter.instead = first.seen, (*first.instead, first.key)[-6:]
            mine.outbox[waiting[0]] = letter
        else:
            mine.outbox.append(letter)
        self.flush(phone)

    @rule(phone=st.integers(0, 2), seat=seats, cards=hands)
    def meddle(self, phone: int, seat: int, cards: str) -> None:
        """Tell somebody else's hand."""
        self.deliver(Letter(phone, (self.position, seat if seat != phone else KEEPER), cards, 0))

    @rule(phone=phones, online=st.booleans())
    def connect(self, phone: int, online: bool) -> None:
        """Lose the connection, or be back."""
        self.phones[phone].online = online
        self.flush(phone)

    @rule(one=phones, other=phones)
    def come_back(self, one: int, other: int) -> None:
        """Be back in another order than the hands were typed in."""
        for phone in (one, other):
            self.phones[phone].online = True
            self.flush(phone)

    @rule(phone=phones, arrives=st.booleans())
    def lose_the_answer(self, phone: int, arrives: bool) -> None:
        """Send the first letter that waits and hear nothing; it may arrive now or later."""
        mine = self.phones[phone]
        mine.online = False
        if mine.outbox:
            letter = mine.outbox[0]
            self.sent.append(letter)
            if arrives:
                self.deliver(letter)

    @rule(which=st.integers(0, 200))
    def duplicate(self, which: int) -> None:
        """Let a letter arrive once more, however late; nobody hears the answer."""
        if self.sent:
            self.deliver(self.sent[which % len(self.sent)])

    @rule(phone=phones)
    def revoke(self, phone: int) -> None:
        """Take a player's phone out of the league, or let it back in."""
        mine = self.phones[phone]
        if phone == KEEPER:
            return
        mine.revoked = not mine.revoked
        with writing() as session:
            theirs = update(Device).where(Device.id == mine.author.device_id)
            when = Device.created_at if mine.revoked else None
            session.execute(theirs.values(revoked_at=when))

    @rule(phone=phones, by=seats)
    def end(self, phone: int, by: int) -> None:
        """Say who went out."""
        mine, stored = self.phones[phone], self.endings.get(self.position)
        if mine.revoked or phone not in (KEEPER, by):
            fault: type[Exception] | None = NotAllowedError
        else:
            fault = None if stored in (None, by) else OtherEndingError
        if fault:
            with pytest.raises(fault):
                self.all.end(mine.author, by, position=self.position)
            return
        self.all.end(mine.author, by, position=self.position)
        self.report_revision += stored != by
        self.endings[self.position] = by

    @rule()
    def go_on(self) -> None:
        """Take the end back."""
        hand_reports.cancel_ending(self.table.author, self.table.game_id, self.position)
        self.report_revision += self.endings.pop(self.position, None) is not None

    @rule(seat=seats, phone=phones)
    def choose(self, seat: int, phone: int) -> None:
        """Choose a version of a hand."""
        told, mine = self.reports.get((self.position, seat), {}), self.phones[phone].author
        where = (self.table.author, self.table.game_id, self.position, seat, mine.device_id)
        if phone not in told:
            with pytest.raises(ChangeError):
                hand_reports.choose(*where)
            return
        hand_reports.choose(*where)
        for other, report in told.items():
            report.chosen = other == phone
        self.report_revision += 1

    @rule(phone=phones, seat=seats, whose=phones, late=st.booleans())
    def confirm(self, phone: int, seat: int, whose: int, late: bool) -> None:
        """Confirm a neighbour's hand, as it is or as it was before."""
        report = self.reports.get((self.position, seat), {}).get(whose)
        mine, theirs = self.phones[phone], self.phones[whose].author
        count = report.count - late if report else 1
        where = (mine.author, self.table.game_id, self.position, seat, theirs.device_id, count)
        if mine.revoked or phone == whose or phone == seat != KEEPER:
            with pytest.raises(NotAllowedError):
                hand_reports.confirm(*where)
        elif report is None or late:
            with pytest.raises(StaleError):
                hand_reports.confirm(*where)
        else:
            hand_reports.confirm(*where)
            report.confirmed = phone
            self.report_revision += 1

    # What the table does.

    def agreed(self, seat: int) -> str | None:
        """The cards of a hand where there is one version of it, or one was chosen."""
        told = list(self.reports.get((self.position, seat), {}).values())
        chosen = [report.cards for report in told if report.chosen]
        if len(chosen) == 1:
            return chosen[0]
        return told[0].cards if len({report.cards for report in told}) == 1 else None

    @rule()
    def look_over(self) -> None:
        """Open the review; what nobody told is typed there."""
        by = self.endings.get(self.position)
        if by is not None and len(self.deals) < MOST_DEALS:
            cards = {seat: self.agreed(seat) or "5" for seat in range(4) if seat != by}
            self.review = Review(len(self.versions), self.report_revision, cards, by)

    @rule(twice=st.booleans())
    def save(self, twice: bool) -> None:
        """Save what was looked over, unless something changed since."""
        seen = self.review
        if seen is None:
            return
        tallies = {seat: left(cards) for seat, cards in seen.cards.items()} | {seen.by: OUT}
        tallies = dict(sorted(tallies.items()))
        self.table.revision = seen.revision
        if (seen.revision, seen.report_revision) != (len(self.versions), self.report_revision):
            wanted = HandsChangedError if seen.revision == len(self.versions) else StaleError
            with pytest.raises(wanted):
                self.all.save(tallies, seen.report_revision, seen.key)
        else:
            for _ in range(1 + twice):
                self.table.revision = seen.revision
                self.all.save(tallies, seen.report_revision, seen.key)
            points = {seat: POINTS[cards] for seat, cards in seen.cards.items()}
            for seat in range(4):
                for report in self.reports.get((self.position, seat), {}).values():
                    report.chosen = True
            self.deals.append(points | {seen.by: 0})
            self.versions.append(deepcopy(self.deals))
        self.table.revision, self.review = len(self.versions), None

    @rule(back=st.integers(1, 3))
    def undo(self, back: int) -> None:
        """Make the game what it was."""
        version = len(self.versions) - back
        if version < 1 or self.versions[version - 1] == self.deals:
            return
        self.table.restore(version)
        self.deals = deepcopy(self.versions[version - 1])
        self.versions.append(deepcopy(self.deals))

    # What always holds.

    @invariant()
    def the_database_agrees(self) -> None:
        game = self.table.stored
        assert (game.revision, game.report_revision) == (len(self.versions), self.report_revision)
        lines = [
            {seat: line.points for seat, line in deal.lines.items()} for deal in game.record.deals
        ]
        assert lines == self.deals
        totals = [sum(deal[seat] for deal in self.deals) for seat in range(4)]
        assert list(game.record.standing().totals) == totals

    @invariant()
    def every_phone_sees_what_was_told(self) -> None:
        number = {mine.author.device_id: phone for phone, mine in enumerate(self.phones)}
        names = {"": None, "Ann": 0, "Bob": 1, "Cleo": 2}
        for position in {self.position, *(place[0] for place in self.reports)}:
            seen = self.all.now(position)
            by = seen.ended.by if seen.ended else None
            assert by == self.endings.get(position)
            there = {
                (position, seat): {
                    number[one.device_id]: (
                        *(one.revision, write_hand(one.tally.cards or ()), one.chosen),
                        names[one.confirmed_by],
                    )
                    for one in told
                }
                for seat, told in seen.reports.items()
            }
            assert there == {
                place: {
                    phone: (one.count, one.cards, one.chosen, _named(one.confirmed))
                    for phone, one in told.items()
                }
                for place, told in self.reports.items()
                if place[0] == position
            }

    @invariant()
    def nothing_acknowledged_is_lost(self) -> None:
        for (phone, place), (count, cards) in self.acknowledged.items():
            stored = self.reports[place][phone]
            assert stored.count > count or (stored.count, stored.cards) == (count, cards)

    def teardown(self) -> None:
        """Everybody comes back; then nothing waits but hands of deals that are not there yet."""
        if not hasattr(self, "review"):
            return
        for phone, mine in enumerate(self.phones):
            mine.online = True
            self.flush(phone)
            assert mine.revoked or all(one.place[0] > self.position for one in mine.outbox)
        self.the_database_agrees()
        self.every_phone_sees_what_was_told()
        self.nothing_acknowledged_is_lost()
        check_sound(self.table.game_id)


def _named(phone: int | None) -> int | None:
    """The scorekeeper's phone is nobody's own, and has no name here."""
    return None if phone == KEEPER else phone


@doses("examples", 10, 40)
def test_whatever_phones_do_they_agree_with_the_database(app: Flask, examples: int) -> None:
    run_state_machine_as_test(
        PhonesMachine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
