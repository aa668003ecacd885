"""Tests of the quick answers."""
