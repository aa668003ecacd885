"""Changes laid over lists, item by item or as a whole."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules import VariantError, extend
from companion.rules.loader import merge
from tests.support.reports import CONTRACT


@pytest.mark.parametrize(
    ("base", "changes", "expected"),
    [
        ({"a": [1, 2, 3]}, {"a": {"2": 9}}, [1, 9, 3]),
        ({"a": [1, 2, 3]}, {"a": {"last": 9}}, [1, 2, 9]),
        ({"a": [1, 2, 3]}, {"a": {"each": 9}}, [9, 9, 9]),
        ({"a": []}, {"a": {"each": 9}}, []),
        ({"a": [1, 2, 3]}, {"a": [9]}, [9]),
        ({"a": [1, 2, 3]}, {"a": 9}, 9),
        ({"a": [{"x": 1, "y": 2}]}, {"a": {"1": {"y": 3}}}, [{"x": 1, "y": 3}]),
        (
            {"a": [{"x": 1}, {"x": 2}]},
            {"a": {"each": {"y": 3}}},
            [{"x": 1, "y": 3}, {"x": 2, "y": 3}],
        ),
        ({"a": [{"x": 1}]}, {"a": {"2": {"x": 2}}}, [{"x": 1}, {"x": 2}]),
        ({"a": [{"x": 1}]}, {"a": {"2": {"x": 2}, "3": {"x": 3}}}, [{"x": 1}, {"x": 2}, {"x": 3}]),
        ({"a": [{"x": 1}, {"x": 2}]}, {"a": {"1": False}}, [{"x": 2}]),
        (
            {"a": [{"x": 1}, {"x": 2}, {"x": 3}]},
            {"a": {"1": False, "3": {"x": 4}}},
            [{"x": 2}, {"x": 4}],
        ),
        ({"a": [[3, 1], [5, 2]]}, {"a": {"2": {"2": 3}}}, [[3, 1], [5, 3]]),
        ({"a": [3, 1]}, {"a": {"1": {"x": 1}}}, [{"x": 1}, 1]),
        (
            {"bonuses": [{"key": "cut", "points": 5}]},
            {"bonuses": {"cut": {"points": 9}}},
            [{"key": "cut", "points": 9}],
        ),
        ({"bonuses": []}, {"bonuses": {"cut": {"points": 9}}}, [{"key": "cut", "points": 9}]),
        (
            {"bonuses": [{"key": "cut"}, {"key": "blind"}]},
            {"bonuses": {"cut": False}},
            [{"key": "blind"}],
        ),
        (
            {"choices": [{"key": "a"}]},
            {"choices": {"last": {"rule": "X"}}},
            [{"key": "a", "rule": "X"}],
        ),
    ],
)
def test_a_table_laid_over_a_list(
    base: dict[str, Any], changes: dict[str, Any], expected: object
) -> None:
    before = repr(base)
    (merged,) = merge(base, changes).values()
    assert merged == expected
    assert repr(base) == before


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"deals": {"0": {"dealt": 7}}}, "deals: there is no number 0, only 1 to 7"),
        ({"deals": {"9": {"dealt": 7}}}, "deals: there is no number 9, only 1 to 7"),
        ({"deals": {"8": False}}, "deals: there is no number 8, only 1 to 7"),
        ({"deals": {"first": {"dealt": 7}}}, "deals: there is no number first, only 1 to 7"),
        ({"deals": {"²": {"dealt": 7}}}, "deals: there is no number ², only 1 to 7"),
        ({"deals": {"9" * 5000: {"dealt": 7}}}, "deals: there is no number 9"),
        ({"choices": {"no such": False}}, "choices: there is no number no such"),
        ({"scoring": {"bonuses": {"cut": False}}}, "bonuses: there is no number cut"),
        ({"scoring": {"bonuses": {"last": {"points": 1}}}}, "bonuses: there is no number last"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_what_is_not_in_a_list_is_not_changed(changes: dict[str, Any], fault: str) -> None:
    with pytest.raises(VariantError) as refused:
        extend(CONTRACT, changes)
    assert str(refused.value).startswith(fault)


@given(st.lists(st.integers(), min_size=1, max_size=6), st.data())
def test_a_change_by_number_is_an_assignment(items: list[int], data: st.DataObject) -> None:
    numbers = st.sampled_from(range(1, len(items) + 1))
    changed = data.draw(st.dictionaries(numbers, st.integers(), max_size=3))
    expected = list(items)
    for number, value in changed.items():
        expected[number - 1] = value
    laid = {str(number): value for number, value in changed.items()}
    assert merge({"a": items}, {"a": laid}) == {"a": expected}
