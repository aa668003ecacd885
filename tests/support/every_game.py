"""A test of each game on the shelf by itself."""

import pytest

from companion.rules import all_variants

EVERY_GAME = pytest.mark.parametrize("variant", all_variants(), ids=lambda variant: variant.key)
