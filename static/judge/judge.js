// The judge in the page, at once and without a network; see docs/judge.md. Rules and sentences come
// from the server. An answer is null where it cannot be proved here: then the server is asked.

// A card is a number: its suit times thirteen and its rank, the ace being 0; a joker is 52, cards
// of which only the colour was told follow. A rank without a suit is its number and RANK.
const JOKER = 52, RANK = 100;
const LETTERS = ['A', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K'];
const CARD = /^(X|(A|[2-9]|10|J|Q|K)[CDHSRB])$/;
const EFFORT = 1_500_000; // steps of a search, after which the server had better be asked

const rankOf = (card) => (card > JOKER ? card - 1 : card) % 13;
const suitOf = (card) => (card > JOKER ? (card > 65 ? 'B' : 'R') : 'CDHS'[Math.trunc(card / 13)]);
const nameOf = (
  card,
) => (card >= RANK
  ? LETTERS[card - RANK]
  : card === JOKER
  ? 'X'
  : LETTERS[rankOf(card)] + suitOf(card));

function numberOf(name) {
  const rank = LETTERS.indexOf(name.slice(0, -1)), suit = 'CDHS'.indexOf(name.at(-1));
  if (name === 'X') return JOKER;
  return suit < 0 ? 53 + rank + 13 * (name.at(-1) === 'B') : suit * 13 + rank;
}

// As people hold them: low to high, jokers last.
const inOrder = (cards) =>
  [...cards].sort((one, other) =>
    (one === JOKER) - (other === JOKER) || rankOf(one) - rankOf(other) ||
    (suitOf(one) < suitOf(other) ? -1 : 1)
  );

// What the rules make of cards: which are wild, where runs may lie, how many wilds a meld takes.
function read(rules) {
  const wild = Array.from(
    { length: 53 },
    (_, card) => rules.wilds.includes(card === JOKER ? 'joker' : LETTERS[rankOf(card)]),
  );
  const bound = rules.wild_scope === 'own_rank_any_suit';
  const free = wild.map((is, card) => is && (!bound || card === JOKER));
  const [first, last] =
    { low: [0, 12], high: [1, 13], either: [0, 13], wild: [1, 12], corner: [0, 12] }[rules.ace];
  const windows = (size) => {
    if (size > Math.min(rules.run_max, 14)) return [];
    const starts = Math.max(0, rules.ace === 'corner' ? 13 : last - first - size + 2);
    return Array.from(
      { length: starts },
      (_, start) => Array.from({ length: size }, (_, step) => (first + start + step) % 13),
    );
  };
  const naturals = (kind) => Math.max(rules.min_naturals, kind === 'set' ? rules.set_naturals : 0);
  const cap = (size, kind) => {
    const share = { any: size, half: size >> 1, less_than_half: (size - 1) >> 1 }[rules.wild_share];
    const row = rules.wild_table.findLast(([least]) => least <= size) ?? rules.wild_table[0] ??
      [0, size];
    return Math.max(0, Math.min(size - naturals(kind), rules.max_wilds ?? size, share, row[1]));
  };
  const limited = naturals('set') > 0 || rules.wilds_apart || rules.max_wilds !== null ||
    rules.wild_share !== 'any' || rules.wild_table.length > 0;
  const setRanks = LETTERS.map((_, rank) => rank).slice(rules.ace === 'wild' ? 1 : 0);
  return {
    ...rules,
    wild,
    free,
    bound,
    windows,
    naturals,
    cap,
    limited,
    setRanks,
    letters: LETTERS,
  };
}

// How many of each card cannot be seen, of those that may be drawn; no jokers that are not wild.
function unseenBeside(hand, { decks, jokers }, rules) {
  const unseen = new Int8Array(53).fill(decks);
  unseen[JOKER] = rules.wild[JOKER] ? jokers : 0;
  for (const card of hand) if (unseen[card]) unseen[card]--;
  return unseen;
}

// How likely a card drawn from the stock is one that helps: in tenths, or one in so many if rarer.
function odds(helping, unseen) {
  const helps = helping.reduce((sum, card) => sum + unseen[card], 0),
    there = unseen.reduce((sum, copies) => sum + copies, 0);
  if (!helps) return [];
  const rarer = Math.min(helps, there - helps), ratio = there / rarer, down = Math.floor(ratio);
  let some, many, least = there;
  if (rarer && rarer * 10 < there) {
    // Half to even, as Python rounds: both judges say the same.
    many = ratio - down === 0.5 ? down + down % 2 : Math.round(ratio);
    some = helps === rarer ? 1 : many - 1;
  } else {for (let parts = 1; parts <= 10; parts++) {
      const near = Math.round(helps * parts / there),
        off = Math.abs(near * there - helps * parts) / parts;
      if (off < least - 1e-9) [least, some, many] = [off, near, parts];
    }}
  const key = some === many ? 'odds-every' : some * there === helps * many ? 'odds' : 'odds-about';
  return [[key, { helps, there, some, many }]];
}

// Load what answers this question; it is given the names of the cards, and in Zip of the pile.
export async function load(question) {
  const { find } = await import(`./judge-${question.by}.js`);
  const rules = read(question.rules), names = new Map(question.names);
  const named = (cards) => inOrder(cards ?? []).map(nameOf);
  const say = ([key, values = {}]) =>
    (question.words[`${key}-${values.many}`] ?? question.words[key]).replaceAll(
      /\{(\w+)\}/g,
      (_, name) => {
        const value = values[name];
        if (Array.isArray(value)) return say(value);
        if (!value?.cards) return value;
        const cards = value.by === 'or' ? inOrder(value.cards) : value.cards;
        return cards.map((card) => names.get(nameOf(card))).join(question.words[value.by]);
      },
    );
  return (cards, pile = []) => {
    // Where wilds are never natural the server answers.
    if (!question.rules.natural_wilds) return null;
    if (![...cards, ...pile].every((name) => CARD.test(name))) return null;
    const hand = cards.map(numberOf);
    let steps = 0;
    const spend = (many = 1) => {
      if ((steps += many) > EFFORT) throw new RangeError('Too many ways.');
    };
    let found;
    try {
      found = find({
        question,
        rules,
        spend,
        hand,
        pile: pile.map(numberOf),
        unseen: unseenBeside(hand, question.pack, rules),
      });
    } catch (fault) {
      if (!(fault instanceof RangeError)) throw fault;
    }
    return found
      ? {
        yes: found.yes,
        answer: say(found.answer),
        notes: [...(found.notes ?? []), ...odds([...(found.helping ?? [])], found.unseen ?? [])]
          .map(say),
        groups: (found.groups ?? []).map(({ kind, cards, means }) => ({
          kind,
          cards: cards.map(nameOf),
          means: means.map(nameOf),
        })),
        zips: (found.zips ?? []).map(named),
        loose: named(found.loose),
        draw: named(found.draw),
        free: named(found.free),
        helping: Object.fromEntries(
          inOrder(found.helping ?? []).map((card) => [nameOf(card), found.unseen[card]]),
        ),
      }
      : null;
  };
}
