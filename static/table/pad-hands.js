// What a hand of the pad holds, and what it is worth. Owned here: the worth of the game's cards,
// and the fewest cards of a zip.
let points = {};
let least = 2;

export function price(form) {
  const keys = [...form.querySelectorAll('[data-card]')];
  points = Object.fromEntries(keys.map(({ dataset }) => [dataset.card, Number(dataset.points)]));
  least = Number(form.dataset.least ?? 2);
}

export const field = (panel, name) => panel.querySelector(`[data-field=${name}]`);
export const value = (panel, name) => field(panel, name)?.value.trim() ?? '';
// Cards of a game whose cards no judge knows are a sum in the field of the total.
export const adds = (panel) => panel.dataset.mode === 'cards' && !field(panel, 'cards');
export const modeOf = (panel) => (adds(panel) ? 'total' : panel.dataset.mode);
export const zips = (panel) => Boolean(field(panel, 'zips'));
export const target = (panel) =>
  field(
    panel,
    modeOf(panel) !== 'total'
      ? modeOf(panel)
      : zips(panel) && !panel.dataset.minus
      ? 'zipped'
      : 'total',
  );
export const words = (text) =>
  text.toUpperCase().replaceAll('/', ' / ').split(/[\s,;]+/).filter(Boolean);
export const rank = (word) =>
  word.replace(/(?<=.)[CDHSRB]$/, '').replace(/^(JK|JOKER|\*)$/, 'X').replace(/^T$/, '10');
export const suit = (word) => (rank(word) === 'X' ? '' : word.slice(rank(word).length));
export const add = (numbers) => numbers.reduce((total, one) => total + one, 0);
const colours = { H: 'R', D: 'R', S: 'B', C: 'B' };
export const coloured = (word) => {
  const name = rank(word) + (colours[suit(word)] ?? suit(word));
  return name in points ? name : rank(word);
};
const worth = (held) => add(held.map((word) => points[coloured(word)] ?? NaN));
export const summed = (text) =>
  add(text.replaceAll('-', '+-').replace(/^\+/, '').split('+').map(Number));
export const isRead = (held) => held.every((word) => word === '/' || coloured(word) in points);
export const minus = (number) => String(number).replaceAll('-', '−');
export const signed = (number) => (number > 0 ? `+${number}` : minus(number));
export const isNumber = (panel) => ['total', 'bid', 'tricks'].includes(modeOf(panel));
export const bids = (panel) => Boolean(field(panel, 'bid'));
export const told = (panel) =>
  ['cards', 'total', 'hand', 'zips', 'zipped', 'bid', 'tricks'].some((name) => value(panel, name));
// A zip closes by itself at zero: the next card opens another tray.
export const red = (word) => (suit(word) === 'R' ? -1 : 1) * points[rank(word)];
export const trays = (panel) =>
  value(panel, 'zips').split('/').map(words).filter((tray) => tray.length);
export const closed = (tray) => tray.length >= least && add(tray.map(red)) === 0;
export const zipped = (
  panel,
) => (value(panel, 'zips')
  ? add(trays(panel).filter(closed).map(worth))
  : summed(value(panel, 'zipped')));
export const left = (
  panel,
) => (value(panel, 'cards') ? worth(words(value(panel, 'cards'))) : summed(value(panel, 'total')));

export function scored(panel) {
  if (zips(panel)) return zipped(panel) - left(panel);
  if (bids(panel)) return summed(value(panel, modeOf(panel)));
  if (modeOf(panel) === 'hand') return panel.dataset.left ? Number(panel.dataset.left) : NaN;
  return modeOf(panel) === 'total' ? summed(value(panel, 'total')) : left(panel);
}
