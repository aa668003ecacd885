"""Jinja as the pages use it."""

from __future__ import annotations

import re
from collections.abc import Callable, MutableMapping
from types import FunctionType
from typing import Any

from flask.templating import Environment
from jinja2 import nodes
from jinja2.runtime import Context, Macro
from jinja2.utils import internalcode
from jinja2.visitor import NodeTransformer

INDENTS = re.compile(r"\n[ \t]+")
BLANK = "\n "
"""One blank stays: Jinja trims the line's end behind a tag, and words would touch."""


class Sentences(NodeTransformer):
    """Put the sentences that `_()` and `{% trans %}` mark into a template while it is compiled.

    A page has a hundred of them, and looking each up while it is made took a tenth of its time.
    What a sentence names (`%(name)s`) is put in, escaped, when the page is made. Where a number
    chooses between two sentences they are looked up as before.
    """

    def visit_Call(self, node: nodes.Call) -> nodes.Node:  # noqa: N802
        """Turn the call that marks a sentence into the sentence."""
        called = self.generic_visit(node)
        match called:
            case nodes.Call(
                node=nodes.Name(name="_" | "gettext"),
                args=[nodes.Const(value=str(sentence))],
                kwargs=named,
                dyn_args=None,
                dyn_kwargs=others,
            ) if not (named and others):
                return _sentence(sentence, named, others)
        return called


def _sentence(sentence: str, named: list[nodes.Keyword], others: nodes.Expr | None) -> nodes.Expr:
    if not named and others is None:
        return nodes.TemplateData(sentence % {})
    pairs = [nodes.Pair(nodes.Const(one.key), one.value) for one in named]
    return nodes.Mod(nodes.TemplateData(sentence), others or nodes.Dict(pairs))


class QuickContext(Context):
    """Calls macros and plain functions, a hundred a page, without asking what context they want.

    Jinja asks that at each call. A macro always takes the evaluation context, a function without
    a mark none.
    """

    @internalcode
    def call(self, called: Callable[..., Any], /, *args: Any, **named: Any) -> Any:
        """Call what a template calls."""
        if type(called) is Macro:
            args = (self.eval_ctx, *args)
        elif type(called) is not FunctionType or hasattr(called, "jinja_pass_arg"):
            return super().call(called, *args, **named)
        named.pop("_block_vars", None)
        named.pop("_loop_vars", None)
        return called(*args, **named)


class QuickEnvironment(Environment):
    """Flask's own, for an app whose globals all stand before its first page is asked for.

    How a template is indented is for people; pages do without it, each a twentieth lighter.

    At each import of a template Jinja compares the names of its globals with those of the page; in
    the chain of maps that it otherwise keeps them in this took a fifth of a page's time.
    """

    context_class = QuickContext

    def preprocess(self, source: str, name: str | None = None, filename: str | None = None) -> str:
        """Take the indents from a template; its lines keep their numbers."""
        return INDENTS.sub(BLANK, super().preprocess(source, name, filename))

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        parsed: nodes.Template = Sentences().visit(super()._parse(source, name, filename))
        return parsed

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Lay the globals of a template over those of the app."""
        return {**self.globals, **(d or {})}
