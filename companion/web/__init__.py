"""The pages: one module per place, thin views that end in a page or a redirect."""

from __future__ import annotations

import re

from flask import Flask
from flask_compress import Compress
from jinja2 import StrictUndefined
from jinja2.ext import Extension

from companion.web.middleware import (
    fault_pages,
    gates,
    guard,
    limits,
    log_lines,
    newcomers,
    security,
)

from .api import api_pages, calendar_pages
from .frame import (
    application,
    compiled_pages,
    health_pages,
    live_questions,
    page_words,
    static_files,
    translations,
)
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
    *(api_pages, calendar_pages, health_pages),
)


class Unindented(Extension):
    """Pages without indentation, a twentieth lighter."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Leave one space, which may be what parts two words."""
        return re.sub(r"\n[ \t]+", "\n ", source)


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
    env.add_extension(Unindented)
    env.add_extension("jinja2.ext.i18n")
    env.policies["ext.i18n.trimmed"] = True
    compiled_pages.init_app(app)
    translations.init_app(app)
    page_words.init_app(app)
