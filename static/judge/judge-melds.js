// May I knock, can I go out? The least points unmelded, and which draws end the deal.
//
// Cards that lie as themselves are bits of a number; for each part of the hand and each number of
// wilds it is remembered what is left over at least. A card drawn lies loose or in a meld of its
// own with cards of the hand, so that one memory answers for every draw.

const JOKER = 52, RANK = 100, NEVER = 2 ** 29;
const POINT = 64; // one loose card less counts less than a point
const MOST_CARDS = 15;

let rules, spend;
const weigh = (card) =>
  rules.values[card === JOKER ? 'joker' : rules.letters[card % 13]] * POINT + 1;
const total = (cards) => cards.reduce((sum, card) => sum + weigh(card), 0);
const many = (mask) => mask.toString(2).replaceAll('0', '').length;
const without = (cards, at) => cards.filter((_, other) => other !== at);

export function find({ question, rules: read, hand, unseen, spend: step }) {
  [rules, spend] = [read, step];
  const { deal: { dealt }, knock, win, pack } = question;
  if (
    hand.some((card) =>
      card > JOKER ||
      hand.filter((other) => other === card).length >
        (card === JOKER ? rules.free[JOKER] && pack.jokers : pack.decks)
    )
  ) return null;
  if (
    knock && win &&
    hand.filter((card) => rules.letters[card % 13] === win.rank && card !== JOKER).length >=
      win.count
  ) return { yes: true, answer: ['wins', { name: win.name }], loose: hand };
  if (![dealt, dealt + 1].includes(hand.length) || hand.length > MOST_CARDS) return null;
  const held = new Held(hand);
  return (knock ? answerKnock : answerGoingOut)(question, held, hand.length > dealt, unseen);
}

// Every meld of some cards with wilds: the cards as bits, and how many wilds; with one that must be
// among them, if asked.
function meldsOf(cards, most, must = -1) {
  const found = new Set();
  const keep = (mask, wilds) => {
    if (mask && (must < 0 || mask >> must & 1)) found.add(mask * 32 + wilds);
  };
  const isAllowed = (size, wilds, kind) =>
    wilds <= rules.cap(size, kind) && size - wilds >= rules.naturals(kind);
  for (const rank of rules.setRanks) {
    const own = [...cards.keys()].filter((at) => cards[at] % 13 === rank && cards[at] !== JOKER);
    if (must >= 0 && !own.includes(must)) continue;
    for (let some = 1; some < 1 << own.length; some++) {
      const lie = own.filter((_, bit) => some >> bit & 1),
        mask = lie.reduce((bits, at) => bits | 1 << at, 0);
      for (let wilds = Math.max(0, rules.set_size - lie.length); wilds <= most; wilds++) {
        if (isAllowed(lie.length + wilds, wilds, 'set')) keep(mask, wilds);
      }
      spend(most + 1);
    }
  }
  const longest = Math.min(rules.run_max, 14);
  const run = (suit, ranks, size, mask, wilds, last) => {
    spend();
    if (size >= rules.run_size && isAllowed(size, wilds, 'run')) keep(mask, wilds);
    if (size === ranks.length || size === longest) return;
    for (let at = 0; at < cards.length; at++) {
      const lies = cards[at] % 13 === ranks[size] &&
        (Math.trunc(cards[at] / 13) === suit || rules.wild[cards[at]] && rules.bound);
      if (lies && !(mask >> at & 1)) run(suit, ranks, size + 1, mask | 1 << at, wilds, false);
    }
    if (wilds < most && !(last && rules.wilds_apart)) {
      run(suit, ranks, size + 1, mask, wilds + 1, true);
    }
  };
  const [first, places] =
    { low: [0, 13], high: [1, 13], either: [0, 14], wild: [1, 12], corner: [0, 26] }[rules.ace];
  for (let suit = 0; suit < 4; suit++) {
    if (must >= 0 && Math.trunc(cards[must] / 13) !== suit && !rules.bound) continue;
    for (let start = 0; start < Math.min(places, 13); start++) {
      run(
        suit,
        Array.from(
          { length: Math.min(places - start, 14) },
          (_, step) => (first + start + step) % 13,
        ),
        0,
        0,
        0,
        false,
      );
    }
  }
  return [...found].map((meld) => [meld >> 5, meld & 31]);
}

// Whether just so many wilds can lie alone, as the size of the first meld of them.
function aloneSize(wilds) {
  for (let size = wilds; size > 0; size--) {
    const isSet = size >= rules.set_size && size <= rules.cap(size, 'set') &&
      !rules.naturals('set');
    const isRun = size >= rules.run_size && size <= rules.run_max &&
      size <= rules.cap(size, 'run') && !rules.naturals('run') && !(rules.wilds_apart && size > 1);
    if ((isSet || isRun) && (size === wilds || aloneSize(wilds - size))) return { size, isSet };
  }
  return null;
}

// A hand of which it is decided which wilds lie in their own place: there they are natural.
class Parted {
  constructor(naturals, wilds) {
    this.naturals = naturals;
    this.wilds = wilds.toSorted((one, other) => weigh(other) - weigh(one));
    this.most = wilds.length + 1; // one more may be drawn
    this.full = (1 << naturals.length) - 1;
    this.known = new Int32Array((this.full + 1) * (this.most + 1)).fill(-1);
    this.byLowest = naturals.map(() => []);
    for (const meld of meldsOf(naturals, this.most)) {
      this.byLowest[31 - Math.clz32(meld[0] & -meld[0])].push(meld);
    }
  }

  // The least weight of a part of the hand, just so many wilds melded.
  cost(mask, wilds) {
    if (!mask) return !wilds || aloneSize(wilds) ? 0 : NEVER;
    const at = mask * (this.most + 1) + wilds;
    if (this.known[at] < 0) {
      spend();
      const lowest = 31 - Math.clz32(mask & -mask);
      let best = weigh(this.naturals[lowest]) + this.cost(mask & mask - 1, wilds);
      for (const [meld, used] of this.byLowest[lowest]) {
        if (!(meld & ~mask) && used <= wilds) {
          best = Math.min(best, this.cost(mask & ~meld, wilds - used));
        }
      }
      this.known[at] = Math.min(best, NEVER);
    }
    return this.known[at];
  }

  // The least weight of a part and wilds, of which the dearest are melded.
  least(mask, wilds = this.wilds) {
    let best = NEVER, left = total(wilds);
    for (let used = 0; used <= wilds.length; used++) {
      best = Math.min(best, this.cost(mask, used) + left);
      left -= used < wilds.length ? weigh(wilds[used]) : 0;
    }
    return best;
  }

  // The same of every part that is left if one card is discarded.
  *discards() {
    for (const [at, card] of this.naturals.entries()) {
      yield [card, this.full & ~(1 << at), this.wilds];
    }
    for (const [at, card] of this.wilds.entries()) yield [card, this.full, without(this.wilds, at)];
  }

  // The melds of the least weight.
  melds() {
    let used = 0, left = total(this.wilds);
    const least = this.least(this.full);
    while (this.cost(this.full, used) + left !== least) left -= weigh(this.wilds[used++]);
    const found = [], loose = this.wilds.slice(used), wilds = this.wilds.slice(0, used);
    for (let mask = this.full; mask;) {
      const lowest = 31 - Math.clz32(mask & -mask), now = this.cost(mask, used);
      const fits = this.byLowest[lowest].filter(([cards, lent]) =>
        !(cards & ~mask) && lent <= used && this.cost(mask & ~cards, used - lent) === now
      );
      // The plainest.
      const [meld] = fits.sort((one, other) => one[1] - other[1] || many(other[0]) - many(one[0]));
      if (!meld) loose.push(this.naturals[lowest]);
      else {found.push(lay(
          this.naturals.filter((_, at) => meld[0] >> at & 1),
          wilds.splice(0, meld[1]),
        ));}
      mask &= ~(meld?.[0] ?? mask & -mask);
      used -= meld?.[1] ?? 0;
    }
    while (wilds.length) found.push(layAlone(wilds.splice(0, aloneSize(wilds.length).size)));
    return { groups: found, loose };
  }
}

function layAlone(wilds) {
  const rank =
    wilds.map((card) => card !== JOKER && card % 13).find((own) => rules.setRanks.includes(own)) ??
      rules.setRanks[0];
  if (aloneSize(wilds.length).isSet) {
    return {
      kind: 'set',
      cards: wilds,
      means: wilds.map(() => RANK + rank),
    };
  }
  return { kind: 'run', cards: wilds, means: rules.windows(wilds.length)[0] };
}

// Say which meld some natural cards and wilds are: a set, or else the run in which they fit.
function lay(naturals, wilds) {
  const size = naturals.length + wilds.length, cards = [...naturals, ...wilds];
  const isSet = new Set(naturals.map((card) => card % 13)).size === 1 && size >= rules.set_size &&
    rules.setRanks.includes(naturals[0] % 13) && wilds.length <= rules.cap(size, 'set') &&
    naturals.length >= rules.naturals('set');
  if (isSet) {
    return {
      kind: 'set',
      cards,
      means: cards.map((card, at) => (at < naturals.length ? card : RANK + naturals[0] % 13)),
    };
  }
  const suits = [0, 1, 2, 3].filter((suit) =>
    naturals.every((card) => Math.trunc(card / 13) === suit || rules.wild[card] && rules.bound)
  );
  for (const suit of suits) {
    for (const window of rules.windows(size)) {
      const left = [...naturals], lent = [...wilds];
      const lying = window.map((rank) => {
        const at = left.findIndex((card) => card % 13 === rank);
        return at < 0 ? lent.pop() : left.splice(at, 1)[0];
      });
      const apart = lying.every((card, at) =>
        !at || !wilds.includes(card) || !wilds.includes(lying[at - 1])
      );
      if (!left.length && (apart || !rules.wilds_apart)) {
        return {
          kind: 'run',
          cards: lying,
          means: window.map((rank) => suit * 13 + rank),
        };
      }
    }
  }
  throw new RangeError('No meld.');
}

// A hand in every way in which its wilds may lie in their own place or stand for others. It matters
// only where a meld may not take any number of wilds.
class Held {
  constructor(hand) {
    this.hand = hand;
    const free = hand.filter((card) => rules.free[card]),
      naturals = hand.filter((card) => !rules.free[card]);
    const own = rules.limited
      ? free.filter((card) => card !== JOKER && rules.setRanks.includes(card % 13))
      : [];
    const ways = new Map();
    for (let some = 0; some < 1 << own.length; some++) {
      const wilds = [...free];
      const kept = own.filter((_, at) => some >> at & 1);
      for (const card of kept) wilds.splice(wilds.indexOf(card), 1);
      ways.set(kept.toSorted().join(), [[...naturals, ...kept], wilds]);
    }
    this.ways = [...ways.values()].map(([natural, wilds]) => new Parted(natural, wilds));
  }

  get best() {
    return this.ways.reduce((
      best,
      way,
    ) => (way.least(way.full) < best.least(best.full) ? way : best));
  }

  get weight() {
    return this.best.least(this.best.full);
  }

  // The discard after which least is left, the first in the hand of those alike.
  discard() {
    const weights = new Map();
    for (const way of this.ways) {
      for (const [card, mask, wilds] of way.discards()) {
        weights.set(card, Math.min(weights.get(card) ?? NEVER, way.least(mask, wilds)));
      }
    }
    const card = this.hand.reduce((
      best,
      other,
    ) => (weights.get(other) < weights.get(best) ? other : best));
    return { card, weight: weights.get(card) };
  }

  // The weight of the hand with a card drawn, and the least with any card of these discarded.
  drawn(card) {
    let weight = NEVER, discarded = this.weight;
    for (const way of this.ways) {
      if (rules.free[card]) {
        const more = (wilds) => [...wilds, card].sort((one, other) => weigh(other) - weigh(one));
        weight = Math.min(weight, way.least(way.full, more(way.wilds)));
        for (const [, mask, wilds] of way.discards()) {
          discarded = Math.min(discarded, way.least(mask, more(wilds)));
        }
      }
      if (
        !rules.free[card] || rules.limited && card !== JOKER && rules.setRanks.includes(card % 13)
      ) {
        const at = way.naturals.length,
          melds = meldsOf([...way.naturals, card], way.wilds.length, at).map((
            [mask, used],
          ) => [mask & ~(1 << at), used]);
        const least = (part, wilds) =>
          melds.reduce((best, [mask, used]) => {
            if (mask & ~part || used > wilds.length) return best;
            let left = total(wilds.slice(used));
            for (let more = used; more <= wilds.length; more++) {
              best = Math.min(best, way.cost(part & ~mask, more - used) + left);
              left -= more < wilds.length ? weigh(wilds[more]) : 0;
            }
            return best;
          }, weigh(card) + way.least(part, wilds));
        weight = Math.min(weight, least(way.full, way.wilds));
        for (const [, mask, wilds] of way.discards()) {
          discarded = Math.min(discarded, least(mask, wilds));
        }
      }
    }
    return { weight, discarded };
  }
}

const points = (weight) => Math.floor(weight / POINT);
const cut = (hand, card) => without(hand, hand.indexOf(card));

// What can be drawn, which of it ends the deal, and how that is said; no help where all cards do.
function draws(held, unseen, ends, end) {
  const there = [...unseen.keys()].filter((card) => unseen[card] > 0);
  const helping = there.filter((card) => ends(held.drawn(card)));
  const all = helping.length === there.length && helping.length > 0;
  return {
    draws: [all ? 'draws-all' : 'draws', { many: all ? undefined : helping.length, do: end }],
    helping: all ? [] : helping,
    unseen,
  };
}

function answerKnock({ knock, limit, score, eliminate, deal_word: deal }, held, hasDrawn, unseen) {
  const afterDrawing = knock.rummy !== 'start_of_turn', first = knock.discards_first;
  const left = (
    weight,
  ) => [limit === null ? 'left-rummy' : 'left-limit', { points: points(weight), limit }];
  if (!hasDrawn) {
    const { groups, loose } = held.best.melds();
    if (!loose.length && knock.rummy !== 'after_draw') {
      return { yes: true, answer: ['rummy'], groups };
    }
    const ends = ({ weight, discarded }) =>
      (limit !== null && points(first ? discarded : weight) <= limit) ||
      (afterDrawing && discarded === 0);
    const { draws: said, ...found } = draws(
      held,
      unseen,
      ends,
      afterDrawing || limit === null ? ['end', { deal }] : ['knock'],
    );
    return {
      yes: false,
      answer: [first ? 'discard-first' : 'draw-first', { draws: said }],
      groups,
      loose,
      notes: [left(held.weight)],
      ...found,
    };
  }
  const { card, weight } = held.discard(), rest = () => new Held(cut(held.hand, card)).best.melds();
  if (afterDrawing && weight === 0) {
    return {
      yes: true,
      answer: ['rummy-discard', { card: { cards: [card] } }],
      groups: rest().groups,
      loose: [card],
    };
  }
  const counted = first ? weight : held.weight,
    yes = limit !== null && points(counted) <= limit,
    after = score + points(counted);
  const notes = [[yes && !first ? 'discarding-instead' : 'discarding', {
    card: { cards: [card] },
    points: points(weight),
  }]];
  if (yes && !knock.first_turn) notes.push(['first-turn']);
  if (yes && eliminate && (eliminate.op === '>=' ? after >= eliminate.at : after > eliminate.at)) {
    notes.push(['knocked-out', { total: after }]);
  }
  return {
    yes,
    answer: [yes ? 'yes' : 'no', { left: left(counted) }],
    notes,
    ...(first ? rest() : held.best.melds()),
  };
}

function answerGoingOut({ deal: { goout } }, held, hasDrawn, unseen) {
  const isOut = ({ weight, discarded }) =>
    (goout !== 'discard' && weight === 0) || (goout !== 'no_discard' && discarded === 0);
  const left = ['left', { points: points(held.weight) }];
  if (!hasDrawn) {
    const { draws: said, ...found } = draws(held, unseen, isOut, ['go-out']);
    return {
      yes: false,
      answer: ['out-draw', { draws: said }],
      notes: [left],
      ...held.best.melds(),
      ...found,
    };
  }
  const { card, weight } = held.discard();
  if (goout !== 'discard' && held.weight === 0) {
    return { yes: true, answer: ['out'], groups: held.best.melds().groups };
  }
  if (goout !== 'no_discard' && weight === 0) {
    return {
      yes: true,
      answer: ['out-discard', { card: { cards: [card] } }],
      groups: new Held(cut(held.hand, card)).best.melds().groups,
      loose: [card],
    };
  }
  return {
    yes: false,
    answer: ['no', { left }],
    notes: [['discarding', { card: { cards: [card] }, points: points(weight) }]],
    ...held.best.melds(),
  };
}
