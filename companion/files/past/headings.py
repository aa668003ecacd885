"""The words by which people and programs name columns and rows, in the larger languages."""

from __future__ import annotations

import re
from functools import lru_cache

_JOINED_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")
MOST_HEADING = 80


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


DATES = word_set(
    "date day datum tag fecha dia data jour evening played when night abend on session giorno "
    "datetime timestamp playdate"
)
GAMES = word_set("game spiel juego jeu gioco boardgame variant")
DEALS = word_set(
    "deal deals hand hands round rounds rd runde mano ronda main manche nr no number #"
)
PLAYERS = word_set("player name spieler spielerin jugador joueur giocatore who person")
POINTS = word_set("score scores points punkte puntos pts pkt punti pontos")
"""What a column of points may be called beside a player's bid, tricks or total."""
SCORES = POINTS | word_set("total result value gesamt ergebnis")
BESIDE = word_set("bid bids tricks trick won made took stiche ansage cards phase contract")
WINNERS = word_set("winner winners won sieger gewinner ganador gagnant")
TOTALS = word_set(
    "total totals sum summe gesamt final result suma totaal totale ergebnis end "
    "subtotal zwischensumme zwischenstand endstand"
)
OTHERS = word_set(
    "average avg mean schnitt durchschnitt media moyenne best worst wins rank place notes note "
    "comment comments remarks bemerkung location ort where host duration time dealer lowest "
    "highest median count games played id uuid time uhrzeit hora weekday year ppg per season "
    "saison cards karten players diff kasse check control kontrolle wert anzahl faktor bock "
    "spielwert table tisch schneider sonstiges"
)
STATISTICS = word_set("wins siege losses niederlagen average schnitt avg victories defeats")
"""Of players, not of a game."""
FEET = TOTALS | OTHERS | {"max", "min"}
"""What a row at the foot is called; *Max* above a column is a player."""

KNOWN = DATES | GAMES | DEALS | PLAYERS | SCORES | WINNERS | TOTALS | OTHERS


@lru_cache(4096)
def word(text: str) -> str:
    """Return a heading without case, marks and what stands around it; playerName is two words."""
    apart = _JOINED_WORDS.sub(" ", text[:MOST_HEADING]).replace("_", " ")
    return apart.casefold().strip(" :.*()")


def words_of(text: str) -> set[str]:
    """Return what a heading may be known by: the whole of it, its last or its first word.

    >>> sorted(words_of("Game date")), words_of("Ann")
    (['date', 'game date'], {'ann'})
    """
    heading = word(text)
    words = heading.split()
    if words[1:] == ["id"] and words[0] not in PLAYERS:
        words.pop()  # a game's id tells games apart, a player's is nobody's name
    parts = [word for word in (*words[-1:], *words[:1]) if word in KNOWN]
    return {heading, *parts[:1]}
