// A page of a game asks what is newer than it shows. The question waits at the server, up to 15
// seconds, and is answered when there is something; a hidden page asks nothing until it is seen
// again.
import { asking, failing, isLost, missed, reached, renewed } from '../page/connection.js';
import { renew } from './renewing.js';

const PATIENCE = 17000; // for a question that waits
const AGAIN = 500; // after an answer that did not come
const UNSHOWN = 1000; // where the page holds what must not be replaced yet
const MARK = /^\d+\.\d+\./;
let timer = 0;
let open = null; // the question that waits
let failed = false;

const here = () => document.querySelector('[data-live]');

function next(time) {
  clearTimeout(timer);
  timer = setTimeout(look, time);
}

// One question at a time: a new one lets the one before go.
async function look() {
  open?.abort();
  if (!here() || document.visibilityState === 'hidden') return;
  const mine = new AbortController();
  const late = setTimeout(() => mine.abort(), PATIENCE);
  open = mine;
  if (failed) asking();
  try {
    const pause = await hear(mine.signal);
    failed = false;
    if (mine === open) next(pause);
  } catch {
    if (mine !== open) return;
    failed = true;
    failing(); // the line at the edge says it when it lasts
    asking();
    next(AGAIN);
  } finally {
    clearTimeout(late);
  }
}

// The sign-in page of a Wi-Fi is no answer of ours.
async function hear(signal) {
  const { live, mark } = here().dataset;
  const question = new URL(live, location.href);
  // A server that is back says so at once.
  if (!failed && !isLost()) question.searchParams.set('wait', 1);
  question.searchParams.set('seen', mark);
  const answer = await fetch(question, { cache: 'no-store', signal });
  // The page that comes then says why: this phone was put out, or the game was removed.
  if ([403, 404].includes(answer.status)) return location.reload();
  const found = answer.ok ? await answer.text() : '';
  if (!MARK.test(found)) throw new Error('elsewhere');
  reached();
  showHere(answer.headers.get('X-Here'));
  if (found === mark || await renew()) renewed();
  if (found !== mark && here()?.dataset.mark === mark) return UNSHOWN;
  return Number(answer.headers.get('Retry-After') ?? 0) * 1000;
}

// Who is connected comes beside the answer: the page itself is the same.
function showHere(phones) {
  if (phones === null) return;
  const here = phones.split(' ');
  for (const one of document.querySelectorAll('[data-phones]')) {
    one.hidden = !one.dataset.phones.split(' ').some((phone) => here.includes(phone));
  }
}

document.addEventListener('visibilitychange', () => next(0));
window.addEventListener('pageshow', (event) => {
  // Back shows the page as it was left, from the browser's memory.
  if (event.persisted) next(0);
});
window.addEventListener('online', () => next(0));
window.addEventListener('offline', () => missed());
document.addEventListener('connection:lost', () => next(AGAIN));
document.addEventListener(
  'outbox:sent',
  () =>
    renew().then((isShown) => isShown && renewed()).catch(() => {/* the next question does it */}),
);
if (here()) next(0);
