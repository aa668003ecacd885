"""The judge in the page against the server's: `python -m tests.browser.judge_proof [hands] [seed]`.

So many hands of each game, eight under each reading, house rules and a deal drawn at random; or of
the games named last.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from playwright.sync_api import sync_playwright

from companion.cards import write_hand
from companion.rules import Variant, card_games
from tests.melds.proof.beside import some_questions, unlike
from tests.support.chromium import launch
from tests.support.page_judge import PageJudge, page_judge

BATCH = 32
HANDS = 8


class Compared(NamedTuple):
    """How many hands of a game were asked of both, left to the server, and answered unlike.

    Where no wild card is natural the page leaves all to the server: these are not counted as left.
    """

    hands: int
    left: int
    faults: list[str]


def compare(judge: PageJudge, game: Variant, numbers: range, seed: object) -> Compared:
    """Ask both of hands of a game, eight under each of the readings of these numbers."""
    asked = [
        one
        for number in numbers
        for one in some_questions(Random(f"{seed} {game.key} {number}"), game, HANDS)
    ]
    answers = list(zip(asked, judge.ask(asked), strict=True))
    faults = [
        f"{game.key} {one.reading.step}: {write_hand(one.hand)} {'; '.join(found)} "
        f"{one.reading.pack} {one.reading.variant.chosen}"
        for one, told in answers
        if told is not None and (found := unlike(one, told))
    ]
    left = sum(told is None and one.reading.variant.melds.natural_wilds for one, told in answers)
    return Compared(len(asked), left, faults)


def batches(hands: int) -> Iterator[range]:
    """Cut the readings that so many hands need into batches."""
    readings = -(-hands // HANDS)
    for start in range(0, readings, BATCH):
        yield range(start, min(start + BATCH, readings))


def main() -> None:
    hands = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    seed = sys.argv[2] if len(sys.argv) > 2 else "1"
    games = [game for game in card_games() if game.key in sys.argv[3:] or not sys.argv[3:]]
    asked = left = wrong = 0
    started = time.perf_counter()
    with sync_playwright() as playwright, page_judge(launch(playwright)) as judge:
        for numbers in batches(hands):
            for game in games:
                compared = compare(judge, game, numbers, seed)
                asked, left = asked + compared.hands, left + compared.left
                wrong += len(compared.faults)
                print("\n".join(compared.faults), end="\n" if compared.faults else "", flush=True)
            seconds = time.perf_counter() - started
            print(
                f"{asked} hands, {left} left to the server, {wrong} unlike, {seconds:.0f} s",
                flush=True,
            )
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
