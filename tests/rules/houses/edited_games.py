"""Families' own games, made with the form or by their answers."""

from hypothesis import strategies as st

from companion.rules import Variant, card_games, load, with_choices
from companion.rules.form_fields import shown
from companion.rules.form_reader import read_form

SHANGHAI, LIVERPOOL = load("shanghai"), load("liverpool")


def houses() -> st.SearchStrategy[Variant]:
    """Any game of the catalogue, with any answers that go together."""

    def answers(variant: Variant) -> st.SearchStrategy[Variant]:
        options = {
            choice.key: st.sampled_from([option.value for option in choice.options])
            for choice in variant.choices
        }
        chosen = st.fixed_dictionaries({}, optional=options)
        return chosen.map(lambda taken: with_choices(variant, taken))

    return st.sampled_from(card_games()).flatmap(answers)


def edited(base: Variant, **changed: str) -> Variant:
    """The game that the form makes when these fields are changed, dots written as `__`."""
    form = {name.replace("__", "."): text for name, text in changed.items()}
    made, faults = read_form(base, shown(base) | form, "our-game")
    assert faults == []
    assert made
    return made
