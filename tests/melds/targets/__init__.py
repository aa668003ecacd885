"""Tests of what looks for the nearest target of a contract."""
