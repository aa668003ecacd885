// Whether the server answers, and how old what the page shows may be. Where either is in doubt one
// line below the header says so, and how much waits on this phone to be sent; it goes by itself.
import { readAloud } from './saying.js';

const LATE = 2000; // milliseconds in which a question is answered, or the connection is lost
const KEY = 'answered';
const words = () => document.querySelector('[data-live]')?.dataset ?? {};

let answered = remembered(); // when the server last answered, as far as this phone knows
let asked = 0; // since when a question is open that somebody could wait for
let lost = false;
let old = false; // what the page shows may be, until it has been renewed
let unsent = 0;
let failed = false; // the last question
let wanted = false; // what needs the server was tapped

function remembered() {
  try {
    return Number(localStorage.getItem(KEY)) || Date.now();
  } catch {
    return Date.now();
  }
}

function remember() {
  try {
    localStorage.setItem(KEY, String(answered));
  } catch { /* an open page knows it */ }
}

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
  remember();
  draw();
  document.dispatchEvent(new CustomEvent('connection:lost'));
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

// Not hour12: false, which some languages of Chromium write as 24:05 after midnight.
const clock = (time) =>
  new Date(time).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

function draw() {
  const { needs = '', unsent: count = '', offline: why = '' } = words();
  const said = old && `${why.replace('{0}', clock(answered))} ${wanted ? needs : ''}`.trim();
  line.firstChild.textContent = said || '';
  if (said) readAloud(said);
  line.lastChild.textContent = unsent ? count.replace('{0}', unsent) : '';
  line.hidden = !old && !unsent;
}

function check() {
  if (document.visibilityState !== 'visible') return;
  if (asked && Date.now() - asked > LATE) missed();
}

// A phone that wakes up may first look for its network.
function wake() {
  asked = 0;
}

setInterval(check, 250);
document.addEventListener('visibilitychange', wake);
window.addEventListener('pageshow', wake);
// Not unload: with that a browser keeps no page in memory for Back.
window.addEventListener('pagehide', remember);
