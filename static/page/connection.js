// Whether the server answers, and how old what the page shows may be. Where either is in doubt one
// line below the header says so, and how much waits on this phone to be sent; it goes by itself.
import { asOf } from './as-of.js';
import { readAloud } from './saying.js';

const LATE = 2000; // milliseconds in which a question is answered, or the connection is lost
const words = () => document.querySelector('[data-live]')?.dataset ?? {};

const kept = document.querySelector('[data-as-of]'); // the worker gave the page

// When the server last answered, as far as this page knows.
let answered = kept ? Number(kept.dataset.asOf) : Date.now();
let asked = 0; // since when a question is open that somebody could wait for
let lost = Boolean(kept);
let old = lost; // what the page shows may be, until it has been renewed
let unsent = 0;
let stuck = []; // what the server fails to save, or refused
let discarded = ''; // of these, on this page: what it was, and held
let failed = false; // the last question
let wanted = false; // what needs the server was tapped

export const isLost = () => lost;

// Sooner than the line says so: whoever taps now would leave for a page that can't come.
export const isGone = () =>
  lost || failed || !navigator.onLine || Boolean(asked && Date.now() - asked > LATE / 2);

export function failing() {
  failed = true;
}

export function needsServer() {
  wanted = true;
  draw();
  readAloud(words().needs);
}

export function asking() {
  asked ||= Date.now();
}

export function reached() {
  answered = Date.now();
  asked = 0;
  failed = false;
  if (!lost) return;
  lost = wanted = false;
  document.dispatchEvent(new CustomEvent('connection:found'));
}

// The server answers, and the page shows what was so when it was asked.
export function renewed() {
  if (lost || !old) return;
  old = false;
  draw();
  readAloud(words().found);
}

// What somebody sent did not arrive: there is nothing to wait for.
export function missed() {
  if (lost || !words().live) return;
  lost = true;
  old = true;
  draw();
  readAloud(line.firstElementChild.textContent);
  document.dispatchEvent(new CustomEvent('connection:lost'));
}

export function unsentAre(count, failing) {
  [unsent, stuck] = [count, failing];
  draw();
}

function why({ name, refused, held }) {
  const { aside, holds } = words();
  const said = refused === undefined ? aside.replace('{0}', name) : `${name}: ${refused}`;
  return held ? `${said} ${holds.replace('{0}', held)}` : said;
}

function discarding({ key, name, held }) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button low';
  button.textContent = words().discard;
  const said = words().discarded.replace('{0}', [name, held].filter(Boolean).join(', '));
  button.addEventListener('click', () => {
    discarded = said;
    document.dispatchEvent(new CustomEvent('outbox:discard', { detail: key }));
    readAloud(said);
  });
  return button;
}

const line = kept ?? newLine();

function newLine() {
  const empty = document.createElement('p');
  empty.className = 'state-line';
  empty.dataset.line = '';
  empty.append(document.createElement('span'), ' ', document.createElement('span'));
  empty.lastChild.dataset.unsent = '';
  document.querySelector('header.top')?.after(empty);
  return empty;
}

function draw() {
  const { live, needs = '', unsent: count = '' } = words();
  const [state, toSend] = line.children;
  if (live) {
    const said = old ? `${asOf(words(), answered)} ${wanted ? needs : ''}`.trim() : '';
    if (state.textContent !== said) state.textContent = said;
  }
  const waits = unsent ? count.replace('{0}', unsent) : '';
  const failing = live ? stuck : [];
  const said = [`${discarded} ${waits}`.trim(), ...failing.map(why)].join(' ').trim();
  // Drawn again and again, a button would slip away from under a finger.
  if (toSend.dataset.unsent !== said) {
    toSend.dataset.unsent = said;
    const parts = failing.flatMap((queued) => [` ${why(queued)} `, discarding(queued)]);
    toSend.replaceChildren(discarded, ' ', waits, ...parts);
  }
  line.hidden = !old && !said;
}

function check() {
  if (document.visibilityState !== 'visible') return;
  if (old) draw(); // it is getting older
  if (asked && Date.now() - asked > LATE) missed();
}

// A phone that wakes up may first look for its network.
function wake() {
  asked = 0;
}

setInterval(check, 250);
document.addEventListener('visibilitychange', wake);
window.addEventListener('pageshow', wake);
draw();
