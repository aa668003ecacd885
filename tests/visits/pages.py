"""Pages as a browser reads them: elements, words, links, and forms that are filled in."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from justhtml import JustHTML
from justhtml.dom import Element, Node
from werkzeug.test import TestResponse

CONTROLS = ("input", "select", "textarea")


class PageError(AssertionError):
    """A page that breaks a promise every page makes."""


@dataclass
class Page:
    """One answer: where it came from, and what it shows."""

    path: str
    status: int
    response: TestResponse

    @property
    def document(self) -> JustHTML | None:
        """The page and every error of its HTML, read when somebody looks; None for no page."""
        is_page = "html" in self.response.headers.get("Content-Type", "")
        return parsed(self.html) if is_page and not 300 <= self.status < 400 else None

    @cached_property
    def elements(self) -> list[Element]:
        """Every element in the order of the page."""
        assert self.document is not None, f"{self.path} is no page"
        return list(walk(self.document.root))

    @cached_property
    def labels(self) -> dict[str, str]:
        """The words of each label by the control that it is for."""
        found = [(attribute(one, "for"), one) for one in reversed(self.elements)]
        return {name: words(one) for name, one in found if name and one.name == "label"}

    @property
    def html(self) -> str:
        """The page as it was sent."""
        return self.response.text

    @property
    def text(self) -> str:
        """All that the page says, blanks folded."""
        return self.say("body")

    def all(self, selector: str) -> list[Element]:
        """Find every element that fits."""
        if selector.isalnum():
            return [one for one in self.elements if one.name == selector]
        assert self.document is not None, f"{self.path} is no page"
        return [found for found in self.document.query(selector) if isinstance(found, Element)]

    def one(self, selector: str) -> Element:
        """Find the only element that fits."""
        found = self.all(selector)
        assert len(found) == 1, f"{len(found)} of {selector} on {self.path}"
        return found[0]

    def say(self, selector: str) -> str:
        """Read what the first element that fits says."""
        found = self.all(selector)
        return words(found[0]) if found else ""

    @property
    def heading(self) -> str:
        """The heading of the page."""
        return self.say("h1")

    @property
    def faults(self) -> str:
        """What the page complains about."""
        return self.say("[role=alert]")

    @property
    def doubts(self) -> str:
        """What the page asks about before it saves."""
        return " ".join(words(item) for item in self.all(".notice li, div.doubt p"))

    def links(self) -> list[str]:
        """List where the links of the page lead."""
        return [attribute(link, "href") for link in self.all("a")]

    def link(self, part: str) -> str:
        """Find the first link whose address ends with this, or else holds it."""
        found = [link for link in self.links() if link.endswith(part)]
        found = found or [link for link in self.links() if part in link]
        assert found, f"no link to {part} on {self.path}: {self.links()}"
        return found[0]

    def typed_text(self, name: str) -> str:
        """Read the text area with this id, line by line."""
        return value_of(self.one(f"#{name}"))

    def forms(self) -> list[Filled]:
        """List the forms of the page."""
        here = urlsplit(self.path).path
        return [Filled(self, here, form) for form in self.all("form")]

    def form(self, action: str = "") -> Filled:
        """Take the only form whose address ends so; a change that is offered twice is one."""
        fitting = [form for form in self.forms() if form.action.endswith(action)]
        different = {(form.action, *sorted(form.data().items())): form for form in fitting}
        assert len(different) == 1, f"{len(different)} forms for {action} on {self.path}"
        return fitting[0]


@dataclass
class Filled:
    """A form as somebody filled it in."""

    page: Page
    here: str
    element: Element
    typed: dict[str, str] = field(default_factory=dict)

    @property
    def action(self) -> str:
        """Where the form is sent."""
        return attribute(self.element, "action") or self.here

    def controls(self) -> list[Element]:
        """List every control of the form, hidden ones too."""
        return [node for node in walk(self.element) if node.name in CONTROLS]

    def control(self, label: str) -> Element:
        """Find a visible control by the words of its label, or by its id."""
        shown = [c for c in self.controls() if attribute(c, "type") != "hidden"]
        found = [c for c in shown if attribute(c, "id") == label] or [
            c for c in shown if label in label_of(self.page, c)
        ]
        assert len(found) == 1, f"{len(found)} controls for {label} on {self.page.path}"
        return found[0]

    def value(self, label: str) -> str:
        """Read what stands in a control."""
        return value_of(self.control(label))

    def choose(self, name: str, value: str) -> Filled:
        """Choose one of the offers that share a name."""
        offers = [c for c in self.controls() if attribute(c, "type") == "radio"]
        offered = [attribute(c, "value") for c in offers if attribute(c, "name") == name]
        assert value in offered, f"{value} is not offered for {name}: {offered}"
        self.typed[name] = value
        return self

    def fill(self, label: str, text: str) -> Filled:
        """Type into a control, or choose in it."""
        control = self.control(label)
        if control.name == "select":
            offered = [attribute(o, "value") for o in walk(control) if o.name == "option"]
            assert text in offered, f"{text} is not offered: {offered}"
        self.typed[attribute(control, "name")] = text
        return self

    def data(self) -> dict[str, str]:
        """Gather what a browser would send, without the button."""
        sent: dict[str, str] = {}
        for control in self.controls():
            off = control.attrs and "disabled" in control.attrs
            radio = attribute(control, "type") in ("radio", "checkbox")
            if not off and (not radio or "checked" in (control.attrs or {})):
                sent[attribute(control, "name")] = value_of(control)
        return sent | self.typed

    def button(self, wanted: str = "") -> dict[str, str]:
        """Find a visible button by its words or its value, and say what it adds."""
        buttons = [b for b in walk(self.element) if b.name == "button" and is_shown(b)]
        buttons = [b for b in buttons if attribute(b, "type") in ("", "submit")]
        exact = [b for b in buttons if wanted in (attribute(b, "value"), words(b))]
        found = exact or [b for b in buttons if wanted in words(b)]
        assert found, f"no button {wanted} on {self.page.path}"
        name = attribute(found[0], "name")
        return {name: attribute(found[0], "value")} if name else {}


@lru_cache(maxsize=32)
def parsed(html: str) -> JustHTML:
    """Read a page without what its templates hold: no browser shows it."""
    document = JustHTML(html, sanitize=False, collect_errors=True)
    for template in document.query("template"):
        if isinstance(template, Element):
            template.template_content = None
    return document


def walk(node: Node) -> Iterator[Element]:
    """Yield every element below a node, in the order of the page."""
    for child in node.children or ():
        if isinstance(child, Element):
            yield child
        if isinstance(child, Node):
            yield from walk(child)


def words(node: Node) -> str:
    """Read a node's words, blanks folded."""
    return " ".join(node.to_text(separator="", strip=False).split())


def attribute(element: Element, name: str) -> str:
    """Give an attribute's value, empty where there is none."""
    return (element.attrs or {}).get(name) or ""


def value_of(control: Element) -> str:
    """Give what stands in a control."""
    if control.name == "textarea":
        return control.to_text(separator="", strip=False)
    if control.name == "select":
        options = [option for option in walk(control) if option.name == "option"]
        chosen = [option for option in options if "selected" in (option.attrs or {})]
        return attribute((chosen or options)[0], "value")
    return attribute(control, "value")


def label_of(page: Page, control: Element) -> str:
    """Read a control's label: around it, for it, or named by it."""
    around: Any = control.parent
    while around is not None and around.name != "label":
        around = around.parent
    if around is not None:
        return words(around)
    return page.labels.get(attribute(control, "id"), attribute(control, "aria-label"))


def is_shown(element: Element) -> bool:
    """Tell whether a browser without scripts shows an element."""
    node: Any = element
    while node is not None:
        if isinstance(node, Element) and "hidden" in (node.attrs or {}):
            return False
        node = node.parent
    return True


def packed(page: Page, *assets: bytes) -> int:
    """Weigh a page and its files as they travel, compressed."""
    return sum(len(gzip.compress(part, 6)) for part in (page.response.data, *assets))


def query_of(link: str) -> dict[str, str]:
    """Read the query of an address."""
    return dict(parse_qsl(urlsplit(link).query, keep_blank_values=True))
