// Can I go down? Whether a hand holds a contract, how many cards it is short and which cards help.
//
// A contract is held against whole layouts: runs are chosen suit by suit, then sets by rank. A layout
// lacks what its neediest group of melds lacks (Hall's theorem), so that no card is ever assigned
// until melds are shown: then each is laid where nothing lacks after it.

const JOKER = 52, RANK = 100;
const MOST_CARDS = 20;
const GUARD = 0x88888888; // one bit above each count of runs laid
const EVERY_CARD = Array.from({ length: 53 }, (_, card) => card);
const suitOf = (card) => Math.trunc(card / 13);

let spend;

// What is held, what is in play in all, and how many of them stand for any card.
function holding(hand, rules, pack, unseen) {
  const held = { cells: new Int8Array(52), wilds: 0 };
  const all = { cells: new Int8Array(52).fill(pack.decks), wilds: rules.free[JOKER] ? pack.jokers : 0 };
  for (let card = 0; card < 52; card++) if (rules.free[card]) all.wilds += pack.decks;
  for (const card of hand) add(held, card, 1, rules);
  for (let card = 0; card < 52; card++) add(all, card, Math.max(0, held.cells[card] - pack.decks), rules);
  return { hand, held, all, unseen };
}

function add(cards, card, times, rules) {
  if (card !== JOKER) cards.cells[card] += times;
  if (rules.free[card]) cards.wilds += times;
}

// How many cards the neediest group of these melds lacks. A meld is the ranks of its places, its
// suit (-1 for any) and the wilds that it may take. Of a group the cards of each rank lie in runs
// first: what is left of them lies in what takes any suit. Without limits the whole is neediest.
const asked = new Int8Array(65);
function lack(melds, cards, rules, limited) {
  const groups = 2 ** melds.length;
  let worst = 0;
  for (let group = limited ? 1 : groups - 1; group < groups; group++) {
    asked.fill(0);
    let places = 0, cap = 0;
    for (let at = 0; at < melds.length; at++) {
      if (!(group >> at & 1)) continue;
      const { ranks, suit } = melds[at];
      places += ranks.length;
      cap += melds[at].cap;
      for (const rank of ranks) asked[(suit < 0 ? 4 : suit) * 13 + rank]++;
    }
    const [natural, own] = filled(cards.cells, rules);
    worst = Math.max(worst, places - natural - Math.min(cards.wilds, own + cap));
  }
  return worst;
}

// Which cards may fill an empty place of these melds, and which may fill none. Under limits a card
// that fills none may still be better where it lies.
const hint = { wanted: new Uint8Array(53), over: new Uint8Array(53) };
function hinted(melds, { cells }, rules, limited) {
  const { wanted, over } = hint;
  lack(melds, { cells, wilds: 0 }, rules, false);
  wanted[JOKER] = over[JOKER] = 1;
  for (let rank = 0; rank < 13; rank++) {
    const any = asked[52 + rank];
    let left = 0;
    for (let card = rank; card < 52; card += 13) left += Math.max(0, cells[card] - asked[card]);
    for (let card = rank; card < 52; card += 13) {
      if (limited || rules.free[rank]) {
        wanted[card] = rules.free[rank] || asked[card] || any;
        over[card] = 1;
      } else {
        wanted[card] = cells[card] < asked[card] || left < any;
        over[card] = cells[card] > asked[card] && left > any;
      }
    }
  }
  return hint;
}

// How many cards melds lack however many wilds there are.
const bound = (melds, cards, rules) => lack(melds, { cells: cards.cells, wilds: 99 }, rules, true);

// How many of the places asked for natural cards fill: those that are not wild, and those that are.
function filled(cells, rules) {
  let natural = 0, own = 0;
  for (let rank = 0; rank < 13; rank++) {
    let lie = 0, left = 0;
    for (let cell = rank; cell < 52; cell += 13) {
      const here = Math.min(cells[cell], asked[cell]);
      lie += here;
      left += cells[cell] - here;
    }
    lie += Math.min(left, asked[52 + rank]);
    if (rules.free[rank]) own += lie; else natural += lie;
  }
  return [natural, own];
}

// The contract ---------------------------------------------------------------------------------

// Every way to meet a contract; where the whole hand must be melded, with melds grown to hold it.
function ways(contract, size, rules) {
  return [contract.melds, ...contract.or_melds].flatMap((melds) => {
    const over = contract.all_cards ? size - melds.reduce((sum, meld) => sum + meld.size, 0) : 0;
    const open = [...melds.keys()].filter((at) => !exact(melds[at], rules));
    if (over <= 0 || !open.length) return [melds];
    const grown = new Map();
    const grow = (at, left, sizes) => {
      if (at === open.length - 1 || !left) {
        const all = sizes.with(open[at], sizes[open[at]] + left);
        const way = melds.map((meld, each) => ({ ...meld, size: all[each] }));
        grown.set(way.map((meld) => JSON.stringify(meld)).sort().join(), way);
        return;
      }
      for (let more = 0; more <= left; more++) grow(at + 1, left - more, sizes.with(open[at], sizes[open[at]] + more));
    };
    grow(0, over, melds.map((meld) => meld.size));
    return [...grown.values()];
  });
}

const exact = (meld, rules) => meld.exact ?? rules.laydown === 'exact';
const capOf = (meld, size, rules) => Math.min(rules.cap(size, meld.kind), meld.wilds ?? size);
const isNamed = (meld, ranks, { letters }) => !meld.ranks.length || ranks.every((rank) => meld.ranks.includes(letters[rank]));

// What each run of one suit may be. One longer than asked is of use only if it takes a wild more,
// or if it lies beside another run.
function runChoices(meld, others, rules) {
  const nine = rules.same_suit_runs === 'adjacent_needs_9' && others.length;
  const beside = nine || (rules.same_suit_runs === 'not_adjacent' && others.length);
  const grown = nine ? Math.max(meld.size, 9 - Math.min(...others.map((other) => other.size))) : meld.size;
  const limits = rules.limited && !exact(meld, rules);
  const found = [];
  for (let size = meld.size; size <= (limits ? 14 : grown); size++) {
    const cap = capOf(meld, size, rules);
    const takesMore = cap > capOf(meld, size - 1, rules) && cap <= size - 2 && !(rules.wilds_apart && cap > (size - 1) >> 1);
    if (size > grown && !takesMore && !beside) continue;
    for (const ranks of rules.windows(size).filter((window) => isNamed(meld, window, rules))) {
      for (const parts of partsOfRun(ranks, cap, rules)) found.push({ ranks, size, least: meld.size, exact: exact(meld, rules), parts });
    }
  }
  return found;
}

// Where wilds lie apart, a run is told by the fewest places that have to be natural.
function partsOfRun(ranks, cap, rules) {
  if (!rules.wilds_apart) return [[{ ranks, cap, at: [...ranks.keys()] }]];
  const size = ranks.length, enough = [];
  for (let natural = 0; natural < 1 << size; natural++) {
    const wild = ~natural & (1 << size) - 1;
    const wilds = ranks.filter((_, at) => wild >> at & 1).length;
    if (wild & wild << 1 || wilds > cap || enough.some((fewer) => (fewer & natural) === fewer)) continue;
    enough.push(natural);
  }
  const part = (mask, most) => {
    const at = [...ranks.keys()].filter((place) => mask >> place & 1);
    return { ranks: at.map((place) => ranks[place]), cap: Math.min(most, at.length), at };
  };
  return enough.map((natural) => [part(natural, 0), part(~natural, size)].filter((some) => some.at.length));
}

// Whether two runs of a suit may lie together: 0 no, 1 yes, 2 if they connect and are enough.
function together(one, other, rules) {
  if (rules.same_suit_runs === 'any') return 1;
  if (rules.same_suit_runs === 'different_suits') return 0;
  const ahead = other.ranks[0] - one.ranks[0], corner = rules.ace === 'corner';
  const gaps = corner ? [(ahead + 13) % 13 - one.size, (13 - ahead) % 13 - other.size] : [ahead - one.size, -ahead - other.size];
  const between = corner ? Math.min(...gaps) : Math.max(...gaps);
  if (rules.same_suit_runs === 'gap_only') return Number(between > 0);
  if (between !== 0) return 1;
  const needed = Math.max(9, one.least + other.least), total = one.size + other.size;
  const enough = one.exact && other.exact ? total === needed : total >= needed;
  return rules.same_suit_runs === 'adjacent_needs_9' && enough ? 2 : 0;
}

// One list of melds, read: runs of one suit by kind, and what takes any suit, alike ones together.
function readWay(melds, rules) {
  const key = JSON.stringify;
  const sorted = melds.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
  const runs = sorted.filter((meld) => meld.kind === 'run' && meld.suits === 'same');
  const kinds = [...new Set(runs.map(key))].map((kind) => {
    const meld = JSON.parse(kind), others = [...runs];
    others.splice(runs.findIndex((run) => key(run) === kind), 1);
    return { count: runs.length - runs.filter((run) => key(run) !== kind).length, choices: runChoices(meld, others, rules) };
  });
  const loose = sorted.filter((meld) => !runs.includes(meld)).map((meld) => ({
    key: key(meld),
    isSet: meld.kind === 'set',
    choices: (meld.kind === 'run' ? anyRuns(meld, rules) : rules.setRanks.map((rank) => Array(meld.size).fill(rank)))
      .filter((ranks) => isNamed(meld, ranks, rules))
      .map((ranks) => ({ kind: meld.kind, parts: [{ ranks, suit: -1, cap: capOf(meld, ranks.length, rules), at: [...ranks.keys()] }], ranks, suit: -1 })),
  }));
  return { kinds, loose, size: melds.reduce((sum, meld) => sum + meld.size, 0) };
}

const anyRuns = (meld, rules) => rules.windows(meld.size);

// Whether this file cannot prove the answer: a wild bound to its rank, a set of unlike suits, melds
// that a larger size would let take two wilds more, runs of any suits under limits.
function isBeyond(contract, rules) {
  const melds = [...contract.melds, ...contract.or_melds.flat()];
  return rules.bound && rules.wild.some((is, card) => is && card !== JOKER) || melds.some((meld) =>
    (meld.kind === 'set' && meld.suits !== 'same') || meld.size < rules.naturals(meld.kind)
    || (meld.kind === 'run' && meld.suits === 'any' && rules.limited && (rules.wilds_apart || !exact(meld, rules)))
    || (!exact(meld, rules) && rules.limited && [...Array(14 - Math.min(meld.size, 13)).keys()].some((more) =>
      capOf(meld, meld.size + more + 1, rules) > capOf(meld, meld.size + more, rules) + 1)));
}

// What several suits may lack together: pairs of empty places and of cards that must not be wild,
// none of which another undercuts, by how many runs of each kind lie in these suits.
function joined(some, others, full) {
  const found = new Map();
  for (const [code, pairs] of some) for (const [other, more] of others) {
    if (!fits(full - code, other)) continue;
    const own = found.get(code + other) ?? [];
    for (const [empty, short] of pairs) for (const [further, lacked] of more) undercut(own, [empty + further, short + lacked]);
    found.set(code + other, own);
  }
  return found;
}

function undercut(pairs, pair) {
  if (pairs.some(([empty, short]) => empty <= pair[0] && short <= pair[1])) return;
  const kept = pairs.filter(([empty, short]) => empty < pair[0] || short < pair[1]);
  pairs.splice(0, pairs.length, ...kept, pair);
}

class Search {
  constructor(melds, cards, rules, limited) {
    Object.assign(this, { ...readWay(melds, rules), ...cards, rules, limited });
    this.full = this.kinds.reduce((code, { count }, at) => code | count << 4 * at, 0);
    const left = this.left([]), none = new Int8Array(13);
    this.bare = this.loose.map(({ choices }) => Math.min(...choices.map((choice) => this.short(choice.ranks, none, left))));
    this.single = this.kinds.map(({ choices }) => Math.min(...choices.flatMap(({ ranks }) => [0, 13, 26, 39].map((base) => ranks.filter((rank) => !this.has(base + rank)).length))));
    this.least = this.bare.reduce((sum, one) => sum + one, 0) + this.kinds.reduce((sum, { count }, at) => sum + count * this.single[at], 0);
  }

  has(card) {
    return this.held.cells[card] > 0 && !this.rules.free[card];
  }

  // What is left of each rank beside the runs of every suit.
  left(suits) {
    asked.fill(0);
    for (const { suit, runs } of suits) for (const { ranks } of runs) for (const rank of ranks) asked[suit * 13 + rank]++;
    const left = new Int8Array(13);
    for (let card = 0; card < 52; card++) if (!this.rules.free[card]) left[card % 13] += Math.max(0, this.held.cells[card] - asked[card]);
    return left;
  }

  // How many more places stay empty when these ranks are asked too.
  short(ranks, asks, left) {
    let more = 0;
    for (const rank of ranks) if (++asks[rank] > left[rank]) more++;
    for (const rank of ranks) asks[rank]--;
    return more;
  }

  // All that may lie in one suit in layouts that lack so little, by how many runs of each kind.
  optionsIn(suit, most) {
    const { rules, held, single, kinds } = this, base = suit * 13;
    const found = new Map(), asks = new Int8Array(13), runs = [];
    const keep = (code, empty, beyond) => {
      if (runs.some((run, at) => run.exact && run.size > run.least && !runs.some((other, each) => each !== at && together(run, other, rules) === 2))) return;
      const option = { suit, runs: [...runs], empty, short: 0, beyond };
      if (this.limited) {
        const parts = partsOf(option);
        spend(2 ** parts.length);
        option.short = bound(parts, held, rules);
        if (option.short > most || bound(parts, this.all, rules) > 0) return;
      }
      if (!found.has(code)) found.set(code, []);
      found.get(code).push(option);
    };
    const extend = (kind, from, laid, code, empty, beyond, spare) => {
      spend(4);
      keep(code, empty, beyond);
      for (let next = kind; next < kinds.length; next++) {
        const { count, choices } = kinds[next];
        if (next === kind && laid === count) continue;
        for (let at = next === kind ? from : 0; at < choices.length; at++) {
          const run = choices[at];
          let more = 0, none = beyond;
          for (const rank of run.ranks) {
            const times = ++asks[rank];
            if (rules.free[rank] || times > held.cells[base + rank]) more++;
            if (rules.free[rank] || times > this.all.cells[base + rank]) none++;
          }
          if (more - single[next] <= spare && none <= this.all.wilds && runs.every((other) => together(other, run, rules))) {
            runs.push(run);
            extend(next, at, next === kind ? laid + 1 : 1, code + (1 << 4 * next), empty + more, none, spare - more + single[next]);
            runs.pop();
          }
          for (const rank of run.ranks) asks[rank]--;
          spend();
        }
      }
    };
    const spare = most + held.wilds - this.least;
    if (spare >= 0) extend(0, 0, 0, 0, 0, 0, spare);
    for (const options of found.values()) options.sort((one, other) => one.empty - other.empty);
    return found;
  }

  // Visit every layout that lacks at most so many cards, until a visit is enough. Where all melds
  // are runs of one suit each, suits have nothing to do with one another but their sums.
  visit(most, found) {
    const suits = [0, 1, 2, 3].map((suit) => this.optionsIn(suit, most));
    if (suits.some((options) => !options.size)) return false;
    const bare = suits.map((options) => new Map([...options].map(([code, all]) => [code, all.reduce((pairs, { empty, short }) => (undercut(pairs, [empty, short]), pairs), [])])));
    const later = bare.reduceRight((done, own) => [joined(own, done[0], this.full), ...done], [new Map([[0, [[0, 0]]]])]);
    const isApart = !this.loose.length && !found.whole && mostBeyond(suits, this.full) <= this.all.wilds;
    if (!isApart) return this.choose(suits, later, most, (layout) => found.learn(layout));
    if (!later[0].get(this.full)?.some(([empty, short]) => Math.max(empty - this.held.wilds, short) <= most)) return false;
    this.choose(suits, later, most, (layout) => found.keep(layout) || true);
    for (const [suit, options] of suits.entries()) {
      const rest = bare.filter((_, other) => other !== suit).reduce((some, more) => joined(some, more, this.full));
      for (const [code, own] of options) for (const option of own) if (found.learnApart(suit, option, rest.get(this.full - code) ?? [])) return true;
    }
    return false;
  }

  choose(suits, later, most, see) {
    const chosen = [], allowed = most + this.held.wilds - this.bare.reduce((sum, one) => sum + one, 0);
    const from = (suit, code, empty, short) => {
      spend();
      if (suit === 4) return this.placeLoose(chosen, empty, most, see);
      for (const [own, options] of suits[suit]) {
        const rest = fits(code, own) && later[suit + 1].get(code - own);
        if (!rest) continue;
        for (const option of options) {
          const [now, lacked] = [empty + option.empty, short + option.short];
          if (!rest.some(([more, further]) => now + more <= allowed && lacked + further <= most)) continue;
          chosen.push(option);
          const done = from(suit + 1, code - own, now, lacked);
          chosen.pop();
          if (done) return true;
        }
      }
      return false;
    };
    return from(0, this.full, 0, 0);
  }

  // Lay sets, and runs of any suits, on what the runs leave.
  placeLoose(suits, empty, most, see) {
    const left = this.left(suits), asks = new Int8Array(13), laid = [];
    const place = (at, from, short) => {
      spend();
      if (at === this.loose.length) return this.arrive(suits, laid, most, see);
      const { choices, key, isSet } = this.loose[at];
      const later = this.bare.slice(at + 1).reduce((sum, one) => sum + one, 0);
      const start = at && this.loose[at - 1].key === key ? from : 0;
      for (let index = start; index < choices.length; index++) {
        const { ranks } = choices[index];
        if (isSet && !this.rules.same_rank_sets && laid.some((other) => other.kind === 'set' && other.ranks[0] === ranks[0])) continue;
        const more = this.short(ranks, asks, left);
        if (short + more + later > most + this.held.wilds) continue;
        for (const rank of ranks) asks[rank]++;
        laid.push(choices[index]);
        const done = place(at + 1, index, short + more);
        laid.pop();
        for (const rank of ranks) asks[rank]--;
        if (done) return true;
      }
      return false;
    };
    return place(0, 0, empty);
  }

  arrive(suits, loose, most, see) {
    const parts = [...suits.flatMap(partsOf), ...loose.flatMap((meld) => meld.parts)];
    spend(this.limited ? 2 ** parts.length : 2);
    if (this.limited && lack(parts, this.held, this.rules, true) > most) return false;
    if (lack(parts, this.all, this.rules, this.limited) > 0) return false;
    return see({ parts, melds: [...suits.flatMap(({ suit, runs }) => runs.map((run) => ({ ...run, kind: 'run', suit }))), ...loose] });
  }
}

const partsOf = (option) => (option.parts ??= option.runs.flatMap((run) => run.parts.map((part) => ({ ...part, suit: option.suit }))));

// The most places of one layout for which the packs hold no card.
function mostBeyond(suits, full) {
  let most = new Map([[0, 0]]);
  for (const options of suits) {
    const further = new Map();
    for (const [code, all] of options) for (const [other, beyond] of most) {
      if (fits(full - code, other)) further.set(code + other, Math.max(further.get(code + other) ?? 0, beyond + Math.max(...all.map((option) => option.beyond))));
    }
    most = further;
  }
  return most.get(full) ?? 0;
}

const fits = (code, own) => ((code | GUARD) - own & GUARD) === (GUARD | 0);

export function find({ question: { deal: { contract }, pack }, rules, hand, unseen, spend: step }) {
  spend = step;
  if (!contract || !hand.length || hand.length > MOST_CARDS || isBeyond(contract, rules) || !isOfPack(hand, rules, pack)) return null;
  return nearest(contract, hand, rules, holding(hand, rules, pack, unseen));
}

// Whether these cards can be held: else the server says what is wrong.
const isOfPack = (hand, rules, { decks, jokers }) => hand.every((card) => card <= JOKER && hand.filter((other) => other === card).length <= (card === JOKER ? rules.free[JOKER] && jokers : decks));

function nearest(contract, hand, rules, cards) {
  const limited = rules.limited || [...contract.melds, ...contract.or_melds.flat()].some((meld) => meld.wilds !== null);
  const whole = contract.all_cards ? hand.length : 0;
  const searches = ways(contract, hand.length, rules).map((melds) => new Search(melds, cards, rules, limited));
  const fewest = Math.min(...searches.map(({ size }) => size));
  const least = Math.min(...searches.map(({ size, least: empty }) => Math.max(size - hand.length, empty - cards.held.wilds)));
  for (let missing = Math.max(0, least); missing <= MOST_CARDS; missing++) {
    const found = new Nearest(hand, cards, missing, rules, limited, whole, fewest);
    for (const search of searches) if (search.visit(missing, found)) break;
    if (found.layout) return found.answer(hand, contract);
  }
  return { yes: false, answer: ['never'] };
}

// What the nearest layouts teach: a card helps if with it one of them lacks a card fewer, and is
// free if without it one of them lacks no more. Where every card has its place, none is free.
class Nearest {
  constructor(hand, cards, missing, rules, limited, whole, fewest) {
    Object.assign(this, { cards, missing, rules, limited, whole, layout: null, empty: 99, size: 0, helping: new Set(), free: new Set() });
    this.may = missing ? EVERY_CARD.filter((card) => cards.unseen[card] && (card !== JOKER || rules.free[JOKER])) : [];
    this.held = missing && !whole && missing > fewest - hand.length ? [...new Set(hand)] : [];
  }

  keep(layout) {
    const { cards: { held }, rules } = this;
    const empty = lack(layout.parts, { ...held, wilds: 0 }, rules, false);
    const size = layout.melds.reduce((sum, meld) => sum + meld.ranks.length, 0);
    const whole = Math.min(size, this.whole);
    if (!this.layout || whole > this.size || (whole === this.size && empty < this.empty)) Object.assign(this, { layout, empty, size: whole });
  }

  learn(layout) {
    this.keep(layout);
    const hint = hinted(layout.parts, this.cards.held, this.rules, this.limited);
    const lacks = (cards) => lack(layout.parts, cards, this.rules, this.limited);
    return this.sift(lacks, (cards) => lacks(cards) === 0, hint);
  }

  // What one suit teaches in the layouts that it is part of: `rest` is what the others lack.
  learnApart(suit, option, rest) {
    const { limited, rules, missing, cards: { held } } = this;
    const near = (empty, short, wilds) => rest.reduce((least, [more, further]) => Math.min(least, Math.max(empty + more - wilds, short + further)), 99);
    if (near(option.empty, option.short, held.wilds) > missing) return false;
    const parts = partsOf(option), hint = hinted(parts, held, rules, limited);
    const isOwn = (card) => card === JOKER || suitOf(card) === suit;
    const lacks = (cards) => near(lack(parts, { cells: cards.cells, wilds: 0 }, rules, false), limited ? bound(parts, cards, rules) : 0, cards.wilds);
    return this.sift(lacks, (cards) => !limited || bound(parts, cards, rules) === 0, hint, isOwn);
  }

  sift(lacks, canBe, hint, concerns = () => true) {
    const { cards: { held, all }, rules, missing } = this;
    const changed = (card, times, cards, ask) => {
      add(cards, card, times, rules);
      const answer = ask(cards);
      add(cards, card, -times, rules);
      return answer;
    };
    const move = (from, to, proves) => from.filter((card) => {
      if (!concerns(card) || !proves(card)) return true;
      to.add(card);
      return false;
    });
    this.may = move(this.may, this.helping, (card) => hint.wanted[card] && changed(card, 1, held, lacks) < missing);
    this.held = move(this.held, this.free, (card) => hint.over[card] && changed(card, -1, held, lacks) <= missing && changed(card, -1, all, canBe));
    return !this.may.length && !this.held.length && this.size >= this.whole;
  }

  answer(hand, contract) {
    const { missing, cards, rules } = this;
    const { melds: groups, draw } = show(this.layout, cards, missing, rules, this.limited);
    const loose = [...hand, ...draw];
    for (const card of groups.flatMap((meld) => meld.cards)) loose.splice(loose.indexOf(card), 1);
    if (!missing && this.size >= this.whole) return { yes: true, answer: ['holds'], groups, loose };
    const free = this.whole ? freeOfWhole(contract, hand, this) : this.free;
    if (!missing) return { yes: false, answer: ['over', { many: loose.length }], groups, free };
    const help = ['help', { many: this.helping.size }];
    return { yes: false, answer: ['short', { many: missing, help }], groups, draw, free, helping: this.helping, unseen: cards.unseen };
  }
}

// Where the whole hand must be melded a discard may bring it nearer: then only those are free.
function freeOfWhole(contract, hand, { cards, rules, limited, missing }) {
  for (let most = Math.max(0, missing - 1); most <= missing; most++) {
    const free = [...new Set(hand)].filter((card) => {
      const less = ['held', 'all'].map((which) => [which, { ...cards[which], cells: cards[which].cells.slice() }]);
      for (const [, some] of less) add(some, card, -1, rules);
      return ways(contract, hand.length - 1, rules).some((melds) => new Search(melds, Object.fromEntries(less), rules, limited).visit(most, { whole: true, learn: () => true }));
    });
    if (free.length) return free;
  }
  return [];
}

// A nearest layout with the cards drawn for it, card by card: each lies where nothing lacks after it.
function show(layout, cards, missing, rules, limited) {
  const held = { ...cards.held, cells: cards.held.cells.slice() }, unseen = cards.unseen.slice(), draw = [];
  const parts = layout.parts.map((part) => ({ ...part, ranks: [...part.ranks] }));
  const lacks = () => lack(parts, held, rules, limited);
  const drawable = [...EVERY_CARD.filter((card) => !rules.wild[card]), ...EVERY_CARD.filter((card) => rules.free[card])];
  for (let left = missing; left; left--) {
    draw.push(drawable.find((card) => {
      if (!unseen[card]) return false;
      add(held, card, 1, rules);
      if (lacks() < left) return unseen[card]--;
      add(held, card, -1, rules);
      return false;
    }));
  }
  const wilds = [...cards.hand, ...draw].filter((card) => rules.free[card]);
  const lie = (part, card) => {
    const before = { ...part, ranks: [...part.ranks] };
    part.ranks.shift();
    if (card === null) held.wilds--; else add(held, card, -1, rules);
    part.cap = Math.min(part.cap - (card === null), part.ranks.length);
    if (part.cap >= 0 && held.wilds >= 0 && !lacks()) return true;
    if (card === null) held.wilds++; else add(held, card, 1, rules);
    Object.assign(part, before);
    return false;
  };
  let at = 0;
  const melds = layout.melds.map((meld) => {
    const lying = Array(meld.ranks.length).fill(JOKER), means = meld.ranks.map((rank) => (meld.suit < 0 ? RANK + rank : meld.suit * 13 + rank));
    for (const { at: places } of meld.parts) {
      const part = parts[at++];
      for (const place of places) {
        const rank = meld.ranks[place];
        const own = (meld.suit < 0 ? [0, 1, 2, 3] : [meld.suit]).map((suit) => suit * 13 + rank).filter((card) => held.cells[card]);
        const card = own.find((natural) => lie(part, natural));
        if (card === undefined) lie(part, null);
        else {
          lying[place] = card;
          if (rules.free[card]) wilds.splice(wilds.indexOf(card), 1);
          if (meld.suit < 0) means[place] = card;
        }
      }
    }
    return { kind: meld.kind, cards: lying, means };
  });
  wilds.sort((one, other) => other - one);
  for (const { cards: lying, means, kind } of melds) {
    for (const [place, card] of lying.entries()) if (card === JOKER) lying[place] = wilds.shift();
    if (kind === 'set') {
      const order = [...lying.keys()].sort((one, other) => rules.free[lying[one]] - rules.free[lying[other]]);
      lying.splice(0, lying.length, ...order.map((place) => lying[place]));
      means.splice(0, means.length, ...order.map((place) => means[place]));
    }
  }
  return { melds, draw };
}
