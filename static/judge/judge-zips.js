// Can I go out in Zip? Cards that sum to zero, black for and red against: the most that can be
// zipped is found by adding card by card what each sum may be worth.

const NEVER = -1;
const signed = (card) =>
  (card > 52 ? (card - 53) % 13 + 1 : card % 13 + 1) *
  (card > 52 ? (card > 65 ? 1 : -1) : (card > 12 && card < 39 ? -1 : 1));
const sumOf = (cards) => cards.reduce((sum, card) => sum + signed(card), 0);
const worth = (cards) => cards.reduce((sum, card) => sum + Math.abs(signed(card)), 0);

// The cards that sum to zero and are worth most; `bound` must be among them if it is given.
function most(cards, bound = null) {
  let sums = new Map([[bound === null ? 0 : signed(bound), bound === null ? [] : [bound]]]);
  for (const card of cards) {
    const more = new Map(sums);
    for (const [sum, some] of sums) {
      const to = sum + signed(card);
      if (worth(some) + Math.abs(signed(card)) > (more.has(to) ? worth(more.get(to)) : NEVER)) {
        more.set(to, [...some, card]);
      }
    }
    sums = more;
  }
  return sums.get(0) ?? [];
}

const left = (cards, used) =>
  used.reduce((rest, card) => rest.toSpliced(rest.indexOf(card), 1), cards);

// Zips of the fewest cards first, so that none holds two.
function split(cards) {
  const zips = [];
  for (let rest = cards, size = 2; rest.length;) {
    const zip = smallest(rest, size);
    if (zip) {
      zips.push(zip);
      rest = left(rest, zip);
    } else size++;
  }
  return zips;
}

function smallest(cards, size, from = 0, chosen = []) {
  if (chosen.length === size) return sumOf(chosen) ? null : chosen;
  for (let at = from; at < cards.length; at++) {
    const found = smallest(cards, size, at + 1, [...chosen, cards[at]]);
    if (found) return found;
  }
  return null;
}

export function find({ question: { zips: rules, pack }, hand, pile }) {
  const copies = (card) =>
    hand.filter((other) => other === card).length <= pack.decks * (card > 52 ? 2 : 1);
  const both = (card) =>
    hand.filter((other) => signed(other) === signed(card)).length <= 2 * pack.decks;
  if (
    !hand.length || hand.length > 12 || [...hand, ...pile].includes(52) || !hand.every(copies) ||
    !hand.every((card) => card > 52 || both(card))
  ) return null;
  const keeps = rules.keep_discard, whole = sumOf(hand);
  const parts = keeps ? hand.map((_, at) => most(hand.toSpliced(at, 1))) : [most(hand)];
  const best = parts.reduce((one, other) => (worth(other) > worth(one) ? other : one), []);
  const discards = keeps ? [...new Set(hand.filter((card) => signed(card) === whole))] : [];
  const yes = keeps ? discards.length > 0 : best.length === hand.length;
  const useful = pile.slice(0, -1).filter((card, place) => {
    const taken = left([...hand, ...pile.slice(place)], [card]);
    return taken.some((_, kept) => most(taken.toSpliced(kept, 1), card).length > 1);
  });
  const notes = [best.length ? ['zip', { points: worth(best) }] : ['zip-none']];
  if (discards.length) notes.push(['zip-discard', { cards: { cards: discards, by: 'or' } }]);
  if (useful.length) notes.push(['zip-pile', { cards: { cards: useful, by: 'and' } }]);
  const answer = yes ? (keeps ? 'zip-out-discard' : 'zip-out') : 'zip-no';
  return { yes, answer: [answer], notes, zips: split(best), loose: left(hand, best) };
}
