"""The pages: one module per place, thin views that end in a page or a redirect."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from fractions import Fraction
from functools import cache
from pathlib import Path

from flask import Flask, current_app, url_for
from jinja2 import StrictUndefined

from companion.cards import Rank, read_hand
from companion.league.dates import say_briefly, say_day
from companion.league.ratings import is_provisional, rating_range
from companion.melds import RANK_NAMES
from companion.rules.contracts import contract_signs, contract_words
from companion.rules.facts import bonus_words, in_words, offered
from companion.rules.filling import wild_words
from companion.rules.house import deal_notes
from companion.rules.words import number, pack_words, value_rows, value_signs
from companion.scoring.judge import question

from . import (
    about,
    deals,
    devices,
    evenings,
    faults,
    files,
    guard,
    hand,
    home,
    house,
    join,
    judge,
    league,
    limits,
    offline,
    old_scores,
    outlook,
    paper,
    people,
    person,
    returning,
    rules,
    seasons,
    security,
    table,
)
from .gathering import ending_words, how_it_ended, in_one_line
from .incoming import PlainRequest
from .security import form_token
from .telling import told_by
from .wording import contract_in_words, parts, picture

PLACES = (
    *(home, table, about, deals, hand, outlook, rules, judge, paper, house),
    *(league, people, person, seasons, evenings, files, old_scores),
    *(join, devices, returning, offline),
)


def init_app(app: Flask) -> None:
    """Tie the pages, their words and their guard to the app."""
    app.request_class = PlainRequest
    security.init_app(app)
    guard.init_app(app)
    faults.init_app(app)
    for place in PLACES:
        app.register_blueprint(place.place)
    limits.init_app(app)
    env = app.jinja_env
    env.undefined = StrictUndefined
    env.trim_blocks = env.lstrip_blocks = True
    env.add_extension("jinja2.ext.i18n")
    env.install_null_translations(newstyle=True)  # type: ignore[attr-defined]
    env.filters |= {
        "bonus": bonus_words,
        "contract": contract_words,
        "contract_signs": contract_signs,
        "pack": pack_words,
        "parts": parts,
        "number": number,
        "signed": signed,
        "words": in_words,
        "day": say_day,
        "day_briefly": say_briefly,
        "share": share,
        "season_option": lambda season: (season.season_id, season.name),
        "variant_option": lambda played: (played.variant_key, played.name),
        "clock": clock,
        "contract_in_words": contract_in_words,
    }
    env.globals |= {
        "asset": asset,
        "deal_notes": deal_notes,
        "form_token": form_token,
        "i_may": guard.i_may,
        "hand_of": read_hand,
        "in_one_line": in_one_line,
        "how_it_ended": how_it_ended,
        "ending_words": ending_words,
        "mark": hand.mark,
        "offered": offered,
        "is_provisional": is_provisional,
        "picture_of": picture,
        "pad_ranks": pad_ranks,
        "question": question,
        "told_by": told_by,
        "rating_range": rating_range,
        "value_rows": value_rows,
        "wild_words": wild_words,
        "value_signs": value_signs,
        "zip": zip,
    }


def asset(name: str) -> str:
    """Give the address of a static file; it changes with the file, so browsers may keep it."""
    return url_for("static", filename=name, v=_fingerprint(current_app.static_folder or "", name))


@cache
def _fingerprint(folder: str, name: str) -> str:
    return hashlib.sha256((Path(folder) / name).read_bytes()).hexdigest()[:10]


def signed(points: int) -> str:
    """Write points with their sign, as they are added to a total.

    >>> signed(7), signed(0), signed(-5)
    ('+7', '0', '−5')
    """
    return f"+{points}" if points > 0 else f"−{-points}" if points else "0"


def clock(moment: datetime) -> str:
    """Write the time of day where the server stands, of a label in UTC."""
    return f"{moment.replace(tzinfo=UTC).astimezone():%H:%M}"


def share(wins: Fraction) -> str:
    """Write wins, of which a part may be shared.

    >>> share(Fraction(7, 2)), share(Fraction(3)), share(Fraction(4, 3))
    ('3.5', '3', '1.33')
    """
    hundredths = round(100 * wins)
    return f"{hundredths // 100}.{hundredths % 100:02}".rstrip("0").rstrip(".")


def pad_ranks(variant_values: dict[str, int]) -> list[tuple[Rank, int]]:
    """List the keys of the pad: only ranks of this game, each with its points."""
    order = [*list(Rank)[1:], Rank.JOKER]
    return [(r, variant_values[RANK_NAMES[r]]) for r in order if RANK_NAMES[r] in variant_values]
