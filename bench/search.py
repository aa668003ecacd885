"""How well the rules answer questions that nobody learned from: `python -m bench.search [FILE]`.

FILE is a TOML file of questions like `sealed_questions.toml`, which is measured without one. Rates
are by kind of question; times are those of the processor.
"""

from __future__ import annotations

import sys
import tomllib
from collections import Counter
from pathlib import Path
from time import process_time
from typing import Any

from companion.rules import card_games, load
from companion.rules.search import Reply, search

TESTS = Path(__file__).parent.parent / "tests" / "rules"
SHELF = card_games()
TOPICS = tomllib.loads((TESTS / "question_topics.toml").read_text(encoding="utf-8"))

Question = dict[str, Any]


def main() -> None:
    """Print rates and times of a file."""
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else TESTS / "sealed_questions.toml"
    questions = tomllib.loads(file.read_text(encoding="utf-8"))["questions"]
    rates(file.stem, questions)
    times(questions)


def rates(name: str, questions: list[Question]) -> None:
    """Print how many of each kind have a right rule first, and among the first three."""
    asked, first, three, game = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for question in questions:
        kind = question.get("kind", "any")
        reply = search(load(question["game"]), question["ask"], SHELF)
        asked[kind] += 1
        first[kind] += reply.certain if kind == "nothing" else is_right(question, reply, 1)
        three[kind] += is_right(question, reply, 3)
        game[kind] += reply.certain and reply.variant.key == question.get("about", question["game"])
    print(f"{name}: {len(questions)}")
    for kind in sorted(asked, key=lambda kind: (kind == "nothing", kind)):
        many = asked[kind]
        if kind == "nothing":
            print(f"  {kind:9} {many:4}  answered {first[kind] / many:6.1%}")
        else:
            of_game = f"  by that game {game[kind] / many:6.1%}" if kind == "other" else ""
            shares = f"first {first[kind] / many:6.1%}  in three {three[kind] / many:6.1%}"
            print(f"  {kind:9} {many:4}  {shares}{of_game}")
    known = [kind for kind in asked if kind != "nothing"]
    many = sum(asked[kind] for kind in known)
    print(
        f"  all       {many:4}  first {sum(first[kind] for kind in known) / many:6.1%}"
        f"  in three {sum(three[kind] for kind in known) / many:6.1%}"
    )


def is_right(question: Question, reply: Reply, most: int) -> bool:
    """Whether a right rule of the game that is meant is among the first that a page shows."""
    right = question.get("answers") or TOPICS.get(question.get("topic", ""), ())
    about = question.get("about", question["game"])
    same = "topic" in question or reply.variant.key == about
    answered = reply.certain or most > 1
    return answered and same and any(entry.id in right for entry in reply.shown[:most])


def times(questions: list[Question]) -> None:
    """Print the time of work a question takes, everything read before."""
    taken = []
    for question in questions:
        started = process_time()
        search(load(question["game"]), question["ask"], SHELF)
        taken.append((process_time() - started) * 1000)
    taken.sort()
    print(f"  p50 {taken[len(taken) // 2]:.2f} ms, p95 {taken[int(len(taken) * 0.95)]:.2f} ms")


if __name__ == "__main__":
    main()
