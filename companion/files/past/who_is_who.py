"""Who the names in a file are: as the league has them, new players, teams, or nobody."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from companion.store.names import (
    LONGEST,
    PlayerNameError,
    all_different,
    name_key,
    shortened,
    team_of,
)

from .league_so_far import MOST_OFFERED, LeagueSoFar
from .past_game import PastGame, PastScores
from .questions import LEFT_OUT, Answer, Question, Questionnaire

ALIKE = 0.65
"""From this share of their pairs of letters on two names may be one."""


def who_is_who(
    games: Sequence[PastGame], scores: PastScores, league: LeagueSoFar, form: Questionnaire
) -> dict[str, str]:
    """Return whom the league calls what for each name, `LEFT_OUT` for nobody; asks where unsure.

    Other letters than the league's are only proposed. One team is one however it is written.
    """
    names = names_in(games)
    teams = dict(league.teams)
    people: dict[str, str] = {}
    questions = zip(names, _questions(names, scores, league), strict=True)
    for name, question in sorted(questions, key=lambda one: bool(one[1].chosen)):
        chosen = form.ask(question)
        if chosen == LEFT_OUT:
            people[name] = LEFT_OUT
            continue
        members = people_of(chosen or name)
        who = " + ".join(members) if len(members) > 1 else shortened(chosen or name) or "?"
        key = frozenset(map(name_key, members)) if len(members) > 1 else frozenset([who])
        people[name] = teams.setdefault(key, who)
    return people


def names_in(games: Sequence[PastGame]) -> list[str]:
    """List the names of people in a file; a control is named by the place among them."""
    return list(dict.fromkeys(name for game in games for name in game.players))


def people_of(name: str) -> list[str]:
    """Return the members of a team, or the one person of a name."""
    try:
        return all_different(team_of(name)) or [name]
    except PlayerNameError:
        return [name]


def free_name(text: str, sign: str, most: int, taken: set[str]) -> str:
    """Return a name that is not taken, with a number after a sign if it must be, and take it."""
    free, count = text, 1
    while name_key(free) in taken:
        count += 1
        ending = f"{sign}{count}"
        free = text[: most - len(ending)].strip() + ending
    taken.add(name_key(free))
    return free


def _questions(names: Sequence[str], scores: PastScores, league: LeagueSoFar) -> Iterator[Question]:
    keys = {name_key(name): name for name in league.people}
    pairs = {name: _letter_pairs(name) for name in (*league.people, *names)}
    shown = league.people if len(names) * len(league.people) <= MOST_OFFERED else ()
    nobody = Answer(LEFT_OUT, "Nobody: leave it out")
    cut: set[str] = set()
    for number, name in enumerate(names):
        field, others = f"who-{number}", [Answer(one, one) for one in shown if one != name]
        same = keys.setdefault(name_key(name), name)
        alike = [one for one in league.people if _are_alike(pairs[name], pairs[one])][:9]
        if name in scores.twins:
            first, _, which = name.rpartition(" ")
            words = f"who the second {first} is" if which == "2" else f"who {name} is"
            options = [Answer(name, f"{name}, someone else than {first}"), *others, nobody]
            yield Question(field, words, options)
        elif shortened(name) != name and len(people_of(name)) == 1:
            short = free_name(shortened(name) or "?", " ", LONGEST, cut)
            yield Question(field, f"a shorter name for {name}", chosen=short, typed="text")
        elif same != name or (alike and name not in league.people):
            alike = [same] if same != name else alike
            new = f"{name} 2" if same != name else name
            where = "league" if alike[0] in league.people else "file"
            options = [Answer(one, one) for one in alike]
            options += [Answer(new, f"{new}, a new player"), nobody]
            # Nobody is joined with another unasked.
            yield Question(
                field,
                f"who {name} is, where the {where} has {' and '.join(alike)}",
                options,
                "" if same != name else name,
                label=f"Is {name} the same as {' or '.join(alike)}?",
            )
        elif name in scores.doubtful and name not in league.people:
            options = [Answer(name, f"Yes, {name} plays"), nobody]
            asked = f"whether {name} is a player"
            yield Question(field, asked, options, label=f"Is {name} a player?")
        else:
            options = [Answer(name, name), nobody, *others]
            yield Question(field, f"who {name} is", options, name, is_asked=False, label=name)


Letters = tuple[frozenset[str], frozenset[str]]


def _letter_pairs(name: str) -> Letters:
    """Return the words of a name, and its pairs of letters, ends included."""
    key = name_key(name)
    return frozenset(key.split()), frozenset(map("".join, pairwise(f"^{key}$")))


def _are_alike(name: Letters, other: Letters) -> bool:
    """Return whether two names may be one person: a word in common, or nearly the same letters."""
    (words, pairs), (other_words, other_pairs) = name, other
    shared = 2 * len(pairs & other_pairs)
    return not words.isdisjoint(other_words) or shared >= ALIKE * (len(pairs) + len(other_pairs))
