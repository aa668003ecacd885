// What the melds of a contract may be: its ways, the runs and sets of each, which runs may lie
// together.

let rules;

// Choose by these rules from here on.
export function chooseBy(read) {
  rules = read;
}

export const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);
export const isExact = (meld) => meld.exact ?? rules.laydown === 'exact';
export const capOf = (meld, size) => Math.min(rules.cap(size, meld.kind), meld.wilds ?? size);
const isNamed = (meld, ranks) =>
  !meld.ranks.length || ranks.every((rank) => meld.ranks.includes(rules.letters[rank]));

// Every way to meet a contract; where the whole hand must be melded, with melds grown to hold it.
export function ways(contract, size) {
  return [contract.melds, ...contract.or_melds].flatMap((melds) => {
    const over = contract.all_cards ? size - sum(melds.map((meld) => meld.size)) : 0;
    const open = [...melds.keys()].filter((at) => !isExact(melds[at]));
    if (over <= 0 || !open.length) return [melds];
    let grown = [melds];
    for (let more = 0; more < over; more++) {
      const further = grown.flatMap((way) =>
        open.map((at) => way.with(at, { ...way[at], size: way[at].size + 1 }))
      );
      grown = [
        ...new Map(
          further.map((way) => [way.map((meld) => JSON.stringify(meld)).sort().join(), way]),
        ).values(),
      ];
    }
    return grown;
  });
}

// What a run of one suit may be. One longer than asked is of use only if it takes a wild more, both
// its ends being natural, or beside another: nine cards may touch, or it overlaps what it would
// touch.
export function runChoices(meld, others) {
  const nine = rules.same_suit_runs === 'adjacent_needs_9' && others.length;
  const beside = nine || (rules.same_suit_runs === 'not_adjacent' && others.length);
  const over = beside && !isExact(meld) ? others.length - 1 : 0;
  const grown = Math.max(
    meld.size + over,
    nine ? 9 - Math.min(...others.map((other) => other.size)) : 0,
  );
  const found = [];
  for (let size = meld.size; size <= (rules.limited && !isExact(meld) ? 14 : grown); size++) {
    const cap = capOf(meld, size);
    const takesMore = cap > capOf(meld, size - 1) && cap <= size - 2 &&
      !(rules.wilds_apart && cap > (size - 1) >> 1);
    if (size > grown && !takesMore && !beside) continue;
    for (const ranks of rules.windows(size).filter((window) => isNamed(meld, window))) {
      for (const parts of partsOfRun(ranks, cap)) {
        found.push({ kind: 'run', ranks, least: meld.size, exact: isExact(meld), parts });
      }
    }
  }
  return found;
}

// A run is one part; where wilds lie apart, two: the fewest places that must be natural, the rest.
function partsOfRun(ranks, cap) {
  const part = (places, most) => ({
    at: places,
    ranks: places.map((place) => ranks[place]),
    cap: Math.min(most, places.length),
  });
  const places = [...ranks.keys()], found = [];
  if (!rules.wilds_apart) return [[part(places, cap)]];
  for (let natural = 0; natural < 1 << ranks.length; natural++) {
    const wild = places.filter((place) => !(natural >> place & 1));
    const isApart = wild.every((place) => natural >> place + 1 & 1 || place + 1 === ranks.length);
    if (isApart && wild.length <= cap && !found.some((fewer) => (fewer & natural) === fewer)) {
      found.push(natural);
    }
  }
  return found.map((
    natural,
  ) => [
    part(places.filter((place) => natural >> place & 1), 0),
    part(places.filter((place) => !(natural >> place & 1)), 99),
  ]);
}

// Whether two runs of a suit may lie together: 0 no, 1 yes, 2 if they connect and are enough.
export function together(one, other) {
  if (rules.same_suit_runs === 'any') return 1;
  if (rules.same_suit_runs === 'different_suits') return 0;
  const ahead = other.ranks[0] - one.ranks[0], corner = rules.ace === 'corner';
  const gaps = [
    (corner ? (ahead + 13) % 13 : ahead) - one.ranks.length,
    (corner ? (13 - ahead) % 13 : -ahead) - other.ranks.length,
  ];
  const between = corner ? Math.min(...gaps) : Math.max(...gaps);
  if (rules.same_suit_runs === 'gap_only') return Number(between > 0);
  if (between !== 0) return 1;
  const needed = Math.max(9, one.least + other.least),
    total = one.ranks.length + other.ranks.length;
  const enough = one.exact && other.exact ? total === needed : total >= needed;
  return rules.same_suit_runs === 'adjacent_needs_9' && enough ? 2 : 0;
}

// A run that may be no longer than asked, but is, must connect with another.
export const isAlone = (run, runs) =>
  run.exact && run.ranks.length > run.least &&
  !runs.some((other) => other !== run && together(run, other) === 2);

export function looseChoices(meld) {
  const all = meld.kind === 'run'
    ? rules.windows(meld.size)
    : rules.setRanks.map((rank) => Array(meld.size).fill(rank));
  return all.filter((ranks) => isNamed(meld, ranks)).map((ranks) => {
    const part = { at: [...ranks.keys()], ranks, suit: -1, cap: capOf(meld, ranks.length) };
    return { kind: meld.kind, ranks, suit: -1, parts: [part] };
  });
}
