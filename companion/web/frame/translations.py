"""In which language the sentences of a page are: chosen for each request, English first."""

from __future__ import annotations

from gettext import NullTranslations

from flask import Flask, g, has_request_context

ENGLISH = NullTranslations()
"""Sentences as they stand in the templates."""


def init_app(app: Flask) -> None:
    """Let templates look their sentences up in the catalogue of the request."""
    app.jinja_env.install_gettext_callables(  # type: ignore[attr-defined]
        lambda sentence: _catalogue().gettext(sentence),
        lambda one, many, count: _catalogue().ngettext(one, many, count),
        newstyle=True,
    )


def speak(catalogue: NullTranslations) -> None:
    """Say the sentences of this request's pages as this catalogue has them."""
    g.catalogue = catalogue


def _catalogue() -> NullTranslations:
    if not has_request_context():
        return ENGLISH
    chosen: NullTranslations = g.get("catalogue", ENGLISH)
    return chosen
