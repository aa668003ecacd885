"""What the pages of every room say and draw with: filters and functions of the templates."""

from __future__ import annotations

from flask import Flask

from companion.cards import read_hand
from companion.rules.card_values import card_values, what_counts
from companion.rules.contracts import contract_signs, contract_title, contract_words
from companion.rules.field_text import bonus_words, in_words, offered
from companion.rules.house import deal_notes, house_differences
from companion.rules.placeholders import wild_words
from companion.rules.words import list_words, number, ordinal, pack_words
from companion.scoring.judging.judge import question
from companion.store.dates import say_briefly, say_weekday, today
from companion.store.installation import COMMAND
from companion.web.middleware.guard import i_may
from companion.web.middleware.security import form_token

from .card_text import cards_words, contract_in_words, counted, parts, picture, picture_width
from .faces import face_of, faces
from .forms import page_key
from .numerals import clock, day, figure, percent, share, signed
from .phone_settings import phone_setting

FILTERS = {
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
    "day": day,
    "day_briefly": say_briefly,
    "figure": figure,
    "percent": percent,
    "share": share,
    "clock": clock,
    "weekday": lambda day: say_weekday(day, today()),
    "contract_in_words": contract_in_words,
}
FUNCTIONS = {
    "command": COMMAND,
    "cards_words": cards_words,
    "card_values": card_values,
    "deal_notes": deal_notes,
    "face_of": face_of,
    "faces": faces,
    "form_token": form_token,
    "i_may": i_may,
    "hand_of": read_hand,
    "house_differences": house_differences,
    "page_key": page_key,
    "offered": offered,
    "picture_of": picture,
    "picture_width": picture_width,
    "phone_setting": phone_setting,
    "question": question,
    "wild_words": wild_words,
    "zip": zip,
    "what_counts": what_counts,
}


def init_app(app: Flask) -> None:
    """Give the templates their words."""
    app.jinja_env.filters |= FILTERS
    app.jinja_env.globals |= FUNCTIONS
