"""The judge against trying everything: `python -m tests.melds.proof [hands] [seed]`."""

import sys
import time

from .every_way import prove


def main() -> None:
    hands = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    started, wrong = time.perf_counter(), 0
    for number, fault in enumerate(prove(hands, seed), 1):
        if fault:
            wrong += 1
            print(f"hand {number}: {fault}\n", flush=True)
        if number % 5000 == 0:
            seconds = time.perf_counter() - started
            print(f"{number} of {hands} hands, {wrong} wrong, {seconds:.0f} s", flush=True)
    print(f"{hands} hands tried in every way, {wrong} answers wrong.")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
