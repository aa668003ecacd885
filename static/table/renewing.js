// Fetches the page as it is now and shows it, in place of what it shows; what somebody has begun
// stays.
import { asking, reached } from '../page/connection.js';
import { keepPage } from '../page/keeping.js';
import { arrivals, toSend } from './outbox.js';
import { readAloud } from '../page/saying.js';
import { begunPad, show } from './showing.js';

const LOADING = 4000; // milliseconds for a page
let showing = null;
let said = '';

const review = () => document.querySelector('[data-review]');

// What else can come while a page is on its way: it is then of before, and would bring back the pad
// of a hand that has arrived.
const moment = () => [location.href, arrivals(), toSend().length, Boolean(review())].join();

const ownPage = (page) => page.querySelector('[data-own-page]')?.dataset.ownPage;

// Shows the page as it is now, and says whether it did; not while this phone holds what the server
// does not know yet. A review is of its moment.
export function renew() {
  showing ??= fetchAndShow().finally(() => {
    showing = null;
  });
  return showing;
}

async function fetchAndShow() {
  if (toSend().length) return false;
  if (review()) return true;
  asking();
  const [before, at] = [moment(), Date.now()];
  const answer = await fetch(location.href, {
    headers: { Accept: 'text/html' },
    cache: 'no-store',
    signal: AbortSignal.timeout(LOADING),
  });
  reached();
  const text = await answer.text();
  if (moment() !== before) return fetchAndShow();
  if (answer.redirected) return Boolean(begunPad()) || location.assign(answer.url); // the next game
  if (!answer.ok) return false;
  const page = new DOMParser().parseFromString(text, 'text/html');
  const fresh = page.querySelector('[data-live]');
  // After an update: scripts and pages of two editions don't fit each other.
  if (!fresh || fresh.dataset.version !== document.querySelector('[data-live]').dataset.version) {
    return Boolean(begunPad()) || location.reload();
  }
  // A seat was given.
  if (!ownPage(document) && ownPage(page)) return location.assign(ownPage(page));
  keepPage(answer, text, at);
  show(page);
  readAloud(fresh.dataset.say, said);
  said = fresh.dataset.say;
  return true;
}

// Who doesn't want to send what they began to a deal that is over sees the table as it is now.
document.addEventListener('click', (event) => {
  const pad = event.target.closest?.('[data-late] button')?.closest('form');
  if (!pad) return;
  pad.dataset.done = '';
  renew().catch(() => false).then((isShown) => {
    if (!isShown) delete pad.dataset.done;
  });
});
