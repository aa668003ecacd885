// A page of a game asks whether something changed, by a question that costs next to nothing, and
// shows it at once. While it is seen and the game runs it asks twice a second.
import { asking, failing, missed, reached, renewed } from './connection.js';
import { arrivals, toSend } from './outbox.js';
import { readAloud } from './saying.js';
import { begunPad, show } from './showing.js';

const PACES = { running: 500, over: 5000, hidden: 20000 };
const PATIENCE = 4000;
const MARK = /^\d+\.\d+\./;
let timer = 0;
let asked = 0;
let showing = null;

const here = () => document.querySelector('[data-live]');
const pace = () => PACES[document.visibilityState === 'hidden' ? 'hidden' : here().dataset.status === 'running' ? 'running' : 'over'];
const get = (url, headers) => fetch(url, { headers, cache: 'no-store', signal: AbortSignal.timeout(PATIENCE) });

function wait(time = Math.max(0, asked + pace() * (0.95 + Math.random() / 10) - Date.now())) {
  clearTimeout(timer);
  timer = setTimeout(look, time);
}

async function look() {
  if (!here()) return;
  asked = Date.now();
  asking();
  try {
    if (!await isNew() || await renew()) renewed(asked);
  } catch { failing(); /* the line at the edge says it when it lasts */ }
  wait();
}

// The sign-in page of a Wi-Fi is no answer of ours.
async function isNew() {
  const { live, mark } = here().dataset;
  const answer = await get(live, { 'If-None-Match': `"${mark}"`, ...(document.visibilityState === 'hidden' && { 'X-Away': '1' }) });
  if ([403, 404].includes(answer.status)) return location.reload();
  const found = answer.status === 200 ? await answer.text() : '';
  if (answer.status !== 304 && !MARK.test(found)) return false;
  reached();
  showHere(answer.headers.get('X-Here'));
  return answer.status === 200 && found !== mark;
}

// Who is connected comes beside the answer: the page itself is the same.
function showHere(phones) {
  if (phones === null) return;
  const here = phones.split(' ');
  for (const one of document.querySelectorAll('[data-phones]')) one.hidden = !one.dataset.phones.split(' ').some((phone) => here.includes(phone));
}

const review = () => document.querySelector('[data-review]');

// What else can come while a page is on its way: it is then of before, and would bring back the pad
// of a hand that has arrived.
const moment = () => [location.href, arrivals(), toSend().length, Boolean(review())].join();

const ownPage = (page) => page.querySelector('[data-own-page]')?.dataset.ownPage;

// Shows the page as it is now, and says whether it did; not while this phone holds what the server
// does not know yet. A review is of its moment.
export function renew() {
  showing ??= fetchAndShow().finally(() => { showing = null; });
  return showing;
}

async function fetchAndShow() {
  if (toSend().length) return false;
  if (review()) return true;
  asking();
  const before = moment();
  const answer = await get(location.href, { Accept: 'text/html' });
  reached();
  const text = await answer.text();
  if (moment() !== before) return fetchAndShow();
  if (answer.redirected) return Boolean(begunPad()) || location.assign(answer.url); // the next game
  if (!answer.ok) return false;
  const page = new DOMParser().parseFromString(text, 'text/html');
  const fresh = page.querySelector('[data-live]');
  if (!fresh || fresh.dataset.version !== here().dataset.version) return Boolean(begunPad()) || location.reload();
  if (!ownPage(document) && ownPage(page)) return location.assign(ownPage(page)); // a seat was given
  show(page);
  readAloud(fresh.dataset.say);
  return true;
}

// Who doesn't want to send what they began to a deal that is over sees the table as it is now.
document.addEventListener('click', (event) => {
  const pad = event.target.closest?.('[data-late] button')?.closest('form');
  if (!pad) return;
  pad.dataset.done = '';
  renew().catch(() => false).then((isShown) => { if (!isShown) delete pad.dataset.done; });
});
document.addEventListener('visibilitychange', () => wait(document.visibilityState === 'visible' ? 0 : PACES.hidden));
window.addEventListener('pageshow', (event) => { if (event.persisted) wait(0); });
window.addEventListener('online', () => wait(0));
window.addEventListener('offline', () => missed());
document.addEventListener('outbox:sent', () => renew().catch(() => { /* the next question does it */ }));
if (here()) wait(PACES.running * Math.random());
