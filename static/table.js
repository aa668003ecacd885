// A page of a running game: it stays awake where the browser allows it, forgets drafts of deals gone
// by, and follows the game by a cheap question asked again and again. Nothing is shown anew under
// somebody's fingers, and focus stays where it was.
const table = document.querySelector('[data-table]');

// The draft of the latest deal stays: undoing it brings the cards back to the pad.
try {
  const mine = `draft:${table?.dataset.table}-deal`;
  for (const name of Object.keys(localStorage)) {
    if (name.startsWith(mine) && Number.parseInt(name.slice(mine.length), 10) < Number(table.dataset.deals)) localStorage.removeItem(name);
  }
} catch { /* nothing was kept */ }

async function stayAwake() {
  if (document.visibilityState !== 'visible') return;
  try { await navigator.wakeLock?.request('screen'); } catch { /* the battery is low: let it sleep */ }
}
document.addEventListener('visibilitychange', stayAwake);
stayAwake();

function offerCopies() {
  for (const button of document.querySelectorAll('[data-copy]')) {
    const text = document.getElementById(button.dataset.copy);
    button.hidden = false;
    button.addEventListener('click', async () => {
      text.select();
      try { await navigator.clipboard.writeText(text.value); } catch { document.execCommand('copy'); }
      button.textContent = '✓';
    });
  }
}
document.addEventListener('live:shown', offerCopies);
offerCopies();

const PACES = { calm: 3000, entering: 800, waiting: 500 };
const HIDDEN = 20000;
let timer = 0;
let failed = 0;

const here = () => document.querySelector('[data-live]');
const soon = () => (document.visibilityState === 'hidden' ? HIDDEN : (PACES[here().dataset.pace] ?? 3000) * Math.min(8, 2 ** failed));
const busy = () => Boolean(document.querySelector('form.entering')) || document.activeElement?.matches('input:not([type=hidden]), textarea, select');

const status = document.createElement('p');
status.className = 'unseen';
status.ariaLive = 'polite';
document.body.append(status);

function wait(time = soon()) {
  clearTimeout(timer);
  timer = setTimeout(look, time * (0.9 + Math.random() / 5));
}

async function look() {
  if (!here() || !navigator.onLine) return;
  const { live, mark } = here().dataset;
  try {
    const answer = await fetch(live, { headers: { 'If-None-Match': `"${mark}"` }, cache: 'no-store', signal: AbortSignal.timeout(8000) });
    failed = 0;
    tell('');
    if (answer.status === 404 || answer.status === 403) return location.reload();
    if (answer.status === 200 && (await answer.text()) !== mark) await renew();
  } catch {
    failed = Math.min(failed + 1, 3);
    tell('offline');
  }
  wait();
}

// What to say when the server does not answer stands on the page that knows the words.
function tell(state) {
  document.documentElement.classList.toggle('offline', state === 'offline');
  document.dispatchEvent(new CustomEvent(state === 'offline' ? 'live:lost' : 'live:found'));
}

async function renew() {
  const answer = await fetch(location.href, { cache: 'no-store', headers: { Accept: 'text/html' } });
  if (!answer.ok) return;
  if (answer.redirected) return void (busy() || location.assign(answer.url)); // the next game
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const fresh = page.querySelector('[data-live]');
  if (!fresh) return void (busy() || location.reload());
  if (busy()) return void moved(fresh);
  const open = [...document.querySelectorAll('main details')].map((one) => one.open);
  const focus = path(document.activeElement);
  document.querySelector('main').replaceChildren(...page.querySelector('main').childNodes);
  document.querySelector('header.top').replaceChildren(...page.querySelector('header.top').childNodes);
  document.title = page.title;
  [...document.querySelectorAll('main details')].forEach((one, place) => { if (open[place]) one.open = true; });
  if (focus) document.querySelector(focus)?.focus({ preventScroll: true });
  if (fresh.dataset.say && status.textContent !== fresh.dataset.say) status.textContent = fresh.dataset.say;
  document.dispatchEvent(new CustomEvent('live:shown'));
}

// A form stays as it is; where its deal was saved meanwhile, a line above it says so. A field of
// another kind is left alone until it is left.
function moved(fresh) {
  if (!document.querySelector('form.entering')) return;
  const mine = here();
  mine.dataset.mark = fresh.dataset.mark;
  mine.dataset.pace = fresh.dataset.pace;
  if (mine.dataset.position === fresh.dataset.position) return;
  mine.dataset.position = fresh.dataset.position;
  const line = document.querySelector('template[data-saved]')?.content.firstElementChild?.cloneNode(true);
  if (line) document.querySelector('main').prepend(line);
}

function path(element) {
  if (!element || element === document.body || !document.querySelector('main').contains(element)) return '';
  if (element.id) return `#${CSS.escape(element.id)}`;
  if (element.matches('a[href]')) return `main a[href="${CSS.escape(element.getAttribute('href'))}"]`;
  if (element.matches('button[name]')) return `main button[name="${CSS.escape(element.name)}"][value="${CSS.escape(element.value)}"]`;
  return '';
}

document.addEventListener('visibilitychange', () => wait(document.visibilityState === 'visible' ? 0 : HIDDEN));
window.addEventListener('online', () => wait(0));
document.addEventListener('outbox:sent', () => wait(0));
if (here()) wait();

// Over https or on this machine, the game and its rules open without a network too.
const needed = [...document.querySelectorAll('[data-keep]')].map((link) => link.href);
navigator.serviceWorker?.register(document.querySelector('[data-worker]')?.dataset.worker ?? '/sw.js')
  .then(() => navigator.serviceWorker.ready)
  .then((worker) => worker.active.postMessage({ keep: [location.href, ...needed] }))
  .catch(() => { /* a plain address of the home network: an open page goes on, a closed one does not */ });
