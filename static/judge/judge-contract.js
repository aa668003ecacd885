// Can I go down? Whether a hand holds a contract, how many cards it is short, which cards help.
//
// Whole layouts are tried, and what each lacks is counted (judge-lacking.js): empty places less
// wilds, or what its neediest group of melds is short of.
import {
  capOf,
  chooseBy,
  isAlone,
  isExact,
  looseChoices,
  runChoices,
  sum,
  together,
  ways,
} from './judge-choices.js';
import { countBy, emptyIn, lacksMore, shortIn, spares, wants } from './judge-lacking.js';

const JOKER = 52, RANK = 100;
const MOST_CARDS = 20;
const GUARD = 0x88888888; // a bit above each count of runs laid
const EVERY_CARD = Array.from({ length: 53 }, (_, card) => card);
const suitOf = (card) => Math.trunc(card / 13);

let rules, spend, limited;

export function find(
  { question: { deal, pack }, rules: read, hand, unseen, spend: step },
) {
  const { contract } = deal;
  [rules, spend] = [read, step];
  chooseBy(rules);
  if (
    !contract || !hand.length || hand.length > MOST_CARDS || isBeyond(contract) ||
    !isOfPack(hand, pack)
  ) return null;
  const melds = [...contract.melds, ...contract.or_melds.flat()];
  limited = rules.limited || melds.some((meld) => meld.wilds !== null);
  countBy(rules, spend, limited);
  const held = { cells: new Int8Array(52), wilds: 0 };
  const all = {
    cells: new Int8Array(52).fill(pack.decks),
    wilds: rules.free[JOKER] ? pack.jokers : 0,
  };
  for (const card of hand) add(held, card, 1);
  for (let card = 0; card < 52; card++) if (rules.free[card]) all.wilds += pack.decks;
  return nearest(deal, { hand, unseen, held, all });
}

// Whether these cards can be held: if not, the server says what is wrong.
const isOfPack = (hand, { decks, jokers }) =>
  hand.every((card) =>
    card <= JOKER &&
    hand.filter((other) => other === card).length <=
      (card === JOKER ? rules.free[JOKER] && jokers : decks)
  );

// Whether the answer cannot be proved here.
function isBeyond(contract) {
  return rules.bound || [...contract.melds, ...contract.or_melds.flat()].some((meld) => {
    const leaps = Array.from({ length: 14 }, (_, more) => meld.size + more).some((size) =>
      capOf(meld, size + 1) > capOf(meld, size) + 1
    );
    const isLoose = meld.suits !== 'same', limits = rules.limited && !isExact(meld);
    return (meld.kind === 'set' && isLoose) || meld.size < rules.naturals(meld.kind) ||
      (limits && (leaps || isLoose)) || (isLoose && rules.wilds_apart);
  });
}

function add(cards, card, times) {
  if (card !== JOKER) cards.cells[card] += times;
  if (rules.free[card]) cards.wilds += times;
}

// The search ---

// What several suits lack together, by the runs of each kind in them: empty places, natural cards,
// places that no card of the packs fills.
function joined(some, others, full) {
  const found = new Map();
  for (const [code, lacks] of some) {
    for (const [other, more] of others) {
      if (!fits(full - code, other)) continue;
      if (!found.has(code + other)) found.set(code + other, []);
      for (const one of lacks) {
        for (const another of more) {
          undercut(
            found.get(code + other),
            one.map((many, at) => many + another[at]),
          );
        }
      }
    }
  }
  return found;
}

function undercut(lacks, lack) {
  const isLess = (one, other) => one[0] <= other[0] && one[1] <= other[1] && one[2] <= other[2];
  if (lacks.some((other) => isLess(other, lack))) return;
  lacks.splice(0, lacks.length, ...lacks.filter((other) => !isLess(lack, other)), lack);
}

// Bits are counted in signed numbers of 32: GUARD is one only with | 0.
const fits = (code, own) => ((code | GUARD) - own & GUARD) === (GUARD | 0);

class Search {
  constructor(melds, cards) {
    const key = JSON.stringify,
      sorted = melds.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
    const isRun = (meld) => meld.kind === 'run' && meld.suits === 'same';
    const runs = sorted.filter(isRun), names = runs.map(key);
    Object.assign(this, cards);
    this.size = sum(melds.map((meld) => meld.size));
    this.kinds = [...new Set(names)].map((name) => ({
      count: names.filter((other) => other === name).length,
      choices: runChoices(JSON.parse(name), runs.toSpliced(names.indexOf(name), 1)),
    }));
    this.full = sum(this.kinds.map(({ count }, at) => count << 4 * at));
    this.loose = sorted.filter((meld) => !isRun(meld)).map((meld) => ({
      name: key(meld),
      choices: looseChoices(meld),
    }));
    // What each meld lacks by itself is the least that it can lack beside others.
    const least = (parts) => Math.min(...parts.map((part) => emptyIn([part], this.held.cells)));
    this.bare = this.loose.map(({ choices }) => least(choices.flatMap(({ parts }) => parts)));
    this.single = this.kinds.map(({ choices }) =>
      least(choices.flatMap(({ ranks }) => [0, 1, 2, 3].map((suit) => ({ ranks, suit, cap: 0 }))))
    );
    this.least = sum(this.bare) + sum(this.kinds.map(({ count }, at) => count * this.single[at]));
  }

  // All that may lie in one suit in layouts that lack so little, by how many runs of each kind.
  optionsIn(suit, most) {
    const { held, all, single, kinds } = this,
      found = new Map(),
      asks = new Int8Array(13),
      runs = [];
    const keep = (code, empty, beyond) => {
      if (runs.some((run) => isAlone(run, runs))) return;
      const option = {
        suit,
        runs: [...runs],
        lacks: [empty, 0, beyond],
        over: asks.map((many, rank) => rules.free[rank] ? 0 : held.cells[suit * 13 + rank] - many),
      };
      if (limited) {
        option.lacks[1] = shortIn(partsOf(option), held.cells);
        if (option.lacks[1] > most || shortIn(partsOf(option), all.cells)) return;
      }
      if (!found.has(code)) found.set(code, []);
      found.get(code).push(option);
    };
    const extend = (kind, from, laid, code, empty, beyond, spare) => {
      spend(2);
      keep(code, empty, beyond);
      for (let next = kind; next < kinds.length; next++) {
        const { count, choices } = kinds[next], again = next === kind;
        if (again && laid === count) continue;
        for (let at = again ? from : 0; at < choices.length; at++) {
          const run = choices[at];
          let more = 0, none = beyond;
          for (const rank of run.ranks) {
            const times = ++asks[rank], isFree = rules.free[rank], card = suit * 13 + rank;
            if (isFree || times > held.cells[card]) more++;
            if (isFree || times > all.cells[card]) none++;
          }
          if (
            more - single[next] <= spare && none <= all.wilds &&
            runs.every((other) => together(other, run))
          ) {
            runs.push(run);
            extend(
              next,
              at,
              again ? laid + 1 : 1,
              code + (1 << 4 * next),
              empty + more,
              none,
              spare - more + single[next],
            );
            runs.pop();
          }
          for (const rank of run.ranks) asks[rank]--;
        }
        spend(choices.length);
      }
    };
    const spare = most + held.wilds - this.least;
    if (spare >= 0) extend(0, 0, 0, 0, 0, 0, spare);
    for (const options of found.values()) {
      options.sort((one, other) => one.lacks[0] - other.lacks[0]);
    }
    return found;
  }

  // Show every layout that lacks at most so many cards, until one is enough. Where all melds are
  // runs of one suit, suits only share what they lack.
  visit(most, found) {
    const suits = [0, 1, 2, 3].map((suit) => this.optionsIn(suit, most));
    const lacks = suits.map((options) =>
      new Map([...options].map(([code, all]) => {
        const least = [];
        for (const option of all) undercut(least, option.lacks);
        return [code, least];
      }))
    );
    const nothing = new Map([[0, [[0, 0, 0]]]]);
    const later = lacks.reduceRight((done, own) => [joined(own, done[0], this.full), ...done], [
      nothing,
    ]);
    if (this.loose.length || found.whole) {
      return this.choose(suits, later, most, (layout) => found.learn(layout.parts, layout), found);
    }
    if (!this.choose(suits, later, most, (layout) => found.keep(layout), found)) return false;
    return [...suits.entries()].some(([suit, options]) => {
      const rest = lacks.toSpliced(suit, 1).reduce((some, more) => joined(some, more, this.full));
      return [...options].some(([code, all]) => {
        const others = rest.get(this.full - code) ?? [];
        return all.some((option) =>
          found.learn(
            partsOf(option),
            null,
            suit,
            others.filter((lack) => lack[2] + option.lacks[2] <= this.all.wilds),
          )
        );
      });
    });
  }

  choose(suits, later, most, see, found) {
    const chosen = [], allowed = most + this.held.wilds - sum(this.bare);
    const from = (suit, code, empty, short) => {
      spend();
      if (suit === 4) return this.placeLoose(chosen, empty, most, see, found);
      for (const [own, options] of suits[suit]) {
        const rest = fits(code, own) && later[suit + 1].get(code - own);
        if (rest) {
          for (const option of options) {
            const now = empty + option.lacks[0], lacked = short + option.lacks[1];
            if (
              !rest.some(([more, further]) => now + more <= allowed && lacked + further <= most)
            ) continue;
            chosen.push(option);
            const done = from(suit + 1, code - own, now, lacked);
            chosen.pop();
            if (done) return true;
          }
        }
      }
      return false;
    };
    return from(0, this.full, 0, 0);
  }

  // Lay sets, and runs of any suits, on what the runs leave.
  placeLoose(suits, empty, most, see, found) {
    const laid = [], over = new Int8Array(13);
    if (!this.loose.length) return this.arrive(suits, laid, most, see);
    for (const option of suits) {
      for (let rank = 0; rank < 13; rank++) {
        if (option.over[rank] > 0) over[rank] += option.over[rank];
      }
    }
    const place = (at, from, short) => {
      spend();
      if (at === this.loose.length) {
        return found.isNews(suits, over, short) && this.arrive(suits, laid, most, see);
      }
      const { choices, name } = this.loose[at], later = sum(this.bare.slice(at + 1));
      for (
        let index = at && this.loose[at - 1].name === name ? from : 0;
        index < choices.length;
        index++
      ) {
        const { kind, ranks } = choices[index];
        if (
          kind === 'set' && !rules.same_rank_sets &&
          laid.some((other) => other.kind === 'set' && other.ranks[0] === ranks[0])
        ) continue;
        let more = 0;
        for (const rank of ranks) if (--over[rank] < 0) more++;
        laid.push(choices[index]);
        const done = short + more + later <= most + this.held.wilds &&
          place(at + 1, index, short + more);
        laid.pop();
        for (const rank of ranks) over[rank]++;
        if (done) return true;
      }
      return false;
    };
    return place(0, 0, empty);
  }

  arrive(suits, loose, most, see) {
    const parts = [...suits.flatMap(partsOf), ...loose.flatMap((meld) => meld.parts)];
    if (limited && lacksMore(parts, this.held, most)) return false;
    if (lacksMore(parts, this.all, 0)) return false;
    return see({
      parts,
      melds: [
        ...suits.flatMap((option) => option.runs.map((run) => ({ ...run, suit: option.suit }))),
        ...loose,
      ],
    });
  }
}

const partsOf = (
  option,
) => (option.parts ??= option.runs.flatMap((run) =>
  run.parts.map((part) => ({ ...part, suit: option.suit }))
));

// The answer ---

const [wanted, spared, needed, idle] = [0, 0, 0, 0].map(() => new Uint8Array(53));

function nearest(deal, cards) {
  const { contract } = deal, { hand, held } = cards, whole = contract.all_cards ? hand.length : 0;
  const searches = ways(contract, hand.length).map((melds) => new Search(melds, cards));
  const fewest = Math.min(...searches.map(({ size }) => size));
  const least = Math.min(
    ...searches.map((search) => Math.max(0, search.size - hand.length, search.least - held.wilds)),
  );
  for (let missing = least; missing <= MOST_CARDS; missing++) {
    const found = new Nearest(cards, missing, whole, missing > fewest - hand.length);
    searches.some((search) => search.visit(missing, found));
    if (found.layout) return found.answer(deal);
  }
  return { yes: false, answer: ['never'] };
}

// What the nearest layouts teach: a card helps if with it one of them lacks a card fewer, and is
// free if without it one of them lacks no more. Where every card has its place, none is free.
class Nearest {
  constructor(cards, missing, whole, someFree) {
    const empty = 99, size = 0;
    Object.assign(this, {
      cards,
      missing,
      whole,
      empty,
      size,
      layout: null,
      helping: new Set(),
      free: new Set(),
    });
    this.may = missing ? EVERY_CARD.filter((card) => cards.unseen[card]) : [];
    this.held = missing && !whole && someFree ? [...new Set(cards.hand)] : [];
  }

  // Keep the layout that melds most of a whole hand, with the fewest wilds.
  keep(layout) {
    const empty = emptyIn(layout.parts, this.cards.held.cells);
    const size = Math.min(this.whole, sum(layout.melds.map((meld) => meld.ranks.length)));
    if (!this.layout || size > this.size || (size === this.size && empty < this.empty)) {
      Object.assign(this, { layout, empty, size });
    }
    return true;
  }

  // Whether a layout may teach anything: an empty place for a card, one to spare. It is told by the
  // option in each suit, the cards of each rank that are over, and how many places are empty.
  isNews(options, over, empty) {
    const { may, held, cards: { held: { wilds } } } = this,
      overOf = (card) => options[suitOf(card)].over[card % 13];
    if (
      !this.layout || this.whole || empty - wilds < this.missing ||
      may.some((card) => rules.free[card])
    ) return true;
    return may.some((card) => overOf(card) < 0 || over[card % 13] < 0) ||
      held.some((card) => !rules.free[card] && overOf(card) > 0 && over[card % 13] > 0);
  }

  // Learn from a layout, or from one suit of it and all that the others may lack beside it.
  learn(parts, layout, suit = -1, rest = [[0, 0]]) {
    if (layout) this.keep(layout);
    const { cards: { held: { cells, wilds }, all }, missing, helping, free } = this;
    const lack = (empty, short, lent) =>
      Math.min(...rest.map(([more, further]) => Math.max(0, empty + more - lent, short + further)));
    const now = emptyIn(parts, cells),
      isHere = (card) => suit < 0 || card === JOKER || suitOf(card) === suit;
    for (const card of EVERY_CARD) {
      wanted[card] = !rules.free[card] && wants(card, cells);
      spared[card] = rules.free[card] || spares(card, cells);
      needed[card] = idle[card] = 1;
    }
    needed[JOKER] = 0;
    const lost = (card, short) => lack(now + 1 - spared[card], short, wilds - rules.free[card]);
    const may = this.may.filter((card) => (wanted[card] || rules.free[card]) && isHere(card));
    const held = this.held.filter((card) => isHere(card) && lost(card, 0) <= missing);
    if (!may.length && !held.length) return this.isDone;
    const short = shortIn(parts, cells, () => {
      for (let card = 0; card < JOKER; card++) {
        needed[card] &= wants(card, cells);
        idle[card] &= spares(card, cells);
      }
    });
    if (lack(now, short, wilds) > missing) return false;
    for (const card of may) {
      if (
        lack(now - wanted[card], short - (short > 0 ? needed[card] : 0), wilds + rules.free[card]) <
          missing
      ) helping.add(card);
    }
    for (const card of held) {
      if (lost(card, short + (limited ? 1 - idle[card] : 0)) > missing) continue;
      add(all, card, -1);
      if (suit < 0 ? !lacksMore(parts, all, 0) : !shortIn(parts, all.cells)) free.add(card);
      add(all, card, 1);
    }
    this.may = this.may.filter((card) => !helping.has(card));
    this.held = this.held.filter((card) => !free.has(card));
    return this.isDone;
  }

  get isDone() {
    return !this.may.length && !this.held.length && this.size >= this.whole;
  }

  answer(deal) {
    const { missing, cards: { hand, unseen }, helping } = this,
      { melds: groups, draw } = show(this.layout, this.cards, missing);
    const loose = [...hand, ...draw];
    for (const card of groups.flatMap((meld) => meld.cards)) loose.splice(loose.indexOf(card), 1);
    if (!missing && this.size >= this.whole) return goingDown(deal, groups, loose);
    const free = this.whole ? freeOfWhole(deal.contract, this) : this.free;
    if (!missing) return { yes: false, answer: ['over', { many: loose.length }], groups, free };
    return {
      yes: false,
      answer: ['short', { many: missing, help: ['help', { many: helping.size }] }],
      groups,
      draw,
      free,
      helping,
      unseen,
    };
  }
}

// Where the whole hand must be melded a discard may bring it nearer: then only those are free.
// What else the turn needs in which a contract is laid down.
function goingDown({ contract, goout }, groups, loose) {
  const keep = goout === 'discard' && !loose.length ? [['keep']] : [];
  const place = loose.length - (goout !== 'no_discard');
  const [answer, notes] = !contract.only_out
    ? ['holds', keep]
    : place > 0
    ? ['holds-out', [['place', { many: place }]]]
    : ['holds-both', keep];
  return { yes: true, answer: [answer], notes, groups, loose };
}

function freeOfWhole(contract, { cards: { hand, held, all }, missing }) {
  for (let most = Math.max(0, missing - 1); most <= missing; most++) {
    const free = [...new Set(hand)].filter((card) => {
      for (const cards of [held, all]) add(cards, card, -1);
      const isNear = ways(contract, hand.length - 1).some((melds) =>
        new Search(melds, { held, all }).visit(most, {
          whole: 1,
          learn: () => true,
          isNews: () => true,
        })
      );
      for (const cards of [held, all]) add(cards, card, 1);
      return isNear;
    });
    if (free.length) return free;
  }
  return [];
}

// A layout with the cards drawn for it, card by card.
function show(layout, { hand, held: { cells, wilds: lent }, unseen }, missing) {
  const held = { cells: cells.slice(), wilds: lent }, there = unseen.slice(), draw = [];
  const parts = layout.parts.map((part) => ({ ...part })), rest = [...parts];
  const order = EVERY_CARD.toSorted((one, other) => rules.wild[one] - rules.wild[other]);
  for (let lacks = missing; lacks; lacks--) {
    draw.push(order.find((card) => {
      if (!there[card]) return false;
      add(held, card, 1);
      if (!lacksMore(parts, held, lacks - 1)) return there[card]--;
      add(held, card, -1);
      return false;
    }));
  }
  // Whether nothing lacks once a card, or a wild for null, lies at the next place of a part.
  const lies = (part, card) => {
    const { ranks, cap } = part, wilds = held.wilds;
    if (card === null) held.wilds--;
    else add(held, card, -1);
    Object.assign(part, {
      ranks: ranks.slice(1),
      cap: Math.min(cap - (card === null), ranks.length - 1),
    });
    if (part.cap >= 0 && held.wilds >= 0 && !lacksMore(parts, held, 0)) return true;
    Object.assign(part, { ranks, cap });
    if (card === null) held.wilds = wilds;
    else add(held, card, 1);
    return false;
  };
  const wilds = [...hand, ...draw].filter((card) => rules.free[card]).sort((one, other) =>
    one - other
  );
  const melds = layout.melds.map(({ kind, suit, ranks, parts: places }) => {
    const cards = ranks.map(() => null),
      means = ranks.map((rank) => (suit < 0 ? RANK + rank : suit * 13 + rank));
    for (const part of rest.splice(0, places.length)) {
      for (const place of part.at) {
        const own = [0, 1, 2, 3].map((other) => other * 13 + ranks[place]).filter((card) =>
          held.cells[card] && (suit < 0 || suitOf(card) === suit)
        );
        const card = own.find((natural) => lies(part, natural)) ?? null;
        if (card === null) lies(part, null);
        else if (rules.free[card]) wilds.splice(wilds.indexOf(card), 1);
        cards[place] = card;
        if (suit < 0 && card !== null) means[place] = card;
      }
    }
    return { kind, cards, means };
  });
  return {
    melds: melds.map(({ kind, cards, means }) => ({
      kind,
      means,
      cards: cards.map((card) => card ?? wilds.pop()),
    })),
    draw,
  };
}
