// What may be needed next is fetched while the server is there: where it is gone, a tap opens that in
// this page. The table says which deal this phone began, and goes on with it.
import { hasRoom, layBeside } from './beside.js';
import { beginDeal, checkAtOnce } from './deal.js';
import './kept.js';
import './sleeping.js';
import './times.js';

const SOON = 500;
const pages = new Map();
let of = ''; // the revision that they are of
let isGone, isLost, needsServer, show; // of the page's own script, which holds their state
let shown = location.pathname + location.search;

const parse = (text) => new DOMParser().parseFromString(text, 'text/html');
const revision = () => document.querySelector('[data-live]')?.dataset.mark.split('.')[0];
const own = () => location.origin + location.pathname;
const back = () => document.querySelector('header.top a').href;

// The table, and how its deal may end; from the pad, the table and the pad itself.
function wanted() {
  if (document.querySelector('form.entering[data-whole]')) return [back(), own() + location.search];
  const ends = [...document.querySelectorAll('a[data-ahead]')].map((link) => link.href);
  return ends.length ? [own(), ...ends] : [];
}

function lay() {
  const table = of === revision() && pages.get(back());
  if (table) layBeside(parse(table));
}

async function fetchAhead() {
  lay();
  const addresses = wanted();
  const pad = !document.querySelector('script[src*="/entering.js"]') && document.querySelector('[data-pad-script]')?.dataset.padScript;
  if (isGone() || of === revision() || !addresses.length) return;
  of = revision();
  try {
    if (pad) await import(pad);
    for (const address of addresses) {
      const answer = await fetch(address, { headers: { Accept: 'text/html' } });
      if (!answer.ok || answer.redirected) continue;
      pages.set(address, await answer.text());
      lay();
    }
  } catch { of = ''; }
}

function open(address) {
  const [text, [, hash = '']] = [pages.get(address.split('#')[0]), address.split('#')];
  if (!text) return false;
  for (const form of document.querySelectorAll('form.entering')) form.dataset.done = ''; // its draft stays
  const to = new URL(address);
  if (to.pathname + to.search !== shown) history.pushState(null, '', address);
  else history.replaceState(null, '', address);
  shown = to.pathname + to.search;
  show(parse(text));
  if (hash) checkAtOnce();
  return true;
}

const leaves = (link) => link.origin === location.origin && !link.target && !link.hasAttribute('download')
  && (link.pathname !== location.pathname || link.search !== location.search || !link.hash);

// Without a server an open page is never left for one that can't come.
function follow(event) {
  const link = event.target.closest?.('a[href]');
  if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.button || !leaves(link)) return;
  if (!isGone() || !document.querySelector('[data-live]')) return;
  if (open(link.href)) event.preventDefault();
  else if (isLost() && stays()) event.preventDefault();
}

// Where no worker keeps pages there is nothing to go to.
function stays() {
  if (navigator.serviceWorker?.controller) return false;
  needsServer();
  return true;
}

function stop(event) {
  if (event.defaultPrevented || !isLost() || event.target.method !== 'post') return;
  event.preventDefault();
  delete event.target.dataset.sent;
  needsServer();
}

const words = ({ typed = {} }) => Object.values(typed).some((text) => typeof text === 'string' && text);

// The draft of the deal on the table that was touched last, if anything was entered in it.
function begun(start) {
  const drafts = Object.keys(localStorage).filter((name) => name.startsWith(start))
    .map((name) => [name.slice(start.length), JSON.parse(localStorage.getItem(name))])
    .filter(([way, draft]) => /^[a-z_]*\d*$/.test(way) && words(draft));
  return drafts.toSorted(([, one], [, other]) => (other.at ?? 0) - (one.at ?? 0))[0];
}

function offer() {
  const line = document.querySelector('[data-begun-deal]');
  if (!line) return;
  let found;
  try { found = begun(`draft:${line.dataset.begunDeal}`); } catch { /* nothing is kept here */ }
  line.hidden = !found;
  if (!found) return;
  const [way, { ready }] = found;
  const [, how, by] = way.match(/^([a-z_]*)(\d*)$/);
  for (const part of line.querySelectorAll('[data-ready]')) part.hidden = (part.dataset.ready === 'yes') !== Boolean(ready);
  const address = new URL(line.dataset.entry, location);
  address.search = new URLSearchParams(by ? { how, by } : { how });
  for (const link of line.querySelectorAll('a')) link.href = address + (link.dataset.ready === 'yes' ? '#check' : '');
}

function goBack() {
  const here = location.pathname + location.search;
  if (here === shown || (isGone() && open(location.href))) return;
  location.reload();
}

function prepare() {
  offer();
  setTimeout(fetchAhead, hasRoom() ? 0 : SOON);
}

// Comes after the page itself: nobody needs it at first sight.
export function begin(parts) {
  ({ isGone, isLost, needsServer, show } = parts);
  beginDeal(parts);
  document.addEventListener('click', follow);
  document.addEventListener('submit', stop);
  document.addEventListener('page:wanted', ({ detail }) => { if (!open(detail) && !stays()) location.assign(detail); });
  document.addEventListener('live:shown', prepare);
  window.addEventListener('resize', lay);
  window.addEventListener('popstate', goBack);
  window.addEventListener('pageshow', offer);
  prepare();
}
