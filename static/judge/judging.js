// The judge's page: after each tap the answer stands there at once, without a request. What the
// judge in the page cannot prove is left to the button, which asks the server as ever. All words
// and marks are the server's: blank answers of every shape are filled in.
import '../table/pad.js';

const form = document.querySelector('[data-question]');
const place = document.querySelector('[data-told]');
const faces = document.querySelector('template[data-faces]').content.children;
const { deals, seats, ...game } = JSON.parse(form.dataset.question);
const names = new Map(game.names), order = [...names.keys()];
const asks = new Map();

const face = (card) => faces[order.indexOf(card)].cloneNode(true);
const fill = (part, cards) => part.querySelector('.hand').replaceChildren(...cards.map(face));

// The words of a field as the judge reads them.
function words(name) {
  const typed = (form.elements[name]?.value ?? '').toUpperCase().split(/[\s,;]+/).filter(Boolean);
  return typed.map((word) => word.replace(/^(JK|JOKER|\*|★)$/, 'X').replace(/^T(?=.)/, '10'));
}

// The items of a list are made of its first.
function list(part, items, dress) {
  const rows = part.querySelector('ul'), blank = rows.firstElementChild;
  rows.replaceChildren(...items.map((item) => {
    const row = blank.cloneNode(true);
    dress(row, item);
    return row;
  }));
}

// A meld; beside a card that stands for another the words say for which, as they do in the blank.
function meld(row, { cards, means }) {
  const hand = row.querySelector('.hand'), stands = hand.lastElementChild;
  const rank = (card) => card.replace(/[CDHS]$/, '');
  hand.replaceChildren();
  for (const [at, card] of cards.entries()) {
    hand.append(face(card));
    if (rank(card) === rank(means[at])) continue;
    const words = stands.cloneNode(true);
    words.textContent = words.textContent.replace(names.get(order[0]), names.get(means[at]));
    hand.append(words);
  }
}

function spread(table, helping) {
  for (const [suit, row] of [...table.tBodies[0].rows].entries()) {
    for (const [rank, cell] of [...row.cells].slice(1).entries()) {
      const copies = helping[order[suit * 13 + rank]];
      cell.textContent = copies ?? '';
      cell.classList.toggle('helps', Boolean(copies));
    }
  }
}

function help(part, helping) {
  const table = part.querySelector('table');
  if (table) spread(table, helping);
  list(part, Object.keys(helping).filter((card) => !table || card === 'X'), (row, card) => {
    row.firstElementChild.replaceWith(face(card));
    row.querySelector('small').firstChild.textContent = `×${helping[card]}`;
  });
}

const dress = {
  answer: (part, sentence) => {
    part.querySelector('strong').textContent = sentence;
  },
  notes: (part, notes) =>
    part.replaceChildren(
      ...notes.map((note) => Object.assign(document.createElement('p'), { textContent: note })),
    ),
  helping: help,
  groups: (part, melds) => list(part, melds, meld),
  zips: (part, zips) => list(part, zips, fill),
  draw: fill,
  loose: fill,
  free: fill,
};

function show(told) {
  const many = Object.keys(told.helping).length;
  const kind = (many > form.dataset.few ? 'many' : many ? 'few' : 'none') +
    (told.draw.length ? '-draw' : '');
  const sheet = document.querySelector(`template[data-blank=${kind}]`).content.cloneNode(true);
  for (const part of sheet.querySelectorAll('[data-part]')) {
    const about = told[part.dataset.part];
    if (Object.keys(about).length) dress[part.dataset.part](part, about);
    else part.remove();
  }
  place.replaceChildren(sheet);
}

function read() {
  const { deal, seat } = form.elements;
  return {
    hand: words('hand'),
    pile: words('pile'),
    step: Number(deal?.value ?? 1),
    seat: Number(seat?.value ?? 0),
  };
}

let asked = JSON.stringify(read());

// The judge is fetched when it is first asked, and once for each deal and seat.
async function answer() {
  const { hand, pile, step, seat } = read(),
    now = JSON.stringify({ hand, pile, step, seat }),
    which = `${step} ${seat}`;
  if (now === asked) return;
  asked = now;
  place.replaceChildren();
  if (!hand.length) return;
  if (!asks.has(which)) {
    asks.set(
      which,
      import('./judge.js').then(({ load }) =>
        load({ ...game, ...deals[Math.min(step, deals.length) - 1], ...seats[seat] })
      ),
    );
  }
  try {
    const told = (await asks.get(which))(hand, pile);
    if (told && asked === now) show(told);
  } catch {
    asks.delete(which); // no network the first time: the button says so
  }
}

for (const kind of ['click', 'input', 'change']) {
  document.addEventListener(kind, () => queueMicrotask(answer));
}
