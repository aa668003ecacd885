"""The pages: one module per place, thin views that end in a page or a redirect."""

from __future__ import annotations

from flask import Flask
from flask_compress import Compress
from jinja2 import StrictUndefined

from companion.cards import Card, Suit, read_hand
from companion.melds import RANKS
from companion.rules import Variant
from companion.rules.card_values import card_values
from companion.rules.contracts import contract_signs, contract_title, contract_words
from companion.rules.field_text import bonus_words, in_words, offered
from companion.rules.house import deal_notes, house_differences
from companion.rules.placeholders import wild_words
from companion.rules.words import list_words, number, ordinal, pack_words, value_rows, value_signs
from companion.scoring.judging.judge import question
from companion.statistics.ratings import is_provisional, rating_range
from companion.store.dates import say_briefly, say_weekday, today
from companion.store.installation import COMMAND
from companion.web.middleware import (
    fault_pages,
    gates,
    guard,
    limits,
    log_lines,
    newcomers,
    security,
)
from companion.web.middleware.security import form_token

from .api import api_pages, calendar_pages
from .frame import application, live_questions, static_files, translations
from .frame.card_text import (
    cards_words,
    contract_in_words,
    counted,
    parts,
    picture,
    picture_width,
)
from .frame.faces import face_of, faces
from .frame.forms import page_key
from .frame.numerals import clock, day, figure, percent, share, signed
from .frame.phone_settings import phone_setting
from .joining import device_pages, join_pages, offline_pages, protection_pages, return_pages
from .league import (
    evening_pages,
    file_pages,
    league_pages,
    old_score_pages,
    past_pages,
    people_pages,
    profile_pages,
    removed_game_pages,
    season_pages,
)
from .rules import any_game_pages, blank_sheet_pages, house_pages, judge_pages, rule_pages
from .table import (
    bid_pages,
    deal_pages,
    game_note_pages,
    hand_pages,
    home_pages,
    outlook_pages,
    picture_pages,
    table_pages,
)
from .table.hand_words import ending_words, in_one_line
from .table.history_text import author_name, whose

PAGES = (
    *(
        home_pages,
        table_pages,
        game_note_pages,
        deal_pages,
        bid_pages,
        hand_pages,
        outlook_pages,
        picture_pages,
        rule_pages,
        judge_pages,
        blank_sheet_pages,
        any_game_pages,
        house_pages,
    ),
    *(
        league_pages,
        people_pages,
        profile_pages,
        season_pages,
        evening_pages,
        file_pages,
        old_score_pages,
        past_pages,
        removed_game_pages,
    ),
    *(join_pages, device_pages, return_pages, offline_pages, protection_pages),
    *(api_pages, calendar_pages, application),
)


def init_app(app: Flask) -> None:
    """Tie the pages, their words and their guard to the app."""
    application.init_app(app)
    log_lines.init_app(app)
    gates.init_app(app)
    Compress(app)
    log_lines.read_reasons(app)
    security.init_app(app)
    static_files.init_app(app)
    live_questions.init_app(app)
    newcomers.init_app(app)
    guard.init_app(app)
    fault_pages.init_app(app)
    for pages in PAGES:
        app.register_blueprint(pages.blueprint)
    # It wraps the views that stand at its addresses, so all blueprints come before it.
    limits.init_app(app, guard.my_leagues)
    env = app.jinja_env
    env.undefined = StrictUndefined
    env.trim_blocks = env.lstrip_blocks = True
    env.add_extension("jinja2.ext.i18n")
    translations.init_app(app)
    env.filters |= {
        "key_and_name": lambda variant: (variant.key, variant.name),
        "player_name": lambda seat, names: names[seat],
        "bonus": bonus_words,
        "contract": contract_words,
        "counted": counted,
        "contract_signs": contract_signs,
        "contract_title": contract_title,
        "pack": pack_words,
        "parts": parts,
        "names": lambda names, last="and": list_words([str(name) for name in names], last),
        "number": number,
        "ordinal": ordinal,
        "signed": signed,
        "words": in_words,
        "whose": whose,
        "heads": lambda name: 1 + (" and " in name),
        "day": day,
        "day_briefly": say_briefly,
        "figure": figure,
        "percent": percent,
        "share": share,
        "season_option": lambda season: (season.season_id, season.name),
        "variant_option": lambda played: (played.variant_key, played.name),
        "clock": clock,
        "weekday": lambda day: say_weekday(day, today()),
        "contract_in_words": contract_in_words,
    }
    env.globals |= {
        "command": COMMAND,
        "cards_words": cards_words,
        "card_values": card_values,
        "deal_notes": deal_notes,
        "face_of": face_of,
        "faces": faces,
        "form_token": form_token,
        "i_may": guard.i_may,
        "hand_of": read_hand,
        "house_differences": house_differences,
        "in_one_line": in_one_line,
        "ending_words": ending_words,
        "state_etag": hand_pages.state_etag,
        "page_key": page_key,
        "offered": offered,
        "is_provisional": is_provisional,
        "picture_of": picture,
        "picture_width": picture_width,
        "pad_ranks": pad_ranks,
        "phone_setting": phone_setting,
        "question": question,
        "author_name": author_name,
        "rating_range": rating_range,
        "value_rows": value_rows,
        "wild_words": wild_words,
        "value_signs": value_signs,
        "zip": zip,
    }


def pad_ranks(variant: Variant, suits_apart: bool) -> list[tuple[Card, int]]:
    """List the keys of the pad: the cards of this game, by colour where that counts, with points.

    Where the suits are tapped beside them, each rank has one key.
    """
    rules = variant.melds
    coloured = () if suits_apart else rules.by_colour
    cards = [
        Card(RANKS[name], suit)
        for name in variant.ranks
        for suit in ((Suit.RED, Suit.BLACK) if name in coloured else (None,))
    ]
    return [(card, rules.value(card)) for card in cards]
