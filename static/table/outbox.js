// What somebody enters waits on this phone and is sent in order, each under its key: sent twice it
// is one. The form itself is the fallback: without this file it is sent as ever.
import { isLost, missed, unsentAre } from '../page/connection.js';

const BOX = 'outbox';
const PATIENCE = 6000;
const AGAIN = 4000;
const MOST = 10; // failures of the server at one letter, after which it lets those behind it pass
const OF_A_SEAT = /^seat\d+-/; // fields of a form that somebody filled
const SELDOM = 60000; // between two tries of such a letter
let memory = null; // where the browser keeps nothing, an open page does
let sending = null;
let early = new Set(); // letters of deals that the table has not come to
let entered = false; // here: what the page shows of it gets the focus
let refused = ''; // stays on the page until something else is entered
let count = 0;

const box = () => {
  try {
    return JSON.parse(localStorage.getItem(BOX)) ?? [];
  } catch {
    return [];
  }
};
const letters = () => memory ?? box();
const without = (key) => letters().filter((other) => other.key !== key);

const isAside = ({ failures = 0 }) => failures >= MOST;
const isRefused = ({ refused: words }) => words !== undefined;
const isStuck = (letter) => isAside(letter) || isRefused(letter);

// What the server does not know yet, though it could.
export const toSend = () =>
  letters().filter((letter) => !early.has(letter.key) && !isStuck(letter));

// How often something that this page sent arrived.
export const arrivals = () => count;

function keep(kept) {
  try {
    localStorage.setItem(BOX, JSON.stringify(kept));
    memory = null;
  } catch {
    memory = kept;
  }
  draw();
}

function draw() {
  unsentAre(letters().filter((letter) => !isRefused(letter)).length, letters().filter(isStuck));
  const notice = document.querySelector('[data-refused]');
  if (!notice) return;
  notice.hidden = !refused;
  notice.textContent = refused;
  if (refused && entered) focusOn(notice);
}

function focusOn(part) {
  entered = false;
  part.focus({ preventScroll: true });
}

function focusOnEntered() {
  const part = entered && (document.getElementById('in') ?? document.getElementById('ended'));
  if (part) focusOn(part);
}

async function send(letter) {
  const answer = await fetch(letter.url, {
    method: 'POST',
    body: letter.body,
    redirect: 'follow',
    signal: AbortSignal.timeout(PATIENCE),
    // Of a body that is text a browser would say text/plain.
    headers: { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  if ([429, 502, 503, 504].includes(answer.status)) throw new Error('later');
  if (answer.status >= 500) return fail(letter);
  const said = await answer.json().catch(() => null);
  // Only the game itself says so: the sign-in page of a Wi-Fi has taken nothing.
  if (typeof said?.taken !== 'boolean') throw new Error('elsewhere');
  return said;
}

function flush() {
  sending ??= sendAll().finally(() => {
    sending = null;
  });
  return sending;
}

// It is this letter that the server stumbles over, or every one: that shows in time.
function fail(letter) {
  const failed = { ...letter, failures: (letter.failures ?? 0) + 1, tried: Date.now() };
  keep(letters().map((other) => (other.key === letter.key ? failed : other)));
  if (!isAside(failed)) throw new Error('later');
  return { aside: true };
}

// One after the other: a letter that cannot be sent keeps its place, one that is refused says why,
// and one of a deal that the table has not come to, or that failed often, lets others pass.
async function sendAll() {
  const passed = new Set(), later = new Set();
  const isDue = (letter) =>
    !passed.has(letter.key) && !isRefused(letter) &&
    (!isAside(letter) || Date.now() - letter.tried > SELDOM);
  const next = () => letters().find(isDue);
  let sent = 0;
  try {
    for (let letter = next(); letter; letter = next()) {
      const answer = await send(letter);
      passed.add(letter.key);
      if (answer.aside) continue;
      if (answer.early) later.add(letter.key);
      else if (answer.taken) {
        keep(without(letter.key));
        sent += taken(letter, answer);
      } else refuse(letter, answer.words);
    }
  } catch (fault) {
    // A server that is busy has answered: the connection is there.
    if (fault.message !== 'later') missed();
  }
  early = later;
  if (sent) document.dispatchEvent(new CustomEvent('outbox:sent'));
}

const padsOf = (letter) =>
  [...document.querySelectorAll('form[data-hand]')].filter((form) =>
    letter.hand && form.dataset.hand === letter.hand
  );

// The pad of a hand that arrived is nobody's work any more, and knows how often it was entered.
function taken(letter, answer) {
  count += 1;
  for (const form of padsOf(letter)) {
    form.dataset.done = '';
    if (answer.told) form.elements.told.value = answer.told;
    if (letter.then === location.pathname) history.replaceState(null, '', letter.then);
  }
  return 1;
}

const heldIn = (body) =>
  [...body].filter(([field, text]) => OF_A_SEAT.test(field) && text).map(([, text]) => text)
    .join(' · ');

// A whole deal goes under the key of its own form: the first try may have arrived.
export function leave({ action: url, dataset: { whole: name, then }, elements: { key } }, body) {
  keep([...without(key.value), {
    key: key.value,
    keys: [],
    url,
    name,
    hand: '',
    then,
    whole: true,
    held: heldIn(body),
    body: body.toString(),
  }]);
}

// On its own pad a hand can be entered otherwise, and the table recalls a whole deal; of all else
// this phone alone knows what it held.
function refuse(letter, words) {
  const pads = padsOf(letter);
  for (const form of pads) delete form.dataset.sent;
  if (letter.held && !letter.whole && !pads.length) {
    keep(letters().map((other) => other.key === letter.key ? { ...other, refused: words } : other));
  } else {
    keep(without(letter.key));
    refused = `${letter.name}: ${
      words || document.querySelector('[data-refused]')?.dataset.refused || ''
    }`;
  }
  draw();
  document.dispatchEvent(new CustomEvent('outbox:refused'));
}

// crypto.randomUUID is there over https only, and at home there is plain http.
const newKey = () =>
  [...crypto.getRandomValues(new Uint32Array(3))].map((part) => part.toString(36)).join('-');

// A hand entered again before the first answer came is entered once, as it is now, in the place of
// the first; that may have arrived all the same, so the new one says which it stands for.
function letterOf(form, submitter) {
  const { outbox: name, hand = '', then = '' } = form.dataset;
  const sameHand = (other) => hand && other.hand === hand;
  const first = letters().find((other) => sameHand(other) && !isRefused(other));
  const letter = {
    key: newKey(),
    keys: first ? [...first.keys, first.key].slice(-6) : [],
    url: form.action,
    name,
    hand,
    then,
  };
  const sent = new URLSearchParams(new FormData(form, submitter));
  sent.set('key', letter.key);
  if (first) {
    sent.set('instead', letter.keys.join(' '));
    sent.set('told', new URLSearchParams(first.body).get('told') ?? '0');
  }
  letter.body = sent.toString();
  letter.held = heldIn(sent);
  const others = letters().filter((other) => other === first || !sameHand(other));
  keep(
    first ? others.map((other) => (other.key === first.key ? letter : other)) : [...others, letter],
  );
  return letter;
}

// Sent or kept: the pad closes either way, and the page says which. Refused: it stays.
async function post(event) {
  const form = event.target;
  if (event.defaultPrevented || !form.matches('form[data-outbox]')) return;
  event.preventDefault();
  refused = '';
  entered = true;
  const letter = letterOf(form, event.submitter);
  document.activeElement?.blur();
  if (!isLost()) {
    await sending;
    await flush();
  }
  delete form.dataset.sent;
  if (letters().some((other) => other.key === letter.key)) {
    document.dispatchEvent(new CustomEvent('outbox:kept', { detail: form }));
  } else if (!refused && letter.then && letter.then !== location.pathname) {
    location.assign(letter.then);
  }
}

const again = () => {
  if (letters().length) flush();
};

document.addEventListener('submit', post);
document.addEventListener('outbox:discard', ({ detail: key }) => keep(without(key)));
document.addEventListener('connection:found', again);
document.addEventListener('live:shown', () => {
  draw();
  again();
  focusOnEntered();
});
setInterval(again, AGAIN);
draw();
again();
