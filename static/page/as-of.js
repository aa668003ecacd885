// How old what a page shows is, in words. A page that the worker kept says so as long as it is
// open, and gives way to the page as it is now as soon as the server answers; a page of a running
// game does that by itself.
import { changed } from '../table/showing.js';

const AGAIN = 5000;
const UNITS = [['day', 86400], ['hour', 3600], ['minute', 60]];
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

// Not hour12: false, which some languages of Chromium write as 24:05 after midnight.
const clock = (time) =>
  new Date(time).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

function age(time) {
  const seconds = Math.max(0, Date.now() - time) / 1000;
  const [unit, size] = UNITS.find(([, length]) => seconds >= length) ?? UNITS.at(-1);
  return RELATIVE.format(-Math.floor(seconds / size), unit);
}

// The words are those of the page: why, and as of when, {0}, which is {1}.
export const asOf = ({ offline, away }, time) =>
  (navigator.onLine ? away : offline).replace('{0}', clock(time)).replace('{1}', age(time));

const line = document.querySelector('[data-as-of]');
const without = document.querySelector('[data-stands-in]'); // the page that was never open here
const isStandIn = without && without.dataset.standsIn !== location.pathname;

function draw() {
  if (line) line.firstElementChild.textContent = asOf(line.dataset, Number(line.dataset.asOf));
  if (without && !navigator.onLine) without.textContent = without.dataset.offlineTitle;
}

async function lookAgain() {
  draw();
  if (
    document.hidden ||
    [...document.querySelectorAll('main :is(input, select, textarea)')].some(changed)
  ) return;
  const answer = await fetch(location.href, {
    cache: 'no-store',
    signal: AbortSignal.timeout(AGAIN),
  })
    .catch(() => null);
  if (answer && answer.status < 500) location.reload();
}

draw();
if ((line || isStandIn) && !document.querySelector('[data-live]')) {
  setInterval(lookAgain, AGAIN);
  for (const event of ['online', 'pageshow']) window.addEventListener(event, lookAgain);
  document.addEventListener('visibilitychange', lookAgain);
}
