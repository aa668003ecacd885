// How a hand of the pad is drawn: its cards, its sums and what they mean; a tap takes one back.
import {
  add,
  bids,
  closed,
  coloured,
  isNumber,
  isRead,
  left,
  minus,
  modeOf,
  rank,
  red,
  scored,
  signed,
  suit,
  summed,
  target,
  trays,
  value,
  words,
  zipped,
  zips,
} from './pad-hands.js';

const formOf = (panel) => panel.closest('form');

// A sentence of the page with what is counted in it.
export const phrase = (form, name, ...parts) =>
  parts.reduce((text, part, n) => text.replace(`{${n}}`, part), form.dataset[name] ?? '');

function face(panel, word, times = 1) {
  const form = formOf(panel);
  const card = document.createElement('button');
  const [name, of] = [rank(word), suit(word)];
  card.type = 'button';
  card.className = `card${name === 'X' ? ' joker' : 'SHDC'.includes(of) && of ? '' : ' bare'}${
    times > 1 ? ' many' : ''
  }`;
  if (of) card.dataset.suit = of;
  if (name !== 'X') card.append(Object.assign(document.createElement('b'), { textContent: name }));
  const corner = `<svg><use href="#${name === 'X' ? 'X' : of}"/></svg>`;
  if (name === 'X' || (of && 'SHDC'.includes(of))) {
    card.insertAdjacentHTML('beforeend', name === 'X' ? corner : corner + corner);
  }
  if (times > 1) card.insertAdjacentHTML('beforeend', `<em>×${times}</em>`);
  const called = name === 'X' ? form.querySelector('[data-card=X]')?.dataset.name : name;
  card.ariaLabel = phrase(
    form,
    'take',
    [
      times > 1 ? `${times} ×` : '',
      called,
      [...form.querySelectorAll('.suits [data-suit]')].find((one) => one.dataset.suit === of)
        ?.textContent.trim(),
    ].filter(Boolean).join(' '),
  );
  card.addEventListener('click', () => panel.take(word));
  return card;
}

const order = (panel, word) =>
  [...formOf(panel).querySelectorAll('[data-card]')].findIndex((key) =>
    key.dataset.card === coloured(word)
  );

function chips(panel, held) {
  const counts = new Map();
  for (const word of held.toSorted((one, other) => order(panel, one) - order(panel, other))) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([word, times]) => face(panel, word, times));
}

function tray(panel, cards) {
  const line = document.createElement('div');
  const [sum, is] = [add(cards.map(red)), closed(cards)];
  line.className = is ? 'zip' : 'zip open';
  line.innerHTML = '<span class="hand"></span><span><span></span> = <b></b><span></span></span>';
  const [hand, , terms, total, needs] = line.querySelectorAll('span, b');
  hand.append(...cards.map((word) => face(panel, word)));
  terms.textContent = cards.map((word) => signed(red(word))).join(' ');
  total.textContent = is ? '0 ✓' : signed(sum);
  total.className = is ? 'zero' : '';
  needs.textContent = is || !sum ? '' : `, ${phrase(formOf(panel), 'needs', signed(-sum))}`;
  return line;
}

function laid(panel, held) {
  if (!panel.laid || !panel.dataset.left) return chips(panel, held);
  const melds = panel.laid.melds.map((cards) => {
    const meld = Object.assign(document.createElement('span'), { className: 'meld' });
    meld.append(...cards.map((word) => face(panel, word)));
    return meld;
  });
  return [...melds, ...panel.laid.loose.map((word) => face(panel, word))];
}

export function draw(panel) {
  const form = formOf(panel);
  const [mode, table] = [modeOf(panel), panel.querySelector('[data-chips]')];
  const held = isNumber(panel) ? [] : words(target(panel)?.value ?? '');
  if (!isRead(held)) return drawText(panel, table);
  const drawn = {
    zips: () => trays(panel).map((cards) => tray(panel, cards)),
    hand: () => laid(panel, held),
    cards: () => chips(panel, held),
  }
    [mode]?.() ?? [];
  table.className = mode === 'zips' ? 'zips' : 'hand';
  table.dataset.empty = form.matches('.typing') ? '' : table.dataset[mode] ?? '';
  table.replaceChildren(...drawn);
  if (isNumber(panel)) table.textContent = sentence(panel);
  const total = scored(panel);
  const count = panel.querySelector('[data-count]');
  const of = mode === 'hand' && panel.dataset.size ? ` / ${panel.dataset.size}` : '';
  if (count) {
    count.textContent = isNumber(panel)
      ? ''
      : mode === 'zips'
      ? trays(panel).length || ''
      : (held.length || '') + of;
  }
  const parts = panel.querySelector('[data-parts]');
  if (parts) parts.textContent = phrase(form, 'parts', zipped(panel), left(panel));
  panel.querySelector('output').textContent = Number.isNaN(total)
    ? (mode !== 'hand' || !form.dataset.judge ? '' : held.length ? '?' : '0')
    : zips(panel)
    ? signed(total)
    : minus(total);
  const over = Number(panel.dataset.limit) < total;
  const note = panel.querySelector('[data-over]');
  if (note) {
    note.hidden = !over;
    note.textContent = note.dataset.over.replace('{0}', total);
  }
}

// Words and short forms are read by the server; until then they stand as they were typed.
function drawText(panel, table) {
  table.className = 'hand';
  table.textContent = target(panel).value;
  for (const count of panel.querySelectorAll('[data-count], [data-parts]')) count.textContent = '';
  panel.querySelector('output').textContent = '';
  panel.querySelector('[data-over]')?.toggleAttribute('hidden', true);
}

function sentence(panel) {
  const form = formOf(panel);
  if (bids(panel)) {
    return phrase(form, 'bids', value(panel, 'bid') || '?', value(panel, 'tricks') || '?');
  }
  if (zips(panel)) return `${value(panel, 'zipped') || 0} − ${value(panel, 'total') || 0}`;
  const typed = value(panel, 'total');
  const [{ before = '' }, sum] = [panel.dataset, summed(typed)];
  if (!typed || Number.isNaN(sum)) return typed;
  const twice = form.querySelector('[data-doubles] :checked') ? 2 : 1;
  const terms = (typed.includes('+') ? `${typed.replaceAll('+', ' + ')} = ${minus(sum)}\n` : '') +
    (twice > 1 ? `2 × ${minus(sum)} = ${minus(2 * sum)}\n` : '');
  const after = `${minus(before)} ${sum < 0 ? '−' : '+'} ${Math.abs(twice * sum)} = ${
    minus(Number(before) + twice * sum)
  }`;
  return before ? terms + phrase(form, 'inAll', after) : terms;
}
