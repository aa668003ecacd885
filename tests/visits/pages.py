"""Pages as a browser reads them: elements, words, links, and forms that are filled in."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import islice
from urllib.parse import parse_qsl, urlsplit

from selectolax.lexbor import LexborHTMLParser
from selectolax.lexbor import LexborNode as Element
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
    def document(self) -> LexborHTMLParser | None:
        """The page, read when somebody looks; None for no page."""
        is_page = "html" in self.response.headers.get("Content-Type", "")
        return parsed(self.html) if is_page and not 300 <= self.status < 400 else None

    @cached_property
    def elements(self) -> list[Element]:
        """Every element in the order of the page."""
        return self.all("*")

    @cached_property
    def labels(self) -> dict[str, str]:
        """The words of each label by the control that it is for."""
        found = [(attribute(one, "for"), one) for one in reversed(self.elements)]
        return {name: words(one) for name, one in found if name and one.tag == "label"}

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
        assert self.document is not None, f"{self.path} is no page"
        return self.document.css(selector)

    def one(self, selector: str) -> Element:
        """Find the only element that fits."""
        found = self.all(selector)
        assert len(found) == 1, f"{len(found)} of {selector} on {self.path}"
        return found[0]

    def say(self, selector: str) -> str:
        """Read what the first element that fits says."""
        found = self.all(selector)
        return words(found[0]) if found else ""

    def said(self, selector: str) -> list[str]:
        """Read what every element that fits says."""
        return [words(one) for one in self.all(selector)]

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

    def form_with(self, part: str) -> Filled:
        """Take the only form that has this in its address or its words."""
        fitting = [f for f in self.forms() if part in f.action or part in words(f.element)]
        assert len(fitting) == 1, f"{len(fitting)} forms with {part} on {self.path}"
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
        return [node for node in walk(self.element) if node.tag in CONTROLS]

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
        if control.tag == "select":
            offered = [attribute(option, "value") for option in control.css("option")]
            assert text in offered, f"{text} is not offered: {offered}"
        self.typed[attribute(control, "name")] = text
        return self

    def data(self) -> dict[str, str]:
        """Gather what a browser would send, without the button."""
        sent: dict[str, str] = {}
        for control in self.controls():
            radio = attribute(control, "type") in ("radio", "checkbox")
            if "disabled" not in control.attrs and (not radio or "checked" in control.attrs):
                sent[attribute(control, "name")] = value_of(control)
        return sent | self.typed

    def button(self, wanted: str = "") -> dict[str, str]:
        """Find a visible button by its words or its value, and say what it adds."""
        buttons = [b for b in self.element.css("button") if is_shown(b)]
        buttons = [b for b in buttons if attribute(b, "type") in ("", "submit")]
        exact = [b for b in buttons if wanted in (attribute(b, "value"), words(b))]
        found = exact or [b for b in buttons if wanted in words(b)]
        assert found, f"no button {wanted} on {self.page.path}"
        name = attribute(found[0], "name")
        return {name: attribute(found[0], "value")} if name else {}


@lru_cache(maxsize=32)
def parsed(html: str) -> LexborHTMLParser:
    """Read a page without what its templates hold: no browser shows it."""
    return LexborHTMLParser(html)


def walk(element: Element) -> Iterator[Element]:
    """Yield every element below one, in the order of the page."""
    return islice(element.traverse(), 1, None)


def words(element: Element) -> str:
    """Read an element's words, blanks folded."""
    return " ".join(element.text().split())


def spaced(element: Element) -> str:
    """Read an element's words with a blank between its parts."""
    return " ".join(element.text(separator=" ").split())


def attribute(element: Element, name: str) -> str:
    """Give an attribute's value, empty where there is none."""
    return element.attrs.sget(name)


def value_of(control: Element) -> str:
    """Give what stands in a control."""
    if control.tag == "textarea":
        return control.text()
    if control.tag == "select":
        options = control.css("option")
        chosen = [option for option in options if "selected" in option.attrs]
        return attribute((chosen or options)[0], "value")
    return attribute(control, "value")


def label_of(page: Page, control: Element) -> str:
    """Read a control's label: around it, for it, or named by it."""
    around = control.parent
    while around is not None and around.tag != "label":
        around = around.parent
    if around is not None:
        return words(around)
    return page.labels.get(attribute(control, "id"), attribute(control, "aria-label"))


def is_shown(element: Element) -> bool:
    """Tell whether a browser without scripts shows an element."""
    node: Element | None = element
    while node is not None and node.is_element_node:
        if "hidden" in node.attrs:
            return False
        node = node.parent
    return True


def packed(page: Page, *assets: bytes) -> int:
    """Weigh a page and its files as they travel, compressed."""
    return sum(len(gzip.compress(part, 6)) for part in (page.response.data, *assets))


def query_of(link: str) -> dict[str, str]:
    """Read the query of an address."""
    return dict(parse_qsl(urlsplit(link).query, keep_blank_values=True))
