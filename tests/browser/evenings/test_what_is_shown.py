"""An evening by chance: no page ever shows what has not been true for three seconds, unwarned."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from random import Random

import pytest
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as GoneError

from tests.support.chromium import PATIENCE
from tests.support.doses import doses

from .evening import (
    ON_BOTH,
    House,
    Table,
    line,
    onward,
    pad_of,
    review,
    save,
    seated,
    tap,
    went_out,
)
from .watching import stored, watching

pytestmark = [pytest.mark.browser, pytest.mark.slow]
NAMES = ("Ann", "Ben", "Cleo")
CARDS = ("7", "K", "2", "X", "A")
STEPS = 5
QUICK = 4000


class Walk:
    """A family that does now this, now that; each step returns whether it could be taken."""

    def __init__(self, table: Table, seed: int) -> None:
        self.table, self.chance = table, Random(seed)
        self.is_up, self.away = True, set[str]()
        self.taken: list[str] = []
        for page in table.everyone:
            page.set_default_timeout(QUICK)

    def step(self) -> None:
        steps: list[Callable[[], bool]] = [self.undo, self.correct, self.fall, self.rise]
        steps += [self.dead_corner, self.come_back, *[self.out, self.enter] * 4, *[self.settle] * 2]
        step = self.chance.choice(steps)
        is_taken = False
        with suppress(GoneError):  # what was to be tapped had gone meanwhile
            is_taken = step()
        if is_taken:
            self.taken.append(step.__name__)
            self.rest()

    def rest(self) -> None:
        self.table.keeper.wait_for_timeout(self.chance.choice((100, 400, 1200)))

    def phone(self) -> tuple[str, Page]:
        return self.chance.choice(list(self.table.phones.items()))

    def hand(self) -> str:
        return " ".join(self.chance.choices(CARDS, k=self.chance.randint(1, 3)))

    def out(self) -> bool:
        name, page = self.phone()
        ways = page.locator("form[action$='/endings'] button.main")
        if not self.is_up or name in self.away or not ways.is_visible():
            return False
        went_out(page)
        return True

    def enter(self) -> bool:
        """Enter a hand on one's own phone, whether or not the server hears it."""
        _, page = self.phone()
        if not pad_of(page).is_visible() or not page.locator("[data-next]").is_visible():
            return False
        tap(page, self.hand())
        onward(page)
        return True

    def settle(self) -> bool:
        """Enter what is missing, and save."""
        keeper = self.table.keeper
        if not self.is_up or not keeper.locator("a[href$='/deals/told']").is_visible():
            return False
        review(self.table)
        onwards, saves = keeper.locator("[data-next]"), keeper.locator("button[value=save]")
        onwards.or_(saves).first.wait_for()
        while onwards.is_visible():
            is_last = "Check" in onwards.inner_text()
            tap(keeper, "2")
            onward(keeper)
            if is_last:
                break
        saves.wait_for()
        for _ in range(keeper.locator("button[name=sure]").count()):
            keeper.locator("button[name=sure]").first.click()
            keeper.wait_for_timeout(200)
        save(keeper)
        return True

    def undo(self) -> bool:
        form = self.table.keeper.locator(".menu form[action$='/restorations']")
        if not self.is_up or not form.count():
            return False
        form.evaluate("form => form.requestSubmit()")
        self.table.keeper.wait_for_url("**back=1*")
        return True

    def correct(self) -> bool:
        """Take a card out of a deal that was saved."""
        keeper = self.table.keeper
        if not self.is_up or not keeper.locator(".board .last a").count():
            return False
        keeper.goto(f"{self.table.game}/seats/{self.chance.randrange(len(NAMES))}")
        cards = keeper.locator("a[href*='without=']")
        if not cards.count():
            self.table.show()
            return False
        cards.first.click()
        keeper.locator("[data-next]").wait_for()
        if not keeper.locator("[data-chips] .card").count():
            self.table.show()
            return False
        onward(keeper)
        save(keeper)
        return True

    def dead_corner(self) -> bool:
        name, page = self.phone()
        if name in self.away:
            return False
        self.away.add(name)
        page.context.set_offline(True)
        return True

    def come_back(self) -> bool:
        if not self.away:
            return False
        name = self.chance.choice(sorted(self.away))
        self.away.discard(name)
        self.table.phones[name].context.set_offline(False)
        return True

    def fall(self) -> bool:
        if not self.is_up or self.chance.random() < 0.5:
            return False
        self.table.house.kill()
        self.is_up = False
        return True

    def rise(self) -> bool:
        if self.is_up:
            return False
        self.table.house.revive()
        self.is_up = True
        return True

    def end(self) -> None:
        """Let everyone be heard again, and wait for whatever takes its time."""
        for page in self.table.everyone:
            page.set_default_timeout(PATIENCE)
        self.rise()
        while self.come_back():
            pass


@ON_BOTH
@doses("seeds", 1, 20)
def test_pages_show_what_is_true_or_say_that_they_may_not(
    new_house: Callable[[], AbstractContextManager[House]],
    seeds: int,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for seed in range(seeds):
        with new_house() as house:
            table = seated(house, *NAMES)
            pages = {**table.phones, "the table": table.keeper, "the television": table.far()}
            walk, engine = Walk(table, seed), house.engine()
            with watching(engine, len(NAMES)) as watch:
                for name, page in pages.items():
                    watch.look_at(name, page)
                while len(walk.taken) < STEPS:
                    walk.step()
                walk.end()
                for page in pages.values():
                    expect(line(page)).to_be_hidden()
                table.show()
                table.keeper.wait_for_timeout(1500)
            with capsys.disabled():
                print(f"\n{seed}: {watch.figures()}, {walk.taken.count('fall')} kills")
            assert not watch.lies(), (seed, walk.taken)
            truth = stored(engine, len(NAMES))
            engine.dispose()
            for name, samples in watch.shown.items():
                assert samples[-1].agrees(truth), (seed, name, samples[-1], truth, walk.taken)
