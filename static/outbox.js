// What is told without a connection waits on this phone and is sent in order, each under its key:
// sent twice it is one. The form itself is the fallback: without this file it is sent as ever.
const BOX = 'outbox';
const box = () => { try { return JSON.parse(localStorage.getItem(BOX)) ?? []; } catch { return []; } };
const bar = () => document.querySelector('[data-outbox-bar]');
let memory = null; // where the browser keeps nothing, an open page does
let sending = false;
let refused = ''; // stays on the page until something else is told

const waiting = () => memory ?? box();
function keep(letters) {
  try { localStorage.setItem(BOX, JSON.stringify(letters)); memory = null; } catch { memory = letters; }
  draw();
}

function draw() {
  const here = bar();
  if (!here) return;
  const letters = waiting();
  here.hidden = !letters.length && !refused;
  here.querySelector('[data-waiting]').textContent = letters.length ? here.dataset.count.replace('{0}', letters.length) : '';
  here.querySelector('[data-words]').textContent = refused;
}

async function send(letter) {
  const answer = await fetch(letter.url, {
    method: 'POST', body: letter.body, redirect: 'follow', signal: AbortSignal.timeout(15000),
    headers: { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  if (answer.status >= 500 || answer.status === 429) throw new Error('later');
  const said = await answer.json().catch(() => null);
  // Only the game itself says so: the sign-in page of a Wi-Fi has taken nothing.
  if (typeof said?.taken !== 'boolean') throw new Error('later');
  return said;
}

// One after the other: a letter that cannot be sent keeps its place, one that is refused says why,
// and one of a deal that the table has not come to lets those behind it pass.
export async function flush() {
  if (sending) return;
  sending = true;
  let sent = 0;
  const early = new Set();
  const next = () => waiting().find((letter) => !early.has(letter.key));
  try {
    for (let letter = next(); letter; letter = next()) {
      const answer = await send(letter);
      if (answer.early) {
        early.add(letter.key);
        continue;
      }
      keep(waiting().filter((other) => other.key !== letter.key));
      if (!answer.taken) refuse(letter, answer.words);
      else sent += 1;
    }
  } catch { draw(); }
  sending = false;
  if (sent) document.dispatchEvent(new CustomEvent('outbox:sent'));
}

function refuse(letter, words) {
  refused = `${letter.name}: ${words || bar()?.dataset.refused || ''}`;
  draw();
}

function post(event) {
  const form = event.target;
  if (event.defaultPrevented || !form.matches('form[data-outbox]')) return;
  event.preventDefault();
  refused = '';
  const letter = { key: newKey(), keys: [], url: form.action, name: form.dataset.outbox, hand: form.dataset.hand ?? '' };
  // A hand told again before the first answer came is told once, as it is now; the first may have
  // arrived all the same, so the new one says which it stands for.
  const same = (other) => letter.hand && other.hand === letter.hand;
  const first = waiting().find(same);
  if (first) letter.keys = [...first.keys, first.key].slice(-6);
  letter.body = body(form, event.submitter, letter, first);
  // Told again it keeps its place.
  keep(first ? waiting().map((other) => (same(other) ? letter : other)) : [...waiting(), letter]);
  document.activeElement?.blur();
  flush().then(() => shown(form, letter));
}

const newKey = () => [...crypto.getRandomValues(new Uint32Array(3))].map((part) => part.toString(36)).join('-');

function body(form, submitter, letter, first) {
  const sent = new URLSearchParams(new FormData(form, submitter));
  sent.set('key', letter.key);
  if (letter.keys.length) sent.set('instead', letter.keys.join(' '));
  if (first) sent.set('told', new URLSearchParams(first.body).get('told') ?? '0');
  return sent.toString();
}

// Told or kept: the pad closes either way, and the page says which. Refused: it stays.
function shown(form, letter) {
  delete form.dataset.sent;
  const kept = waiting().some((other) => other.key === letter.key);
  if (kept) close(form);
  else if (!refused) location.assign(form.dataset.then ?? location.pathname);
}

// Without a connection an open page goes on by itself: it knows the deals that follow.
let last = null;

function close(form) {
  const panel = document.querySelector('template[data-kept]')?.content.firstElementChild.cloneNode(true);
  const own = document.querySelector('[data-own]');
  if (!panel || !own) return;
  const pad = form.matches('.entering') ? form : blank();
  last = pad;
  const deal = Number(pad?.dataset.hand.split('/')[1]) + 1;
  const words = document.querySelector(`[data-course] [data-position="${deal}"]`)?.textContent;
  const next = panel.querySelector('[data-next-pad]');
  next.hidden = !words;
  next.textContent = `${next.dataset.nextPad} ${words}`;
  next.addEventListener('click', () => open(deal, words));
  if (navigator.serviceWorker?.controller) panel.querySelector('[data-plain-http]').hidden = true;
  own.replaceChildren(panel);
  const heading = panel.querySelector('h2');
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

const blank = () => document.querySelector('template[data-pad]')?.content.querySelector('form') ?? document.querySelector('form.entering') ?? last;

function open(deal, words) {
  const form = blank().cloneNode(true);
  delete form.dataset.begun;
  delete form.dataset.sent;
  if (deal) {
    const [game, , seat] = form.dataset.hand.split('/');
    form.dataset.hand = `${game}/${deal}/${seat}`;
    form.dataset.entry = `game${game}-deal${deal}-own${seat}`;
    form.dataset.outbox = words;
    form.setAttribute('action', form.getAttribute('action').replace(/hands\/\d+\//, `hands/${deal}/`));
    form.elements.told.value = '0';
    for (const field of form.querySelectorAll('[data-field]')) field.value = '';
    for (const name of ['how', 'by']) form.elements[name].value = '';
    const heading = document.createElement('h2');
    heading.textContent = words;
    form.prepend(heading);
  }
  document.querySelector('[data-own]').replaceChildren(form);
  document.dispatchEvent(new CustomEvent('live:shown'));
}

document.addEventListener('click', (event) => {
  if (!event.target.closest?.('[data-open-pad]') || !blank()) return;
  event.preventDefault();
  open();
});
document.addEventListener('submit', post);
window.addEventListener('online', () => flush());
document.addEventListener('live:shown', draw);
document.addEventListener('live:found', () => { if (waiting().length) flush(); });
setInterval(() => { if (waiting().length) flush(); }, 4000);
draw();
flush();
