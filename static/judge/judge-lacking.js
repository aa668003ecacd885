// What a layout lacks: the places that no card of a hand fills, and the natural cards that its
// neediest group of melds is short of (Hall's theorem).

let rules, spend, limited;

// Count by these rules from here on; `limited` where not every place may be a wild.
export function countBy(read, step, isLimited) {
  [rules, spend, limited] = [read, step, isLimited];
}

// A part of a layout is the ranks of its places, their suit (-1 for any) and the wilds it may take.

const asked = new Int8Array(65), left = new Int8Array(13);

// Fill a group of parts: places of one suit first, what any suit fills takes what is left of a
// rank. Count the places no card fills, those that only a wild in its own place does, and the
// wilds.
function fill(parts, group, cells) {
  asked.fill(0);
  let empty = 0, cap = 0, own = 0;
  for (let at = 0; at < parts.length; at++) {
    if (!(group >> at & 1)) continue;
    const { ranks, suit } = parts[at];
    empty += ranks.length;
    cap += parts[at].cap;
    for (const rank of ranks) asked[(suit < 0 ? 52 : suit * 13) + rank]++;
  }
  for (let rank = 0; rank < 13; rank++) {
    let lie = 0, over = 0;
    for (let card = rank; card < 52; card += 13) {
      const here = cells[card] < asked[card] ? cells[card] : asked[card];
      lie += here;
      over += cells[card] - here;
    }
    left[rank] = over;
    lie += Math.min(over, asked[52 + rank]);
    if (rules.free[rank]) own += lie;
    else empty -= lie;
  }
  return { empty, short: empty - own - cap };
}

export const wants = (card, cells) =>
  cells[card] < asked[card] || left[card % 13] < asked[52 + card % 13];
export const spares = (card, cells) =>
  cells[card] > asked[card] && left[card % 13] > asked[52 + card % 13];

export const emptyIn = (parts, cells) => fill(parts, -1, cells).empty;

// A part that may be all wilds makes no group of them needier.
const tightOf = (parts) => parts.filter(({ ranks, cap }) => cap < ranks.length);

// How many cards are lacking however many wilds there are, and what to do at each neediest group.
export function shortIn(parts, cells, see) {
  let most = 0;
  if (!limited) return most;
  const tight = tightOf(parts), groups = 2 ** tight.length;
  spend(groups);
  for (let group = 1; group < groups; group++) {
    most = Math.max(most, fill(tight, group, cells).short);
  }
  for (let group = 1; see && group < groups; group++) {
    if (fill(tight, group, cells).short === most) see();
  }
  return most;
}

// Whether a layout lacks more than `many` cards. A group of melds can't be short of more than its
// empty places.
export function lacksMore(parts, { cells, wilds }, many) {
  if (emptyIn(parts, cells) - wilds > many) return true;
  return limited && emptyIn(tightOf(parts), cells) > many && shortIn(parts, cells) > many;
}
