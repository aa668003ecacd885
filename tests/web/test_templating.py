"""Templates as Jinja compiles them here: a sentence is in them, as if it had been looked up."""

from __future__ import annotations

import pytest
from flask import Flask
from jinja2 import nodes

from companion.web.frame.templating import QuickEnvironment

NAMES = {"name": "<b>Ann</b>", "count": 2}


@pytest.fixture
def environment() -> QuickEnvironment:
    environment = QuickEnvironment(Flask(__name__), extensions=["jinja2.ext.i18n"], autoescape=True)
    environment.install_null_translations(newstyle=True)  # type: ignore[attr-defined]
    return environment


@pytest.mark.parametrize(
    ("template", "shown"),
    [
        ("{{ _('Score <sheet>') }}", "Score <sheet>"),
        ("{{ _('Half of it: 50 %%') }}", "Half of it: 50 %"),
        ("{{ _('%(name)s deals', name=name) }}", "&lt;b&gt;Ann&lt;/b&gt; deals"),
        ("{{ _('%(name)s deals', **{'name': name}) }}", "&lt;b&gt;Ann&lt;/b&gt; deals"),
        ("{% trans name=name %}{{ name }} deals{% endtrans %}", "&lt;b&gt;Ann&lt;/b&gt; deals"),
        ("{% trans %}Any {{ name }}{% endtrans %}", "Any &lt;b&gt;Ann&lt;/b&gt;"),
        ("{% set words = _('Undo') %}<i>{{ words }}</i>", "<i>Undo</i>"),
        ("{{ _('Undo') | upper }}", "UNDO"),
        ("{% trans n=count %}One{% pluralize %}{{ n }} cards{% endtrans %}", "2 cards"),
        ("{% macro say(words) %}[{{ words }}]{% endmacro %}{{ say(_('Save')) }}", "[Save]"),
    ],
)
def test_a_sentence_is_shown_with_what_it_names_escaped(
    environment: QuickEnvironment, template: str, shown: str
) -> None:
    assert environment.from_string(template).render(NAMES) == shown


def test_no_sentence_is_looked_up_while_a_page_is_made(environment: QuickEnvironment) -> None:
    parsed = environment._parse(
        "{{ _('Undo') }}{% trans name=name %}{{ name }} deals{% endtrans %}", None, None
    )
    called = [call.node for call in parsed.find_all(nodes.Call)]
    assert not called
    assert parsed.find(nodes.TemplateData)
