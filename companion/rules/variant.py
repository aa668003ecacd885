"""The typed shape of a game's rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace as with_fields

from companion.cards import Pack, Refusal
from companion.melds import RANKS, Contract, MeldRules

AS_PLAYED = "As it was played, by its old scores"
"""The source of rules that an old game was kept under."""
TOTAL = "total"
"""The word for the one deal of an old game of which only totals are known."""


class VariantError(Refusal):
    """Rules that contradict themselves; every line begins with the path to its fault."""


class _Rules(Struct, frozen=True, forbid_unknown_fields=True):
    pass


class Players(_Rules, frozen=True):
    """How many can play, and how many it plays best with; `sides`: so many make one side.

    Where a source only calls a number `usual`, from which to which, others may play and are warned.
    """

    min: int
    max: int
    best: str = ""
    sides: int = 0
    usual: tuple[int, int] | None = None

    def is_unusual(self, players: int) -> bool:
        """Return whether so many can play, but usually do not."""
        return self.usual is not None and not self.usual[0] <= players <= self.usual[1]


class PackRow(_Rules, frozen=True):
    """The cards in play from one number of players to another."""

    players: tuple[int, int]
    decks: int
    jokers: int = 0


class DealRules(_Rules, frozen=True):
    """One deal of the game: cards to each player and, where the game has them, the contract.

    `goout`: whether the last card must be, may be or cannot be a discard. `buys` and `wilds` are
    this deal's own limit of discards taken out of turn and its own wild ranks. `task` says what is
    to be done where the cards are not ours to judge.
    """

    dealt: int
    contract: Contract | None = None
    goout: Literal["discard", "either", "no_discard"] = "discard"
    buys: int | None = None
    wilds: tuple[str, ...] | None = None
    task: str = ""


class Turn(_Rules, frozen=True):
    """What the table does during a deal and the page must say.

    `last_turn`: once somebody has gone out the others have one more turn each.
    """

    upcard: bool = True
    first_player: Literal["normal", "two_turns", "stock_only"] = "normal"
    first_dealer: Literal["low_card", "high_card", "free"] = "free"
    next_dealer: Literal["in_turn", "winner"] = "in_turn"
    direction: Literal["left", "right"] = "left"
    draw: Literal["top_discard", "deep_discard", "stock"] = "top_discard"
    rediscard: bool = True
    layoff: Literal["never", "later_turns", "others_at_once", "at_once"] = "never"
    new_melds: bool = False
    last_turn: bool = False
    stock_out: Literal["reshuffle", "reshuffle_keep_top", "end_and_score", "void"] = "reshuffle"


class Pickup(_Rules, frozen=True):
    """Taking a discard out of turn, which many tables call buying.

    `limit` counts in a deal or in the game, 0 is none; `penalty_cards` come from the stock with
    the discard. `may_refuse`: the player in turn may keep the discard from the one who wants it.
    `forces_stock`: after that the player in turn must draw from the stock.
    """

    allowed: bool = False
    penalty_cards: int = 0
    penalty_points: int = 0
    priority: Literal["turn_order", "dealer_left", "first_call"] = "turn_order"
    limit: int = 0
    limit_scope: Literal["deal", "game"] = "deal"
    carry_over: bool = False
    who: Literal["all", "not_down"] = "all"
    may_refuse: bool = True
    forces_stock: bool = False
    own_discard: bool = False
    older_discards: bool = False


class JokerTrade(_Rules, frozen=True):
    """Taking a wild card off the table for the card it stands for."""

    allowed: bool = False
    who: Literal["anyone", "down"] = "down"
    when: Literal["any_time", "own_turn", "on_melding"] = "own_turn"
    from_sets: bool = True
    set_any_suit: bool = False
    set_cards: int = 1
    same_turn: bool = False
    use: Literal["keep", "at_once"] = "keep"


class Knock(_Rules, frozen=True):
    """When a player may end the deal early and what a knock that is beaten costs.

    `last_turn`: the others have one more turn; `layoff`: they may lay off on the knocker's melds.
    `rummy` says when all cards must be melded.
    """

    limit: int
    below: int
    penalty: int
    penalty_mode: Literal["add", "double_count"] = "add"
    tie: Literal["ok", "penalty"] = "ok"
    discards_first: bool = False
    first_turn: bool = True
    last_turn: bool = False
    layoff: bool = False
    rummy: Literal["start_of_turn", "after_draw", "both"] = "start_of_turn"


class InstantWin(_Rules, frozen=True):
    """A hand that wins the whole game at once; `cards` names the rank and how many of it."""

    name: str
    rank: str
    count: int
    score_deal: bool = False
    when: Literal["any_reveal", "own_turn"] = "any_reveal"


class ZipRules(_Rules, frozen=True):
    """What makes a zip: at least so many cards whose signed values sum to zero.

    `spare_discard`: of several discards taken, one that need not be zipped may be thrown at once.
    """

    min_cards: int = 2
    keep_discard: bool = True
    spare_discard: bool = True


class Bids(_Rules, frozen=True):
    """What tricks count where players say beforehand how many they will take.

    `made` and, for each trick, `trick` are for who took as many as they bid; who did not gets
    `off` for each trick more or fewer, and `missed` for each trick taken. `uneven`: whoever bids
    last may not make the bids come to as many as there are tricks.

    `at_least`: a bid is met by more tricks too, and `trick` is for each trick of the bid; each one
    beyond it brings `over` and is a bag, of which every `bags` bring `bags_points`. Who took fewer
    gets `lost` for each trick bid. `by_hand`: the table works all of it out itself.
    """

    made: int
    trick: int
    off: int = 0
    missed: int = 0
    uneven: bool = False
    at_least: bool = False
    over: int = 0
    lost: int = 0
    bags: int = 0
    bags_points: int = 0
    by_hand: bool = False


class PointRules(_Rules, frozen=True):
    """What is written down of a deal in a game whose cards we do not count.

    `ended` is what the player who ended the deal gets: points as everybody (nobody is asked who it
    was), none, those of all the others, or their own `doubled`, where they are positive and
    somebody else has no more; `closing` says in the past what that player did. Points are
    multiples of `step`; `together` is what those of a deal add up to, 0 for anything. `begins` is
    what the table does before each deal, by the number of players, from the first again after the
    last. `order`: nothing passes round the table, the deal does, or the deal and with it who
    starts. Where a deal has a worth, `lost` times as much goes to who lost alone, and with
    `alone_only` nothing to the others. `openings` say from which total on a first meld must count
    how much; `dealt_for` is how many tricks there are for a number of players, where it differs.
    """

    ended: Literal["", "none", "takes", "doubled"] = ""
    closing: str = "went out"
    begins: tuple[tuple[int, tuple[str, ...]], ...] = ()
    order: Literal["", "deals", "starts"] = ""
    negative: bool = False
    step: int = 1
    together: int = 0
    bids: Bids | None = None
    alone_only: bool = False
    openings: tuple[tuple[int, int], ...] = ()
    dealt_for: tuple[tuple[int, int], ...] = ()
    lost: int = 1


class Bonus(_Rules, frozen=True, kw_only=True):
    """Points for something that happened in a deal, told by the table or known from the rest.

    `who`: the player who went out, one player at most, or anybody. `counts`: the points are for
    each time. `payer`: the holder's own score changes, each opponent pays the holder, or the holder
    passes the points on to each of the others.
    `bags`: each is a trick beyond the bid; `nil`: it says how a bid of nothing went. `full`:
    so many of it bring `full_points` together. `given`: when the table says so, always, or if no
    counted bonus was told. Of the bonuses of one `group` only the largest counts. `doubles`: the
    cards of all the others count twice.
    """

    key: str
    name: str
    points: int
    who: Literal["out", "one", "each"] = "out"
    counts: bool = False
    payer: Literal["self", "each_opponent", "passed_on"] = "self"
    given: Literal["told", "always", "if_none"] = "told"
    group: str = ""
    doubles: bool = False
    bags: bool = False
    nil: bool = False
    full: int = 0
    full_points: int = 0


class NotDown(_Rules, frozen=True):
    """What it costs beside the cards not to have met the contract when a deal ends."""

    points: int = 0
    double: bool = False


class Scoring(_Rules, frozen=True):
    """What is counted when a deal ends.

    Of a game whose cards we do not count: `points` as they are written down; only who won
    (`winner`), or who won and what it was worth (`worth`).
    """

    entry: Literal["cards_left", "unmelded", "zips", "payments", "points", "winner", "worth"]
    out_points: int = 0
    bonuses: tuple[Bonus, ...] = ()
    not_down: NotDown = NotDown()
    knock: Knock | None = None
    instant_win: InstantWin | None = None
    zips: ZipRules | None = None
    points: PointRules | None = None


class Elimination(_Rules, frozen=True):
    """The score at which a player is out, and what happens if that is everybody at once."""

    at: int
    op: Literal[">=", ">"] = ">="
    all_out: Literal["lowest", "extra_deal", "replay"] = "lowest"

    def takes(self, total: int) -> bool:
        """Return whether a player with this total is out."""
        return total >= self.at if self.op == ">=" else total > self.at


class Ending(_Rules, frozen=True):
    """How the game ends, who has won and who wins a tie.

    `deals` is the number of deals where it is not that of the contracts: the last one repeats;
    each row of `deals_for` says it for one number of players.
    `target` ends a game `until_score`, and so does a total as low as `bottom`; no total falls
    below `floor`. `until_contracts_met`: each player stays on a contract until it is met, and who
    meets the last one ends the game; `first_out`: of those who met it in one deal, who went out is
    ahead, whatever the points. `until_stopped`: the table says when it is over.

    A tie for the first place is settled by an `extra_deal` of the tied, or everybody plays on
    until it is. `first_there`: the first to reach the target has won and nobody passes it; a bonus
    `first` says who that was.
    """

    length: Literal[
        "fixed", "until_one_left", "until_score", "until_contracts_met", "until_stopped"
    ] = "fixed"
    deals: int = 0
    deals_for: tuple[tuple[int, int], ...] = ()
    target: int = 0
    bottom: int = 0
    winner: Literal["lowest", "highest", "last_standing", "furthest"] = "lowest"
    first_out: bool = False
    tiebreak: Literal[
        "shared", "most_deals_won", "best_last_deal", "extra_deal", "play_on", "first_there"
    ] = "shared"
    floor: int | None = None
    eliminate: Elimination | None = None

    def is_reached(self, totals: Iterable[int]) -> bool:
        """Return whether one of these totals ends a game that goes up to a score."""
        ends = (one >= self.target or (self.bottom and one <= self.bottom) for one in totals)
        return self.length == "until_score" and any(ends)

    @property
    def cost(self) -> int:
        """What a point costs: 1, or -1 where the highest total wins; the least cost is best."""
        return -1 if self.winner == "highest" else 1


class Option(_Rules, frozen=True):
    """One answer to a choice, and what it changes in the rules (a patch of the same shape)."""

    value: str | int | bool
    label: str
    changes: dict[str, Any] = {}


class Choice(_Rules, frozen=True):
    """A house rule that a table may choose; the first option is the book's.

    It is offered where the conditions of `when` hold: elsewhere no answer would change anything.
    """

    key: str
    question: str
    rule: str
    options: tuple[Option, ...]
    when: tuple[str, ...] = ()

    def option(self, value: object) -> Option:
        """Find the option with this value.

        Raises `VariantError` naming the values that there are.
        """
        for option in self.options:
            # Forms and addresses bring every value as text.
            if option.value == value or str(option.value) == str(value):
                return option
        known = ", ".join(str(option.value) for option in self.options)
        raise VariantError(f"choices.{self.key}: {value} is not one of {known}")


class Variant(_Rules, frozen=True, kw_only=True):
    """The complete rules of one named game.

    Values are points, sizes are cards. `chosen` lists the house rules taken: choice to value.
    A game whose deals are points has no packs and no melds.
    """

    key: str
    name: str
    aliases: tuple[str, ...] = ()
    extends: str = ""
    summary: str
    source: str
    verified: Literal["source", "read", "assumed"]
    assumed: str = ""
    deal_word: str = "deal"
    contract_word: str = "contract"
    players: Players
    packs: tuple[PackRow, ...] = ()
    turn: Turn = Turn()
    pickup: Pickup = Pickup()
    joker_trade: JokerTrade = JokerTrade()
    deals: tuple[DealRules, ...] = (DealRules(dealt=0),)
    melds: MeldRules = MeldRules()
    scoring: Scoring
    ending: Ending = Ending()
    choices: tuple[Choice, ...] = ()
    chosen: dict[str, str | int | bool] = {}

    def pack(self, players: int) -> Pack:
        """Return the cards in play for so many players.

        Raises `VariantError` where that many cannot play.
        """
        for row in self.packs:
            if row.players[0] <= players <= row.players[1]:
                return Pack(row.decks, row.jokers)
        # A game of points has no cards to speak of, and a pack of none keeps its record like the
        # others.
        if not self.has_cards and self.players.min <= players <= self.players.max:
            return Pack(0, 0)
        raise VariantError(self.wrong_players(players))

    def for_players(self, players: int) -> Variant:
        """Return the rules as so many players begin with them: how many deals, and tricks."""
        variant, points = self, self.scoring.points or PointRules()
        if deals := dict(self.ending.deals_for).get(players):
            variant = with_fields(variant, ending=with_fields(self.ending, deals=deals))
        if dealt := dict(points.dealt_for).get(players):
            each = tuple(with_fields(deal, dealt=dealt) for deal in self.deals)
            variant = with_fields(variant, deals=each)
        return variant

    def wrong_players(self, players: int) -> str:
        """Say in a sentence that this number cannot play."""
        most = "" if self.players.min == self.players.max else f" to {self.players.max}"
        return f"{self.name} is for {self.players.min}{most} players, not {players}."

    def deal(self, step: int) -> DealRules:
        """Find a deal by its number, counted from 1; the last one is dealt again if more follow."""
        # Extra deals and games without end go on with the last contract.
        return self.deals[min(step, len(self.deals)) - 1]

    def begins(self, step: int, players: int) -> str:
        """Return what so many players do before this deal; nothing where the game has no such."""
        rules = self.scoring.points or PointRules()
        turns = dict(rules.begins).get(players)
        return turns[(step - 1) % len(turns)] if turns else ""

    def opening(self, total: int) -> int | None:
        """Return what a first meld must count for a side with this total; None for anything."""
        rules = self.scoring.points or PointRules()
        return max((one for one in rules.openings if one[0] <= total), default=(0, None))[1]

    @property
    def closing(self) -> str:
        """What a player did who ended a deal, in the game's own words."""
        return self.scoring.points.closing if self.scoring.points else "went out"

    def meld_rules(self, step: int) -> MeldRules:
        """Return what makes melds in this deal, which may have wild ranks of its own."""
        wilds = self.deal(step).wilds
        return self.melds if wilds is None else replace(self.melds, wilds=wilds)

    def buys(self, step: int) -> int:
        """Return how many discards a player may take out of turn in this deal; 0 for no limit."""
        # Shanghai's last deals have a limit of their own, others only the game's.
        own = self.deal(step).buys
        return self.pickup.limit if own is None else own

    @property
    def deal_count(self) -> int | None:
        """How many deals the game has; None where that shows in play."""
        if self.ending.length != "fixed":
            return None
        return self.ending.deals or len(self.deals)

    @property
    def last_contract(self) -> str:
        """The last contract by its name, such as phase 10."""
        return f"{self.contract_word} {len(self.deals)}"

    @property
    def plays_off(self) -> bool:
        """Whether a tie for the first place is played off."""
        return self.ending.tiebreak in ("extra_deal", "play_on")

    @property
    def is_endless(self) -> bool:
        """Whether the number of deals is not fixed beforehand."""
        return self.deal_count is None

    @property
    def has_cards(self) -> bool:
        """Whether we know the cards of the game: where we don't, its deals are points."""
        return self.scoring.entry not in ("points", "winner", "worth")

    @property
    def has_minus(self) -> bool:
        """Whether a deal can bring points below nothing: phones need a minus among their keys."""
        scoring, points = self.scoring, self.scoring.points
        of_points = points is not None and (points.negative or points.bids is not None)
        others_pay = scoring.entry in ("zips", "payments", "worth") or bool(scoring.bonuses)
        return of_points or others_pay or min(scoring.out_points, self.pickup.penalty_points) < 0

    @property
    def bids(self) -> Bids | None:
        """What bids and tricks count, where players bid before a deal and the table asks us."""
        bids = self.scoring.points.bids if self.scoring.points else None
        return None if bids and bids.by_hand else bids

    @property
    def asks_winners(self) -> bool:
        """Whether a deal says who won it, and not what each player has."""
        return self.scoring.entry in ("winner", "worth")

    @property
    def has_dealer(self) -> bool:
        """Whether it is known who deals: of a game of points only where its rules say so."""
        points = self.scoring.points
        return self.has_cards or bool(points and points.order)

    @property
    def has_starter(self) -> bool:
        """Whether it is known who plays first."""
        points = self.scoring.points
        return self.has_cards or bool(points and points.order == "starts")

    @property
    def has_jokers(self) -> bool:
        """Whether jokers are played with, whatever the number of players."""
        return any(row.jokers for row in self.packs)

    @property
    def ranks(self) -> list[str]:
        """The ranks that are played with, jokers last and only where a pack has some."""
        there = [name for name in RANKS if name in self.melds.values]
        return [name for name in there if name != "joker" or self.has_jokers]

    @property
    def counted(self) -> dict[str, int]:
        """What each rank that is played with counts, by colour where that matters, jokers last."""
        values, coloured = self.melds.values, self.melds.by_colour
        counted: dict[str, int] = {}
        for name in self.ranks:
            if name in coloured:
                black = self.melds.black_values[name]
                counted |= {f"red {name}": values[name], f"black {name}": black}
            else:
                counted[name] = values[name]
        return counted

    @property
    def has_wilds(self) -> bool:
        """Whether any card that is played with is wild."""
        wild = {*self.melds.wilds, *(name for deal in self.deals for name in deal.wilds or ())}
        return bool(wild - {"joker"}) or ("joker" in wild and self.has_jokers)

    @property
    def has_contracts(self) -> bool:
        """Whether the deals demand contracts."""
        return any(deal.contract for deal in self.deals)

    @property
    def is_as_played(self) -> bool:
        """Whether these are the rules of an old game, cut to what was played of it."""
        return self.source == AS_PLAYED

    @property
    def has_totals_only(self) -> bool:
        """Whether the one deal stands for a whole game, of which only the totals are known."""
        return self.is_as_played and self.deal_word == TOTAL

    @property
    def has_own_sizes(self) -> bool:
        """Whether a contract says of a meld of its own if it may be larger."""
        contracts = [deal.contract for deal in self.deals if deal.contract]
        return any(spec.exact is not None for contract in contracts for spec in contract.melds)

    @property
    def is_each_on_their_own(self) -> bool:
        """Whether each player stays on a contract until it is met."""
        return self.ending.length == "until_contracts_met"

    @property
    def asks_who_went_down(self) -> bool:
        """Whether scoring needs to know who met the contract."""
        return self.is_each_on_their_own or self.scoring.not_down != NotDown()
