// What somebody enters waits on this phone and is sent in order, each under its key: sent twice it
// is one. The form itself is the fallback: without this file it is sent as ever.
import { isLost, missed, unsentAre } from '../page/connection.js';

const BOX = 'outbox';
const PATIENCE = 6000;
const AGAIN = 4000;
const MOST = 10; // failures of the server at one request, after which it lets those behind it pass
const OF_A_SEAT = /^seat\d+-/; // fields of a form that somebody filled
const SELDOM = 60000; // between two tries of such a request
let memory = null; // where the browser keeps nothing, an open page does
let sending = null;
let early = new Set(); // what is queued of deals that the table has not come to
let entered = false; // here: what the page shows of it gets the focus
let refused = ''; // stays on the page until something else is entered
let count = 0;

const stored = () => {
  try {
    return JSON.parse(localStorage.getItem(BOX)) ?? [];
  } catch {
    return [];
  }
};
const queue = () => memory ?? stored();
const without = (key) => queue().filter((other) => other.key !== key);

const isAside = ({ failures = 0 }) => failures >= MOST;
const isRefused = ({ refused: words }) => words !== undefined;
const isStuck = (queued) => isAside(queued) || isRefused(queued);

// What the server does not know yet, though it could.
export const toSend = () => queue().filter((queued) => !early.has(queued.key) && !isStuck(queued));

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
  unsentAre(queue().filter((queued) => !isRefused(queued)).length, queue().filter(isStuck));
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

async function send(queued) {
  const answer = await fetch(queued.url, {
    method: 'POST',
    body: queued.body,
    redirect: 'follow',
    signal: AbortSignal.timeout(PATIENCE),
    // Of a body that is text a browser would say text/plain.
    headers: { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  if ([429, 502, 503, 504].includes(answer.status)) throw new Error('later');
  if (answer.status >= 500) return fail(queued);
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

// It is this request that the server stumbles over, or every one: that shows in time.
function fail(queued) {
  const failed = { ...queued, failures: (queued.failures ?? 0) + 1, tried: Date.now() };
  keep(queue().map((other) => (other.key === queued.key ? failed : other)));
  if (!isAside(failed)) throw new Error('later');
  return { aside: true };
}

// One after the other: a request that cannot be sent keeps its place, one that is refused says why,
// and one of a deal that the table has not come to, or that failed often, lets others pass.
async function sendAll() {
  const passed = new Set(), later = new Set();
  const isDue = (queued) =>
    !passed.has(queued.key) && !isRefused(queued) &&
    (!isAside(queued) || Date.now() - queued.tried > SELDOM);
  const next = () => queue().find(isDue);
  let sent = 0;
  try {
    for (let queued = next(); queued; queued = next()) {
      const answer = await send(queued);
      passed.add(queued.key);
      if (answer.aside) continue;
      if (answer.early) later.add(queued.key);
      else if (answer.taken) {
        keep(without(queued.key));
        sent += taken(queued, answer);
      } else refuse(queued, answer.words);
    }
  } catch (fault) {
    // A server that is busy has answered: the connection is there.
    if (fault.message !== 'later') missed();
  }
  early = later;
  if (sent) document.dispatchEvent(new CustomEvent('outbox:sent'));
}

const padsOf = (queued) =>
  [...document.querySelectorAll('form[data-hand]')].filter((form) =>
    queued.hand && form.dataset.hand === queued.hand
  );

// The pad of a hand that arrived is nobody's work any more, and knows how often it was entered.
function taken(queued, answer) {
  count += 1;
  for (const form of padsOf(queued)) {
    form.dataset.done = '';
    if (answer.told) form.elements.told.value = answer.told;
    if (queued.then === location.pathname) history.replaceState(null, '', queued.then);
  }
  return 1;
}

const heldIn = (body) =>
  [...body].filter(([field, text]) => OF_A_SEAT.test(field) && text).map(([, text]) => text)
    .join(' · ');

// A whole deal goes under the key of its own form: the first try may have arrived.
export function enqueue({ action: url, dataset: { whole: name, then }, elements: { key } }, body) {
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
function refuse(queued, words) {
  const pads = padsOf(queued);
  for (const form of pads) delete form.dataset.sent;
  if (queued.held && !queued.whole && !pads.length) {
    keep(queue().map((other) => other.key === queued.key ? { ...other, refused: words } : other));
  } else {
    keep(without(queued.key));
    refused = `${queued.name}: ${
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
function enqueueHand(form, submitter) {
  const { outbox: name, hand = '', then = '' } = form.dataset;
  const sameHand = (other) => hand && other.hand === hand;
  const first = queue().find((other) => sameHand(other) && !isRefused(other));
  const queued = {
    key: newKey(),
    keys: first ? [...first.keys, first.key].slice(-6) : [],
    url: form.action,
    name,
    hand,
    then,
  };
  const sent = new URLSearchParams(new FormData(form, submitter));
  sent.set('key', queued.key);
  if (first) {
    sent.set('instead', queued.keys.join(' '));
    sent.set('told', new URLSearchParams(first.body).get('told') ?? '0');
  }
  queued.body = sent.toString();
  queued.held = heldIn(sent);
  const others = queue().filter((other) => other === first || !sameHand(other));
  keep(
    first ? others.map((other) => (other.key === first.key ? queued : other)) : [...others, queued],
  );
  return queued;
}

// Sent or kept: the pad closes either way, and the page says which. Refused: it stays.
async function post(event) {
  const form = event.target;
  if (event.defaultPrevented || !form.matches('form[data-outbox]')) return;
  event.preventDefault();
  refused = '';
  entered = true;
  const queued = enqueueHand(form, event.submitter);
  document.activeElement?.blur();
  if (!isLost()) {
    await sending;
    await flush();
  }
  delete form.dataset.sent;
  if (queue().some((other) => other.key === queued.key)) {
    document.dispatchEvent(new CustomEvent('outbox:kept', { detail: form }));
  } else if (!refused && queued.then && queued.then !== location.pathname) {
    location.assign(queued.then);
  }
}

const again = () => {
  if (queue().length) flush();
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
