"""The judge of `static/judge/judge.js` in a real Chromium, asked in batches."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Route

from tests.melds.proof.beside import Asked, JudgeAnswer

STATIC = Path(__file__).parents[2] / "static"
ORIGIN = "http://judge.test/"
ASK = """
async (text) => {
  const [questions, asked] = JSON.parse(text);
  const { load } = await import('/judge.js');
  const asks = await Promise.all(questions.map((question) => load(question)));
  const told = [];
  for (const [which, hand, pile] of asked) {
    const ask = asks[which];
    const start = performance.now();
    const answer = ask(hand, pile);
    told.push([answer, performance.now() - start]);
  }
  return JSON.stringify(told);
}
"""


@contextmanager
def page_judge(browser: Browser, slowdown: float = 1) -> Iterator[PageJudge]:
    """Open a page that has the judge, in a browser that many times as slow as it is."""
    context = browser.new_context()
    context.route(f"{ORIGIN}**", _serve)
    page = context.new_page()
    page.goto(ORIGIN)
    if slowdown > 1:
        context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slowdown})
    yield PageJudge(page)
    context.close()


def _serve(route: Route) -> None:
    name = route.request.url.removeprefix(ORIGIN)
    if name.endswith(".js"):
        route.fulfill(path=STATIC / "judge" / name, content_type="text/javascript")
    else:
        route.fulfill(body="<!doctype html><title>Judge</title>", content_type="text/html")


class PageJudge:
    """Asks the page."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def timed(self, asked: Sequence[dict[str, Any]]) -> list[tuple[JudgeAnswer | None, float]]:
        """Ask a batch; each answer comes with the milliseconds that it took."""
        written = [json.dumps(one["question"]) for one in asked]
        places = {text: place for place, text in enumerate(dict.fromkeys(written))}
        hands = [
            (places[text], one["hand"], one["pile"])
            for text, one in zip(written, asked, strict=True)
        ]
        text = f"[[{','.join(places)}],{json.dumps(hands)}]"
        return [(told, took) for told, took in json.loads(self._page.evaluate(ASK, text))]

    def ask(self, asked: Iterable[Asked]) -> list[JudgeAnswer | None]:
        """Ask a batch; None where the page would rather ask the server."""
        return [told for told, _ in self.timed([one.as_data() for one in asked])]
