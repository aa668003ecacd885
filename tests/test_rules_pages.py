"""The rules pages: every number drawn from the rules that score, every example shown."""

import pytest

from companion.rules import Variant, all_variants, load_examples
from companion.rules.contracts import contract_words
from companion.rules.words import value_rows

from .pages import Phone
from .playing import start

KEYS = [variant.key for variant in all_variants()]


@pytest.mark.parametrize("key", KEYS)
def test_every_worked_example_is_shown(lone: Phone, key: str) -> None:
    page, examples = lone.show(f"/rules/{key}"), load_examples(key)
    told = " ".join(page.text.split())
    titles = [worked.title for worked in examples.hands]
    titles += [worked.title for worked in examples.deals]
    titles += [worked.title for worked in examples.games]
    assert titles
    assert not [title for title in titles if title not in told]


@pytest.mark.parametrize("variant", all_variants(), ids=KEYS)
def test_contracts_and_values_are_those_that_score(lone: Phone, variant: Variant) -> None:
    page = lone.show(f"/rules/{variant.key}")
    for deal in variant.deals:
        assert deal.contract is None or contract_words(deal.contract) in page.text
    rows = [" ".join(row.to_text().split()) for row in page.all("#values tbody tr")]
    assert rows == [f"{ranks} {points}" for ranks, points in value_rows(variant.melds)]


def test_a_house_rule_rewrites_the_page_of_its_game(lone: Phone) -> None:
    """Joker 15 and twos wild at 25: the game's page says so, the book's does not."""
    fields = {"rule_joker": "15", "rule_deuces_wild": "25"}
    table = start(lone, "contract-rummy", "Ann", "Bob", "Cleo", **fields)
    assert "Our house: 2 differences" in table.text
    page = lone.show("/rules/contract-rummy?game=1")
    rows = [" ".join(row.to_text().split()) for row in page.all("#values tbody tr")]
    assert "joker 15" in rows
    assert "2 25" in rows
    assert "Wild: joker, 2." in page.text
    assert "Your house against the book: 2 differences" in page.text
    assert "Your house" not in lone.show("/rules/contract-rummy").text
