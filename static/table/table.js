// A page of a game: it follows the game, sends what is entered, and stays awake where the browser
// allows it.
import './drafts.js';
import './follow.js';
import './outbox.js';
import './rising.js';

if (document.querySelector('[data-live]')) {
  import('./ahead.js').catch(() => {/* forms go as ever */});
}

// A sheet takes the focus when it opens, Escape closes it, and its link has the focus again.
document.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape' && document.querySelector('.menu:target')) location.hash = 'main';
});
window.addEventListener('hashchange', ({ oldURL }) => {
  const sheet = document.querySelector('.menu:target');
  if (sheet) sheet.focus({ preventScroll: true });
  else if (new URL(oldURL).hash && !document.activeElement?.matches('input')) {
    document.querySelector(`a[href="${new URL(oldURL).hash}"]`)?.focus();
  }
});

async function stayAwake() {
  if (document.visibilityState !== 'visible') return;
  try {
    await navigator.wakeLock?.request('screen');
  } catch { /* the battery is low: let it sleep */ }
}
// A browser lets go of the lock whenever the page is hidden.
document.addEventListener('visibilitychange', stayAwake);
stayAwake();

function offerCopies() {
  for (const button of document.querySelectorAll('[data-copy]')) {
    const text = document.getElementById(button.dataset.copy);
    button.hidden = false;
    button.addEventListener('click', async () => {
      text.select();
      try {
        await navigator.clipboard.writeText(text.value);
      } catch {
        // Over plain http a browser has no clipboard, but still copies what is selected.
        document.execCommand('copy');
      }
      button.textContent = '✓';
    });
  }
}
document.addEventListener('live:shown', offerCopies);
offerCopies();

// Over https or on this machine, the game and its rules open without a network too.
const league = document.querySelector('[data-live]')?.dataset.league ?? location.href;
const needed = [
  league,
  ...[...document.querySelectorAll('a[data-keep], a[data-ahead]')].map((link) => link.href),
];
// From the script's own address, since the app may stand below a path.
const worker = new URL('../../../sw.js', import.meta.url);
navigator.serviceWorker?.register(worker)
  .then(() => navigator.serviceWorker.ready)
  .then((worker) => worker.active.postMessage({ keep: [location.href, ...needed] }))
  .catch(
    () => {/* a plain address of the home network: an open page goes on, a closed one does not */},
  );
