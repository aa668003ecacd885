// All that a page of a game needs at first sight: a pad is drawn as one. What the page does beyond
// links and forms comes after it, or with it where this tab has had that; a key tapped or typed
// sooner waits for it.
{
  const { then } = document.currentScript.dataset;
  const PARTS = 'pad pad-drawing pad-hands table drafts follow outbox renewing rising';
  const LATE = 'showing ahead deal kept sleeping waiting';
  const SHARED = 'saying as-of connection keeping times';
  const tapped = [];

  function wait(event) {
    const key = event.target.closest?.('.keys button, .tabs button');
    if (!key) return;
    event.preventDefault();
    event.stopPropagation();
    tapped.push(() => key.click());
  }

  function type(event) {
    const { key, target } = event;
    const isTyped = /^(.|Enter|Backspace)$/.test(key) && !event.ctrlKey && !event.metaKey &&
      !event.altKey;
    if (
      !isTyped || !document.querySelector('.keys') ||
      target.closest('input, textarea, select, summary, .menu')
    ) return;
    if (key === 'Enter' && target.matches('.keys button:not([data-to], [data-colour])')) {
      event.preventDefault(); // it goes on, and taps nothing
    }
    tapped.push(() =>
      target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    );
  }

  function recall() {
    // Where a browser keeps nothing the mere name of the storage throws.
    try {
      return sessionStorage.getItem(then);
    } catch {
      return null;
    }
  }

  function remember() {
    try {
      sessionStorage.setItem(then, 'had');
    } catch { /* it is asked for again */ }
  }

  function fetchSoon(href) {
    document.head.append(
      Object.assign(document.createElement('link'), { rel: 'modulepreload', href }),
    );
  }

  // A page of a game needs all of its parts: a module names what it imports only when it has come.
  async function begin() {
    if (document.querySelector('[data-live]')) {
      const beside = (name) => new URL(`${name}.js`, new URL(then, location.href)).href;
      for (const part of `${PARTS} ${LATE}`.split(' ')) fetchSoon(beside(part));
      for (const part of SHARED.split(' ')) fetchSoon(beside(`../page/${part}`));
    }
    try {
      await import(then);
      remember();
    } catch {
      document.documentElement.classList.remove('js'); // the fields of the form are there
    }
    // Before the presses that were kept: they would be caught once more.
    document.removeEventListener('click', wait, true);
    document.removeEventListener('keydown', type, true);
    for (const press of tapped) press();
  }

  // The first time, the script is fetched after the first paint; a hidden page has none and does
  // not wait.
  function paint() {
    new PerformanceObserver((_, seen) => {
      seen.disconnect();
      begin();
    }).observe({ type: 'paint', buffered: true });
  }

  document.documentElement.classList.add('js');
  document.addEventListener('click', wait, true);
  document.addEventListener('keydown', type, true);
  const had = recall();
  // A browser that reports no paint would never begin.
  const tells = globalThis.PerformanceObserver?.supportedEntryTypes.includes('paint');
  document.addEventListener('DOMContentLoaded', had || document.hidden || !tells ? begin : paint);
  if (had) fetchSoon(then);
}
