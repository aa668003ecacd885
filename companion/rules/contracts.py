"""Contracts as people say them, read and written: "two sets of three and one run of four"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any

from companion.melds import RANKS, Contract, MeldSpec
from companion.spoken import NUMBERS

from .variant import VariantError
from .words import list_words, many, number

LONGEST_TEXT = 4000  # four ways of six melds, each naming every rank, are shorter
_ALL_CARDS = re.compile(r"[,;]?\s*all (?:the )?cards(?: at once)?\.?$")
_ONLY_OUT = re.compile(r"[,;]?\s*only (?:when|if|to) (?:you |going )?(?:go )?out$")
# Only before a meld: ranks are said with `or` as well, as in `a set of 3 aces or kings`.
_OR = re.compile(
    r"\s*(?:[,;]\s*or\b|;|\|)\s*"
    r"|\s+or\s+(?=(?:\w+\s+)?(?:sets?|runs?|groups?|sequences?)\b|(?:\d+\s*[x×*]?\s*)?[sr]\d)"
)
_AND = re.compile(r"\s*(?:,\s*and\b|[,+&]|\band\b)\s*")
_RANKS = {many(name): name for name in RANKS if name != "joker"}
_RANK_WORDS = "|".join((*_RANKS, *_RANKS.values())).lower()
_WORDS = re.compile(
    r"(?:(?P<count>\w+)\s+)?(?P<kind>set|run|group|sequence)s?\s+of\s+"
    r"(?P<exact>exactly\s+|at least\s+)?(?P<size>\w+)(?P<more>\s+or more)?(?:\s+cards?)?"
    rf"(?:\s+(?:of\s+)?(?P<ranks>(?:{_RANK_WORDS})(?:\s+or\s+(?:{_RANK_WORDS}))*))?"
    r"(?:\s+(?:in\s+(?P<suits>any)|(?:of|in)\s+(?P<unlike>different))\s+suits?)?"
    r"(?:\s+(?:(?P<pure>without)|with at most (?P<wilds>\w+))\s+(?:wild cards?|wilds?|jokers?))?"
)
_SIGNS = re.compile(r"(?:(?P<count>\d+)\s*[x×*]?\s*)?(?P<kind>[sr])(?P<size>\d+)(?P<exact>=)?")
_SUITS = {"same": "", "any": " in any suits", "different": " of different suits"}
_KINDS = {"s": "set", "r": "run", "group": "set", "sequence": "run"}


def contract_words(contract: Contract) -> str:
    """Say what a contract demands; `read_contract` reads it back.

    >>> two_and_one = [MeldSpec(kind="set", size=3)] * 2 + [MeldSpec(kind="run", size=4)]
    >>> contract_words(Contract(melds=tuple(two_and_one)))
    'Two sets of three and one run of four'
    """
    alternatives = [
        _alternative_words(alternative) for alternative in (contract.melds, *contract.or_melds)
    ]
    said = ", or ".join(alternatives)
    return said[0].upper() + said[1:] + _of_the_whole(contract, ", all cards at once")


USUAL_SIZES = {"set": 3, "run": 4}
"""Melds of these sizes need not say so beside others."""


def contract_title(contract: Contract) -> str:
    """Say a contract as the head of a page: usual sizes stay unsaid where several kinds are asked.

    >>> contract_title(read_contract("2 sets of 3 and 1 run of 4"))
    'Two sets and a run'
    >>> contract_title(read_contract("2 sets of 3")), contract_title(read_contract("s3 + r7"))
    ('Two sets of three', 'One set of three and one run of seven')
    """
    kinds = [(spec, len(list(group))) for spec, group in groupby(contract.melds)]
    if contract.or_melds or len(kinds) < 2 or not all(_is_usual(spec) for spec, _ in kinds):
        return contract_words(contract)
    said = list_words([_kind_words(spec.kind, count) for spec, count in kinds])
    return said[0].upper() + said[1:] + _of_the_whole(contract, ", all cards at once")


def _of_the_whole(contract: Contract, all_cards: str) -> str:
    only_out = ", only when you go out" if contract.only_out else ""
    return f"{all_cards if contract.all_cards else ''}{only_out}"


def _is_usual(spec: MeldSpec) -> bool:
    is_plain = spec.exact is None and not spec.ranks and spec.suits != "any"
    return is_plain and spec.size == USUAL_SIZES.get(spec.kind)


def _kind_words(kind: str, count: int) -> str:
    return f"a {kind}" if count == 1 else f"{number(count)} {kind}s"


def contract_signs(contract: Contract) -> str:
    """Say a contract as briefly as it is written on a card; `read_contract` reads it back.

    >>> contract_signs(read_contract("two sets of three and one run of four, all cards at once"))
    '2 sets of 3 + 1 run of 4, all cards'
    """
    alternatives = []
    for alternative in (contract.melds, *contract.or_melds):
        said = [
            _meld_words(spec, len(list(group)), digits=True) for spec, group in groupby(alternative)
        ]
        alternatives.append(" + ".join(said))
    return ", or ".join(alternatives) + _of_the_whole(contract, ", all cards")


def _alternative_words(melds: Sequence[MeldSpec]) -> str:
    return list_words([_meld_words(spec, len(list(group))) for spec, group in groupby(melds)])


def _meld_words(spec: MeldSpec, count: int, *, digits: bool = False) -> str:
    say = str if digits else number
    size = say(spec.size)
    if spec.exact is not None:
        size = f"exactly {size}" if spec.exact else f"{size} or more"
    ranks = f" {' or '.join(map(many, spec.ranks))}" if spec.ranks else ""
    return f"{say(count)} {spec.kind}{'s'[: count > 1]} of {size}{ranks}{_limits(spec, say)}"


def _limits(spec: MeldSpec, say: Callable[[int], str]) -> str:
    suits = _SUITS[spec.suits]
    if spec.wilds is None:
        return suits
    if spec.wilds == 0:
        return f"{suits} without wild cards"
    return f"{suits} with at most {say(spec.wilds)} wild card{'s'[: spec.wilds > 1]}"


def read_contract(text: str) -> Contract | None:
    """Read a contract as people write it; None for an empty text.

    >>> contract_words(read_contract("2 sets of 3 + run of 4"))
    'Two sets of three and one run of four'
    >>> contract_words(read_contract("2xS3 + R4= or 3 runs of 4, all cards"))
    'Two sets of three and one run of exactly four, or three runs of four, all cards at once'

    Raises `VariantError` with the part that makes no sense.
    """
    # The patterns below are tried on what anybody may type: a bound before them, not after.
    if len(text) > LONGEST_TEXT:
        raise VariantError(f"{text[:60]} … is too long for a contract.")
    plain = " ".join(text.strip().lower().replace("\n", "; ").split()).rstrip(".")
    if not plain:
        return None
    # Said of the whole contract, wherever it stands: cut out before melds are read.
    of_all = _ONLY_OUT.sub("", plain)
    said = _ALL_CARDS.sub("", of_all)
    alternatives = [
        alternative for part in _OR.split(said) if (alternative := tuple(_read_alternative(part)))
    ]
    if not alternatives:
        raise VariantError(f"{text[:60]} names no meld.")
    return Contract(
        melds=alternatives[0],
        or_melds=tuple(alternatives[1:]),
        all_cards=said != of_all,
        only_out=of_all != plain,
    )


def _read_alternative(text: str) -> Iterator[MeldSpec]:
    for part in filter(None, _AND.split(text)):
        found = _WORDS.fullmatch(part.strip()) or _SIGNS.fullmatch(part.strip())
        if not found:
            raise VariantError(f"{part[:60]} is no meld: write 2 sets of 3, or 1 run of 4.")
        parts = found.groupdict()
        spec: dict[str, Any] = {
            "kind": _KINDS.get(parts["kind"], parts["kind"]),
            "size": _count(parts["size"]),
            "exact": _is_exact(parts),
        }
        if parts.get("ranks"):
            spec["ranks"] = tuple(_rank(name) for name in re.split(r"\s+or\s+", parts["ranks"]))
        spec |= _read_limits(parts)
        if not spec["size"]:
            raise VariantError(f"{part[:60]}: a meld has at least one card.")
        count = _count(parts["count"] or "1")
        # Bounded before they are made: rules count the melds only when all are there.
        if count > len(NUMBERS):
            raise VariantError(f"{part[:60]}: those are too many melds.")
        yield from [MeldSpec(**spec)] * count


def _read_limits(parts: dict[str, Any]) -> dict[str, Any]:
    """Return what suits and how many wild cards were asked for, if any."""
    found: dict[str, Any] = {}
    if parts.get("suits"):
        found["suits"] = "any"
    if parts.get("unlike"):
        found["suits"] = "different"
    if parts.get("pure"):
        found["wilds"] = 0
    elif parts.get("wilds"):
        found["wilds"] = _count(parts["wilds"])
    return found


def _is_exact(parts: dict[str, Any]) -> bool | None:
    exact = (parts["exact"] or "").strip()
    if exact in ("exactly", "="):
        return True
    return False if exact == "at least" or parts.get("more") else None


def _count(word: str) -> int:
    """Read a number in digits or words."""
    # int() reads digits of every script, and fails for thousands of them.
    if word.isascii() and word.isdecimal() and len(word) < 4:
        return int(word)
    if word in ("a", "an"):
        return 1
    if word in NUMBERS[1:]:
        return NUMBERS.index(word)
    raise VariantError(f"{word[:30]} is no number.")


def _rank(name: str) -> str:
    return _RANKS.get(name) or name.upper()
