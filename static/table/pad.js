// The pad: one tap a card into the text field that the server reads; the felt shows what it holds.
// A page that is kept up to date may get its pad later, or another one: each begins anew.
import { readAloud } from '../page/saying.js';
import { draw, phrase } from './pad-drawing.js';
import {
  add,
  adds,
  bids,
  closed,
  field,
  isNumber,
  minus,
  modeOf,
  price,
  summed,
  target,
  told,
  trays,
  value,
  words,
  zips,
} from './pad-hands.js';

let form, keys, grid, panels, tabs; // the pad that this page has, and its parts
let draft; // under this name it is kept until it is sent
let current; // the hand that is open
let isTyping = false; // a blank then parts two cards; after a Tab it taps what has the focus
let half = ''; // the 1 of a 10

const all = (selector, root = form) => [...root.querySelectorAll(selector)];
const say = (name, ...parts) => phrase(form, name, ...parts);
const remember = (name, text) => {
  try {
    localStorage.setItem(name, text);
  } catch { /* a help, not a duty */ }
};
const recalled = (name) => {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? {};
  } catch {
    return {};
  }
};
const game = () => draft?.split('-')[0];

function store() {
  if (!draft) return;
  const fields = [...form.elements].filter((one) =>
    one.name && !/hidden|submit/.test(one.type) && (one.type !== 'radio' || one.checked)
  );
  const typed = Object.fromEntries(
    fields.map((one) => [one.name, one.type === 'checkbox' ? one.checked : one.value]),
  );
  remember(draft, JSON.stringify({ typed, modes: panels.map(modeOf), at: Date.now() }));
}

function recall() {
  if (!draft || document.querySelector('.notice[role=alert]') || panels.some(told)) return;
  const { typed = {}, modes = [] } = recalled(draft);
  for (const [name, text] of Object.entries(typed)) {
    if (form.elements[name]) {
      form.elements[name][typeof text === 'boolean' ? 'checked' : 'value'] = text;
    }
  }
  panels.forEach((panel, place) => {
    if (modes[place]) panel.dataset.kept = modes[place];
  });
}

// What is mended is complained about no more.
function mended(panel) {
  panel.querySelector('[data-fault]')?.remove();
  // The judge's tray has none.
  panel.querySelector('[data-unread]')?.toggleAttribute('hidden', true);
  for (const link of all(`[role=alert] a[href^="#seat${panel.dataset.seat}-"]`)) {
    link.closest('li').remove();
  }
  const alert = form.querySelector('.notice[role=alert]');
  if (alert && !alert.querySelector('li')) alert.remove();
}

function put(panel, text) {
  target(panel).value = text;
  delete panel.dataset.left;
  mended(panel);
  drawAll();
  store();
  if (modeOf(panel) === 'hand') judge(panel);
}

function press(key) {
  const panel = panels[current];
  const held = target(panel).value;
  if (key.dataset.digit) return put(panel, digits(panel, held, key.dataset.digit));
  if (key.dataset.plus) return put(panel, plus(held, key.dataset.plus));
  const colour = key.dataset.suit ??
    (modeOf(panel) === 'hand' && key.dataset.card !== 'X'
      ? keys.querySelector('.suits [aria-pressed=true]').dataset.suit
      : '');
  const card = key.dataset.card + colour;
  const last = modeOf(panel) === 'zips' && trays(panel).at(-1);
  put(panel, `${held} ${last && closed(last) ? '/ ' : ''}${card}`.trim());
}

function plus(held, worth) {
  const more = worth === 'double' ? String(summed(held)) : worth;
  return held && !more.startsWith('-') ? `${held}+${more}` : held + more;
}

function digits(panel, held, digit) {
  if (digit === '-' && !zips(panel)) return held.startsWith('-') ? held.slice(1) : `-${held}`;
  if (digit === '-') {
    panel.toggleAttribute('data-minus', !('minus' in panel.dataset));
    if ('minus' in panel.dataset) panel.dataset.minus = '1';
    return target(panel).value;
  }
  return digit === '+'
    ? (held && !held.endsWith('+') ? `${held}+` : held)
    : (held === '0' ? digit : held + digit);
}

function back() {
  const panel = panels[current];
  const held = target(panel).value;
  if (adds(panel)) put(panel, held.replace(/(^|[+-])\d*$/, ''));
  else if (isNumber(panel)) put(panel, held.slice(0, -1));
  else put(panel, words(held).slice(0, -1).join(' ').replace(/ \/$/, ''));
}

function without(panel, word) {
  const held = words(target(panel).value);
  if (held.includes(word)) put(panel, held.toSpliced(held.lastIndexOf(word), 1).join(' '));
}

// What all hands of a game of points come to so far, of what there is.
function live() {
  const panel = panels[current];
  const mode = modeOf(panel);
  const given = panels.map((each) => value(each, mode)).filter(Boolean).map(summed);
  const too = mode === 'tricks'
    ? all('[data-tricks-too] input').map(({ value }) => +value || 0)
    : [];
  const sum = add([...given, ...too]);
  const whole = Number(form.dataset.together);
  const rest = whole - sum;
  const key = form.querySelector('[data-rest]');
  const others = sum - (summed(value(panel, mode)) || 0);
  if (key) key.textContent = key.dataset.rest.replace('{0}', Math.max(0, whole - others));
  if (form.dataset.dealt) {
    return say(mode === 'bid' ? 'allBid' : 'allTook', sum);
  }
  if (!whole) {
    const terms = adds(panel) && minus(value(panel, mode)).replaceAll(/(?<=\d)[+−]/g, ' $& ');
    return terms || (panel.querySelector(`[data-title=${mode}]`)?.textContent ?? '');
  }
  if (rest < 0) return say('tooMany', -rest);
  return rest === 0 && given.length < panels.length ? say('zeros') : say('openPoints', rest, whole);
}

const isWhole = () => {
  const whole = Number(form.dataset.together);
  return whole && add(panels.map((panel) => summed(value(panel, 'total')) || 0)) === whole;
};

function after(panel) {
  if (bids(panel)) {
    return modeOf(panel) === 'bid'
      ? ''
      : say('bidOnly', value(panel, 'bid').replace('+', ' + ') || '?');
  }
  const typed = value(panel, 'total');
  const [{ before = '' }, sum] = [panel.dataset, summed(typed)];
  if (!before) return typed.includes('+') ? typed : '';
  return typed && !Number.isNaN(sum)
    ? `${minus(before)} → ${minus(Number(before) + sum)}`
    : minus(before);
}

function drawAll() {
  panels.forEach(draw);
  const sum = form.querySelector('[data-sum]');
  if (sum) sum.textContent = live();
  panels.forEach((panel, place) => {
    const state = tabs[place]?.querySelector('.state');
    if (!state) return;
    state.dataset.idle ??= state.textContent;
    state.classList.toggle('has', told(panel));
    const next = tabs[place].querySelector('[data-after]');
    if (next) next.textContent = after(panel);
    const shown = next && bids(panel)
      ? value(panel, modeOf(panel)) || '–'
      : bids(panel)
      ? `${value(panel, 'bid') || '?'} / ${value(panel, 'tricks') || '?'}`
      : panel.querySelector('output').textContent;
    state.textContent = told(panel) ? shown : state.dataset.idle;
  });
  label(form.querySelector('[data-next]'));
  reach(panels[current]);
}

// What does not fit scrolls under the keyboard's arrows too.
function reach(panel) {
  if (panel.scrollHeight > panel.clientHeight) panel.tabIndex = 0;
  else panel.removeAttribute('tabindex');
}

// The next hand that is still empty: whoever corrects one is not led through all the others again.
const isEmpty = (panel) => (bids(panel) ? !value(panel, modeOf(panel)) : !told(panel));
const following = () =>
  isWhole() ? undefined : panels.find((panel, place) => place > current && isEmpty(panel));
// Everybody bids before anybody takes a trick.
const tricksAreLeft = () =>
  modeOf(panels[current]) === 'bid' &&
  panels.some((panel) => field(panel, 'tricks') && !value(panel, 'tricks'));

const isLeft = (panel) =>
  modeOf(panel) === 'zips' && panel.dataset.modes.includes('cards') && !value(panel, 'cards') &&
  !value(panel, 'total');

function open(place) {
  current = place;
  const panel = panels[place];
  const mode = modeOf(panel);
  panels.forEach((each) => {
    each.hidden = each !== panel;
  });
  tabs.forEach((tab, other) => {
    if (other === place) tab.setAttribute('aria-current', 'step');
    else tab.removeAttribute('aria-current');
  });
  for (const title of all('[data-title]', panel)) title.hidden = title.dataset.title !== mode;
  for (const typed of all('.typed', panel)) typed.hidden = typed.dataset.mode !== mode;
  for (const button of all('[data-to]')) {
    button.ariaPressed = String(button.dataset.to === panel.dataset.mode);
    button.disabled = !panel.dataset.modes.split(' ').includes(button.dataset.to);
  }
  grid.dataset.mode = isNumber(panel) && !adds(panel) ? 'total' : panel.dataset.mode;
  keys.querySelector('.suits')?.toggleAttribute('hidden', mode !== 'hand');
  drawAll();
}

function label(next) {
  const then = following();
  next.textContent = !then && tricksAreLeft()
    ? `${say('tricks')} ›`
    : isLeft(panels[current])
    ? `${say('left')} ›`
    : then
    ? `${then.dataset.name} ›`
    : form.dataset.word ?? next.textContent;
}

// How one hand is told, the next are too; but each begins with its zips, whatever comes after them.
function enter(mode) {
  if (bids(panels[current])) {
    for (const panel of panels) panel.dataset.mode = mode;
    return open(current);
  }
  const first = mode === 'cards' && zips(panels[current]) ? 'zips' : mode;
  for (const panel of panels.slice(current + 1)) {
    if (!told(panel) && panel.dataset.modes.split(' ').includes(first)) panel.dataset.mode = first;
  }
  if (panels[current].dataset.modes.split(' ').includes(mode)) panels[current].dataset.mode = mode;
  if (draft) remember('way', JSON.stringify({ game: game(), mode: first }));
  open(current);
}

// True where another hand or step is still to come.
function onward() {
  const panel = panels[current];
  if (isLeft(panel)) panel.dataset.mode = 'cards';
  else if (following()) current = panels.indexOf(following());
  else if (tricksAreLeft()) {
    for (const each of panels) each.dataset.mode = 'tricks';
    current = panels.findIndex(isEmpty);
  } else return false;
  open(current);
  readAloud(panels[current].querySelector('legend').textContent);
  return true;
}

const rivals = {
  cards: ['total', 'hand'],
  total: ['cards', 'hand'],
  hand: ['cards', 'total'],
  zips: ['zipped'],
  bid: [],
  tricks: [],
};

// Each hand is told in one way: what was entered in the others stays only until it is sent.
function settle(panel) {
  const used = zips(panel) && modeOf(panel) === 'total'
    ? [['zipped', ['zips']], ['total', ['cards']]]
    : [[modeOf(panel), rivals[modeOf(panel)]]];
  for (const [name, others] of used) {
    if (value(panel, name)) {
      for (const rival of others) if (field(panel, rival)) field(panel, rival).value = '';
    }
  }
  for (const name of ['total', 'zipped']) {
    if (field(panel, name)) field(panel, name).value = value(panel, name).replace(/\+$/, '');
  }
}

async function judge(panel) {
  const held = target(panel).value;
  if (!form.dataset.judge || words(held).length !== Number(panel.dataset.size)) return;
  try {
    const answer = await fetch(
      `${form.dataset.judge}?${new URLSearchParams({ seat: panel.dataset.seat, hand: held })}`,
      { headers: { Accept: 'application/json' } },
    );
    const found = answer.ok ? await answer.json() : null;
    if (!found || target(panel).value !== held) return;
    panel.laid = found;
    panel.dataset.left = found.left;
    drawAll();
  } catch { /* the review counts it */ }
}

// At a desk letters and digits are cards, Backspace takes the last one away, Enter goes on. A
// letter or a blank among the digits of a total says that these are cards.
function asCards(panel) {
  const total = value(panel, 'total');
  const cards = total.match(/10|[2-9]/g) ?? [];
  if (zips(panel) || !field(panel, 'cards') || cards.join('') !== total) {
    return false;
  }
  field(panel, 'total').value = '';
  enter('cards');
  put(panel, cards.join(' '));
  return true;
}

function unread(panel, key) {
  const note = panel.querySelector('[data-unread]');
  if (!note) return;
  note.textContent = (isNumber(panel) ? note.dataset.number : note.dataset.unread).replace(
    '{0}',
    key,
  );
  note.hidden = false;
}

function typed(event) {
  if (
    !form?.isConnected || event.ctrlKey || event.metaKey || event.altKey ||
    event.target.closest('input, textarea, select, summary, .menu')
  ) return;
  const { key } = event;
  const panel = panels[current];
  if (key === ' ') return isTyping && blank(event, panel);
  const isCard = /^[a-z*]$/i.test(key) || (isTyping === 'blank' && /^[0-9]$/.test(key));
  if (isNumber(panel) && isCard && !asCards(panel)) {
    return unread(panel, `${target(panel).value} ${key}`.trim());
  }
  const mode = isNumber(panel) ? 'total' : modeOf(panel);
  const lost = key.length === 1 && key !== '0' ? half : '';
  half = key === '1' && mode !== 'total' ? key : '';
  if (key === 'Enter' && event.target.closest('a, [data-tab], [data-to], [data-colour]')) return;
  const letter = { '*': 'X', 1: '', 0: '10', T: '10' }[key.toUpperCase()] ?? key.toUpperCase();
  const wanted = mode === 'total'
    ? `[data-digit="${CSS.escape(key)}"]`
    : `[data-card="${CSS.escape(letter)}"]`;
  const choice = keys.querySelector(
    `.suits:not([hidden]) [data-suit="${CSS.escape(letter)}"], [data-colour="${
      { '-': 'R', '+': 'B' }[key]
    }"]`,
  );
  const cards = all(wanted);
  if (key === 'Backspace') back();
  else if (key === 'Enter') form.querySelector('[data-next]').click();
  else if (mode !== 'total' && choice) choice.click();
  else if (cards.length) {
    press(cards.find((one) => one.dataset.suit === keys.dataset.colour) ?? cards[0]);
  } else return key.length === 1 && !half && unread(panel, lost + key);
  if (lost) unread(panel, lost);
  isTyping = true;
  event.preventDefault();
}

function blank(event, panel) {
  if (modeOf(panel) === 'total' && value(panel, 'total')) isTyping = 'blank';
  event.preventDefault();
}

function listen() {
  form.addEventListener('input', (event) => {
    const panel = event.target.closest('.hand-fields');
    if (panel) mended(panel);
    drawAll();
    store();
  });
  for (const key of all('[data-card], [data-digit], [data-plus]', grid)) {
    key.addEventListener('click', () => press(key));
  }
  form.querySelector('[data-rest]')?.addEventListener('click', () => {
    const others = panels.filter((_, place) => place !== current).map((each) =>
      summed(value(each, 'total')) || 0
    );
    put(panels[current], String(Math.max(0, Number(form.dataset.together) - add(others))));
  });
  for (const button of all('[data-add]')) {
    button.addEventListener('click', () => {
      const input = button.parentElement.querySelector('input');
      input.value = Math.max(0, (Number(input.value) || 0) + Number(button.dataset.add)) || '';
      drawAll();
      store();
    });
  }
  // Whoever took everything leaves nothing to enter: the server fills the hand in.
  for (const choice of all('[data-whose]')) {
    choice.addEventListener('change', () => {
      if (!choice.value || !form.dataset.together) return;
      for (const panel of panels) field(panel, 'total').value = '';
      form.requestSubmit(form.querySelector('[data-plain]'));
    });
  }
  form.querySelector('[data-back]').addEventListener('click', back);
  for (const choice of all('.suits [data-suit]')) {
    choice.addEventListener('click', () => {
      for (const one of all('.suits [data-suit]')) one.ariaPressed = String(one === choice);
    });
  }
  for (const choice of all('[data-colour]', keys)) {
    choice.addEventListener('click', () => {
      keys.dataset.colour = choice.dataset.colour;
      for (const one of all('[data-colour]', keys)) one.ariaPressed = String(one === choice);
    });
  }
  form.addEventListener('submit', (event) => {
    if (event.submitter?.matches('[data-next]') && onward()) event.preventDefault();
    else if (form.dataset.sent) event.preventDefault();
    else {
      panels.forEach(settle);
      form.dataset.sent = '1';
    }
  });
  // Enter in a field would press the first button of the form, wherever that stands.
  form.addEventListener('keydown', (event) => {
    if (
      event.key !== 'Enter' || !event.target.matches('input:not([type=checkbox], [type=radio])')
    ) return;
    event.preventDefault();
    form.querySelector('[data-next]').click();
  });
  tabs.forEach((tab, place) => tab.addEventListener('click', () => open(place)));
  form.querySelector('.notice[role=alert]')?.addEventListener('click', (event) => {
    const wrong = document.getElementById(event.target.hash?.slice(1));
    const place = panels.findIndex((panel) => panel.contains(wrong));
    if (place < 0) return;
    event.preventDefault();
    open(place);
  });
  for (const button of all('[data-to]')) {
    button.addEventListener('click', () => enter(button.dataset.to));
  }
}

function begin() {
  form = document.querySelector('form[data-entry]');
  keys = form?.querySelector('.keys');
  form?.querySelector('[data-focus]')?.focus();
  if (!keys) return;
  // It stands outside the form.
  for (const each of document.querySelectorAll('.menu [data-js]')) each.hidden = false;
  if (form.dataset.begun) return;
  panels = all('.hand-fields');
  tabs = all('[data-tab]');
  grid = keys.querySelector('[data-grid]');
  price(form);
  draft = form.dataset.entry && `draft:${form.dataset.entry}`;
  form.dataset.begun = '1';
  document.documentElement.classList.add('js');
  recall();
  const habit = draft && recalled('way');
  for (const panel of panels) {
    panel.take = (word) => without(panel, word);
    const used = ['hand', 'zips', 'total', 'cards', 'bid'].find((name) => value(panel, name));
    const wanted = habit?.game === game() && panel.dataset.modes.split(' ').includes(habit.mode)
      ? habit.mode
      : '';
    const lacks = panel.dataset.modes.startsWith('zips') &&
      panel.querySelector('[data-field=cards][aria-invalid]'); // zips are there
    panel.dataset.mode = lacks
      ? 'cards'
      : panel.dataset.kept ?? ((used ?? wanted) || modeOf(panel));
    if (modeOf(panel) === 'hand') judge(panel);
    if (bids(panel)) {
      panel.dataset.mode = panels.every((each) => value(each, 'bid') && field(each, 'tricks'))
        ? 'tricks'
        : 'bid';
    }
  }
  listen();
  const asked = panels.findIndex((panel) => panel.dataset.seat === form.dataset.open);
  open(Math.max(panels.findIndex((panel) => panel.querySelector('[aria-invalid]')), asked, 0));
  if (form.dataset.gone) without(panels[current], form.dataset.gone);
}

document.addEventListener('keydown', typed);
document.addEventListener('focusin', () => {
  isTyping = false;
});
document.addEventListener('click', (event) => {
  if (!event.target.closest('[data-type]') || !form?.isConnected) return;
  form.classList.toggle('typing');
  drawAll();
  location.hash = '';
  target(panels[current]).focus();
});
window.addEventListener('pageshow', () => {
  // Back brings the page out of the browser's memory as it was left, and then nothing was sent.
  if (form) delete form.dataset.sent;
});
document.addEventListener('live:shown', begin);
begin();
