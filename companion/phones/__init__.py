"""Phones: the links that let them in, what they may do, the hands that they report."""
