"""Hypothesis strategies for cards, hands and whole games."""

from hypothesis import strategies as st

from companion.cards import NATURALS, Card, Hand, Rank, Suit
from companion.melds import RANKS, Contract, MeldSpec
from companion.rules.validation import LONGEST_MELD, MOST_ALTERNATIVES, MOST_MELDS


def naturals(suits: bool | None = None) -> st.SearchStrategy[Card]:
    """Cards other than jokers; with suits, without, or either."""
    told = (
        st.sampled_from(Suit)
        if suits
        else st.none()
        if suits is False
        else st.none() | st.sampled_from(Suit)
    )
    return st.builds(Card, st.sampled_from(NATURALS), told)


def hands(max_size: int = 16, *, suits: bool | None = None) -> st.SearchStrategy[Hand]:
    """Hands of any cards, jokers among them."""
    cards = naturals(suits) | st.just(Card(Rank.JOKER))
    return st.lists(cards, max_size=max_size).map(tuple)


def contracts() -> st.SearchStrategy[Contract]:
    """Contracts of every kind that rules allow."""
    melds = st.builds(
        MeldSpec,
        kind=st.sampled_from(["set", "run"]),
        size=st.integers(1, LONGEST_MELD),
        exact=st.sampled_from([None, None, True, False]),
        ranks=st.lists(
            st.sampled_from([name for name in RANKS if name != "joker"]), max_size=3, unique=True
        ).map(tuple),
        suits=st.sampled_from(["same", "same", "any", "different"]),
        wilds=st.sampled_from([None, None, 0, 1, 2]),
    )
    alternatives = st.lists(melds, min_size=1, max_size=MOST_MELDS).map(tuple)
    return st.builds(
        Contract,
        melds=alternatives,
        or_melds=st.lists(alternatives, max_size=MOST_ALTERNATIVES - 1).map(tuple),
        all_cards=st.booleans(),
        only_out=st.booleans(),
    )
