"""What ratings and chances are worth: `python -m bench.statistics` prints the figures of the docs.

Everything is seeded: the same figures every time, in some minutes.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from companion.rules import find_variant

from .deals import Case, cases, unequal_cases
from .leagues import claims_ever_made, rate_league

CONTRACT, ZIP, CHICAGO = (find_variant(name) for name in ("contract rummy", "zip", "chicago"))


def ratings() -> None:
    """Print what ratings find of known skills."""
    print(
        "Ratings: people, spread of skill, games -> rank correlation, inside the 80 % range, sigma"
    )
    for people, spread in ((4, 0.0), (4, 2.0), (4, 4.0), (8, 0.0), (8, 2.0), (8, 4.0)):
        for games in (10, 30, 100, 300):
            found = [
                rate_league(seed, people=people, spread=spread, games=games) for seed in range(60)
            ]
            order = fmean(league.rank_correlation for league in found) if spread else 0.0
            inside = fmean(held for league in found for held in league.inside)
            sigma = fmean(league.sigma for league in found)
            print(
                f"{people} {spread:.0f} {games:>4}   {order:5.2f} {inside:6.1%} {sigma:5.2f}",
                flush=True,
            )


def claims() -> None:
    """Print how often somebody is called the stronger, among equals and among others."""
    print("Claims: leagues of equals that ever see one, looking after each of 300 games")
    for people in (2, 4, 8):
        wrong = sum(
            claims_ever_made(seed, people=people, spread=0, games=300) for seed in range(400)
        )
        print(f"{people}: {wrong} of 400 leagues", flush=True)
    print("Claims among unequal people: spread, games -> pairs told apart, of these the right way")
    for spread in (2.0, 4.0, 6.0):
        for games in (50, 100, 300):
            found = [rate_league(seed, people=5, spread=spread, games=games) for seed in range(60)]
            told, right = sum(one.claims for one in found), sum(one.right for one in found)
            print(
                f"{spread:.0f} {games:>4}   {told / 600:6.1%} {right / max(1, told):6.1%}",
                flush=True,
            )


def chance_to_win() -> None:
    """Print how often the range of a chance holds the true one."""
    print("Chances: game, players, games before -> cases, inside the 80 % range, average width")
    everything: list[Case] = []
    for variant, players, games in (
        *((CONTRACT, 4, games) for games in (12, 20, 40, 100, 300)),
        (CONTRACT, 3, 40),
        (CONTRACT, 6, 40),
        (ZIP, 4, 40),
        (CHICAGO, 4, 40),
    ):
        found = [
            case
            for seed in range(50)
            for case in cases(seed, variant, players=players, games=games, play_outs=5_000)
        ]
        everything += found
        print(f"{variant.name} {players} {games:>4}   {_line(found)}", flush=True)
    print(f"all   {_line(everything)}")
    print("Reliability: estimated, true on average, cases")
    for tenth in range(10):
        those = [case for case in everything if int(10 * min(case.chance.likely, 0.999)) == tenth]
        if those:
            said, true = fmean(c.chance.likely for c in those), fmean(c.truth for c in those)
            print(f"{said:6.1%} {true:6.1%} {len(those):>5}")
    print("Players of unlike skill, which the estimate does not know of: spread -> the same")
    for spread in (0.0, 0.1, 0.2, 0.4):
        found = [
            case
            for seed in range(100)
            for case in unequal_cases(seed, CONTRACT, players=4, games=40, spread=spread)
        ]
        print(f"{spread:.1f}   {_line(found)}", flush=True)


def _line(found: Sequence[Case]) -> str:
    inside = fmean(case.is_inside for case in found)
    width = fmean(case.chance.high - case.chance.low for case in found)
    off = fmean(abs(case.chance.likely - case.truth) for case in found)
    return f"{len(found):>5} {inside:6.1%} {width:6.1%}   off by {off:.1%}"


def main() -> None:
    """Print every figure."""
    ratings()
    claims()
    chance_to_win()


if __name__ == "__main__":
    main()
