"""Hypothesis strategies for cards, hands and whole games."""

from hypothesis import strategies as st

from companion.cards import NATURALS, Card, Hand, Rank, Suit


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
