"""How long the judge in the page takes: `python -m bench.page_judge [hands a game] [slowdown]`.

In a Chromium whose processor is that many times as slow; hands as they are held, by each game's
book and under house rules drawn at random, and the deals in which people would wait longest. Its
own time is told, not what the page draws after it.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Sequence
from random import Random
from statistics import median

from playwright.sync_api import sync_playwright

from companion.rules import card_games
from tests.melds.proof.beside import Asked, some_question
from tests.melds.proof.readings import Reading, some_hand
from tests.support.chromium import launch
from tests.support.page_judge import PageJudge, page_judge

SEED = "speed"
KINDS = ("book", "house rules")
SLOWEST = 5


def main() -> None:
    """Print the times of every game, and of all together."""
    hands = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    slowdown = float(sys.argv[2]) if len(sys.argv) > 2 else 6
    with sync_playwright() as playwright, page_judge(launch(playwright), slowdown) as judge:
        everything: list[list[float]] = [[], []]
        deals: defaultdict[str, list[float]] = defaultdict(list)
        for game in card_games():
            drawn = [some_question(Random(f"{SEED} {game.key} {n}"), game) for n in range(hands)]
            full = [one for one in drawn if _is_held(one)]
            book = [_by_the_book(one, n) for n, one in enumerate(full)]
            for kind, asked in enumerate((book, full)):
                took = _times(judge, asked)
                everything[kind] += took
                print(f"{game.key:18} {KINDS[kind]:12} {_summary(took)}", flush=True)
                for one, time in zip(asked, took, strict=True):
                    deals[f"{game.key} {one.reading.step}"].append(time)
        for kind, took in enumerate(everything):
            print(f"{'all games':18} {KINDS[kind]:12} {_summary(took)}")
        for deal in sorted(deals, key=lambda deal: -median(deals[deal]))[:SLOWEST]:
            print(f"slowest: deal of {deal:22} {_summary(deals[deal])}")


def _is_held(asked: Asked) -> bool:
    return len(asked.hand) >= asked.reading.variant.deal(asked.reading.step).dealt


def _by_the_book(asked: Asked, number: int) -> Asked:
    game = next(game for game in card_games() if game.key == asked.reading.variant.key)
    step = min(asked.reading.step, len(game.deals))
    players = max(game.players.min, min(4, game.players.max))
    reading = Reading(game, step, game.pack(players))
    rng, hand = Random(f"{SEED} book {number}"), ()
    while len(hand) < game.deal(step).dealt:
        hand = some_hand(rng, reading)
    return Asked(reading, hand)


def _times(judge: PageJudge, asked: Sequence[Asked]) -> list[float]:
    return [took for _, took in judge.timed([one.as_data() for one in asked])]


def _summary(took: Sequence[float]) -> str:
    ordered = sorted(took)
    middle, late = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.99)]
    figures = f"median {middle:6.1f}  p99 {late:6.1f}  worst {ordered[-1]:6.1f} ms"
    return f"{len(ordered):5} hands  {figures}"


if __name__ == "__main__":
    main()
