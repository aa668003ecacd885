"""A test of each game in the catalogue by itself."""

import pytest

from companion.rules import card_games

EVERY_GAME = pytest.mark.parametrize(
    "variant", card_games(), ids=lambda variant: variant.key, scope="module"
)
