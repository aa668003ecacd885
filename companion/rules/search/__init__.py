"""Answers at the table: which rules of which game a query is about, however it is worded.

A query names a game, or the game of the page is meant (`games`); its words are read (`text`,
`figures`) for their subject (`model`), and the rules of that subject are ranked (`ranking`).
"""

from .ranking import LONGEST, SHOWN, THIS_DEAL, Answer, Query, Reply, search, search_all

__all__ = ["LONGEST", "SHOWN", "THIS_DEAL", "Answer", "Query", "Reply", "search", "search_all"]
