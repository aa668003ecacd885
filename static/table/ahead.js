// What may be needed next is fetched while the server is there: where it is gone, a tap opens that
// in this page.
import { isGone, isLost, needsServer } from '../page/connection.js';
import { checkAtOnce } from './deal.js';
import './kept.js';
import { keepPage } from '../page/keeping.js';
import { show } from './showing.js';
import './sleeping.js';
import '../page/times.js';
import { advance } from './waiting.js';

const SOON = 500;
const pages = new Map();
let of = ''; // the revision that they are of
let shown = location.pathname + location.search;

const parse = (text) => new DOMParser().parseFromString(text, 'text/html');
const revisionOf = (page) => page.querySelector('[data-live]')?.dataset.mark.split('.')[0];
const revision = () => revisionOf(document);
const own = () => location.origin + location.pathname;
const scripted = () => import('./pad.js');
const back = () => document.querySelector('header.top a').href;

// The table, where one phone enters for all, and how its deal may end.
const table =
  () => (document.querySelector('a[data-ahead]')
    ? own()
    : document.querySelector('form.entering[data-whole], .beside') && back());

const beside = () => document.querySelector('.beside');
const hasRoom = () => Boolean(beside()?.clientWidth);

// At a desk the table lies beside the pad: the deal, the scores so far and the sheet. Not beside
// the pad of a later deal.
function lay() {
  const text = of === revision() && !document.querySelector('form[data-early]') &&
    pages.get(back());
  if (!text || !hasRoom() || beside().firstChild) return;
  beside().append(...parse(text).querySelectorAll('.deal, .board, .scores'));
}

async function fetchAhead() {
  lay();
  const [home, mine] = [table(), revision()];
  if (of === mine || !home) return;
  of = mine;
  try {
    // First, for without a server the pad's script could not be fetched any more.
    await scripted();
    const ends = [...parse(await load(home)).querySelectorAll('a[data-ahead]')].map((link) =>
      link.href
    );
    if (home !== own()) ends.push(own() + location.search);
    for (const address of new Set(ends)) if (of === mine) await load(address);
  } catch {
    if (of === mine) of = '';
  }
}

// Where the server is gone, as the worker kept it; not if that is of another moment than this page.
async function load(address) {
  const [mine, at] = [of, Date.now()];
  let isKept = isGone();
  const kept = () => {
    isKept = true;
    return globalThis.caches?.match(address);
  };
  const answer =
    await (isKept ? kept() : fetch(address, { headers: { Accept: 'text/html' } }).catch(kept));
  if (!answer?.ok || answer.redirected) throw new Error('not here');
  const text = await answer.text();
  if (!isKept) keepPage(answer, text, at);
  else if (revisionOf(parse(text)) !== revision()) throw new Error('of another moment');
  if (of === mine) pages.set(address, text);
  lay();
  return text;
}

function open(address, deal) {
  const [text, [, hash = '']] = [pages.get(address.split('#')[0]), address.split('#')];
  if (!text) return false;
  // Its draft stays.
  for (const form of document.querySelectorAll('form.entering')) form.dataset.done = '';
  const to = new URL(address);
  if (to.pathname + to.search !== shown) history.pushState(null, '', address);
  else history.replaceState(null, '', address);
  shown = to.pathname + to.search;
  const page = parse(text);
  if (deal) advance(page, deal);
  show(page);
  if (hash) checkAtOnce();
  return true;
}

const leaves = (link) =>
  link.origin === location.origin && !link.target && !link.hasAttribute('download') &&
  (link.pathname !== location.pathname || link.search !== location.search || !link.hash);

// Without a server an open page is never left for one that can't come.
function follow(event) {
  const link = event.target.closest?.('a[href]');
  if (
    !link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.button ||
    !leaves(link)
  ) return;
  const { deal } = link.dataset;
  if (!deal && (!isGone() || !document.querySelector('[data-live]'))) return;
  if (open(link.href, deal)) event.preventDefault();
  else if (deal) {
    event.preventDefault();
    Promise.all([scripted(), load(link.href)]).then(() => open(link.href, deal), stays);
  } else if (isLost() && stays()) event.preventDefault();
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

function goBack() {
  const here = location.pathname + location.search;
  if (here === shown || (isGone() && open(location.href))) return;
  location.reload();
}

const prepare = () => setTimeout(fetchAhead, hasRoom() ? 0 : SOON);

document.addEventListener('click', follow);
document.addEventListener('submit', stop);
document.addEventListener('page:wanted', ({ detail }) => {
  if (!isGone() || (!open(detail) && !stays())) location.assign(detail);
});
document.addEventListener('live:shown', prepare);
window.addEventListener('resize', lay);
window.addEventListener('popstate', goBack);
prepare();
