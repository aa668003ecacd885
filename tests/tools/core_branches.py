"""How many branches of the rules core the tests take, of 95 %.

`python -m tests.tools.core_branches`

Reads the measurement that `make coverage` has made.
"""

from __future__ import annotations

import json
import subprocess
import sys

CORE = "companion/cards.py,companion/melds/*,companion/rules/*,companion/scoring/*"
LEAST = 95.0


def main() -> int:
    """Print the files of the core that lack something, and the share of its branches."""
    coverage = [sys.executable, "-m", "coverage"]
    subprocess.run([*coverage, "report", f"--include={CORE}", "--skip-covered", "-m"], check=True)
    written = [*coverage, "json", "--quiet", "-o", "-", f"--include={CORE}"]
    totals = json.loads(subprocess.run(written, check=True, capture_output=True).stdout)["totals"]
    taken, there = totals["covered_branches"], totals["num_branches"]
    share = 100 * taken / there
    print(f"The core: {taken} of {there} branches, {share:.1f} %; {LEAST:.0f} % is the least.")
    return int(share < LEAST)


if __name__ == "__main__":
    sys.exit(main())
