// Whether the server answers. Where it does not, one line below the header says since when, and how
// much waits on this phone to be sent; it goes by itself.
import { readAloud } from './saying.js';

const LATE = 2000; // milliseconds in which a question is answered, or the connection is lost
const KEY = 'answered';
const words = () => document.querySelector('[data-live]')?.dataset ?? {};

let answered = remembered(); // when the server last answered, as far as this phone knows
let asked = 0; // since when a question is open that somebody could wait for
let lost = false;
let old = false; // what the page shows, until it has been renewed
let unsent = 0;
let failed = false; // the last question
let wanted = false; // what needs the server was tapped

function remembered() {
  try { return Number(localStorage.getItem(KEY)) || Date.now(); } catch { return Date.now(); }
}

function remember() {
  try { localStorage.setItem(KEY, String(answered)); } catch { /* an open page knows it */ }
}

export const isLost = () => lost;

// Sooner than the line says so: whoever taps now would leave for a page that can't come.
export const isGone = () => lost || failed || Boolean(asked && Date.now() - asked > LATE / 2);

export function failing() {
  failed = true;
}

export function needsServer() {
  wanted = true;
  draw();
}

export function asking(since = Date.now()) {
  asked ||= since;
}

export function reached() {
  answered = Date.now();
  asked = 0;
  failed = false;
  if (!lost) return;
  lost = wanted = false;
  document.dispatchEvent(new CustomEvent('connection:found'));
}

// The server answers, and the page shows what is so.
export function renewed() {
  if (lost || !old) return;
  old = false;
  draw();
  readAloud(words().found);
}

// What somebody sent did not arrive: there is nothing to wait for.
export function missed() {
  if (lost || !words().live) return;
  lost = old = true;
  remember();
  draw();
}

export function unsentAre(count) {
  unsent = count;
  draw();
}

const line = document.createElement('p');
line.className = 'state-line';
line.dataset.line = '';
line.hidden = true;
line.append(document.createElement('span'), ' ', document.createElement('span'));
line.lastChild.dataset.unsent = '';
document.querySelector('header.top')?.after(line);

const clock = (time) => new Date(time).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

function draw() {
  const { offline = '', needs = '', unsent: count = '' } = words();
  const said = old ? `${offline.replace('{0}', clock(answered))} ${wanted ? needs : ''}`.trim() : '';
  line.firstChild.textContent = said;
  readAloud(said);
  line.lastChild.textContent = unsent ? count.replace('{0}', unsent) : '';
  line.hidden = !old && !unsent;
}

function check() {
  if (asked && document.visibilityState === 'visible' && Date.now() - asked > LATE) missed();
}

// A phone that wakes up may first look for its network.
function wake() {
  asked = 0;
}

setInterval(check, 250);
document.addEventListener('visibilitychange', wake);
window.addEventListener('pageshow', wake);
window.addEventListener('pagehide', remember);
