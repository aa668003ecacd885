"""The judge's sentences, one truth for the server and for the judge in the page."""

from __future__ import annotations

VERDICT_WORDS = {
    "holds": "Yes, you can go down.",
    "holds-both": "Yes, you can go down and out.",
    "holds-out": "Yes, but only in the turn in which you go out.",
    "place-1": "One of the cards left over must find a place on the table in that turn.",
    "place": "{many} of the cards left over must find a place on the table in that turn.",
    "keep": "You need one card more, to discard.",
    "never": "No, and no cards you draw can make it.",
    "over-1": "Not yet: the melds are there, but 1 card is left over, and all must be melded.",
    "over": "Not yet: the melds are there, but {many} cards are left over, and all must be melded.",
    "short-1": "Not yet: 1 card short. {help}",
    "short": "Not yet: {many} cards short. {help}",
    "help-0": "No single card brings it nearer.",
    "help-1": "One card helps.",
    "help": "These {many} cards help.",
    "wins": "You hold {name}: they win the game.",
    "rummy": "Rummy: every card is melded. Declare it before you draw.",
    "rummy-discard": "Rummy: discard the {card}, and every other card is melded.",
    "draw-first": "Not yet: draw first, and the card you draw counts too. {draws}",
    "discard-first": "Not yet: draw and discard first. {draws}",
    "draws-0": "No card you can draw lets you {do}.",
    "draws-all": "Any card you draw lets you {do}.",
    "draws-1": "One card lets you {do}.",
    "draws": "These {many} cards let you {do}.",
    "odds-every": "{helps} of the {there} cards you can't see: every draw.",
    "odds-about": "{helps} of the {there} cards you can't see: about {some} in {many} each draw.",
    "odds": "{helps} of the {there} cards you can't see: {some} in {many} each draw.",
    "knock": "knock",
    "end": "end the {deal}",
    "go-out": "go out",
    "yes": "Yes. {left}",
    "no": "No. {left}",
    "left-limit": "You have {points} left over; your limit is {limit}.",
    "left-rummy": "You have {points} left over; only rummy is left to you.",
    "left": "You have {points} left over.",
    "discarding": "Discarding the {card} leaves {points}.",
    "discarding-instead": "If you'd rather play on, discarding the {card} leaves {points}.",
    "first-turn": "You can't knock in your first turn.",
    "knocked-out": "This knock puts you on {total} and out of the game.",
    "out": "Yes. Every card is melded.",
    "out-discard": "Yes. Discard the {card}; every other card is melded.",
    "out-draw": "Not yet: draw first. {draws}",
    "zip-out-discard": "Yes, all but your discard sums to zero.",
    "zip-out": "Yes, it all sums to zero.",
    "zip-no": "No, not all of it sums to zero.",
    "zip": "You can zip {points} points.",
    "zip-none": "There is no zip here.",
    "zip-discard": "Go out by discarding {cards}.",
    "zip-pile": "Worth taking from the pile: {cards}.",
    "or": " or ",
    "and": ", ",
}


def say(key: str, **values: object) -> str:
    """Say a sentence with its values.

    >>> say("left", points=7)
    'You have 7 left over.'
    """
    return VERDICT_WORDS[key].format(**values)


def say_many(key: str, many: int, **values: object) -> str:
    """Say a sentence of a number, which may have words of its own for that number.

    >>> say_many("help", 0), say_many("help", 4)
    ('No single card brings it nearer.', 'These 4 cards help.')
    """
    own_words = f"{key}-{many}"
    return say(own_words if own_words in VERDICT_WORDS else key, many=many, **values)
