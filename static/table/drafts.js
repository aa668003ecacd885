// Drafts of deals gone by are forgotten. That of the latest stays, for undoing the deal brings the
// cards back to the pad, but it waits for nothing any more.
function tidy() {
  const [, game] = location.pathname.match(/games\/(\d+)/) ?? [];
  const latest = Number(document.querySelector('[data-live]')?.dataset.position);
  const start = `draft:game${game}-deal`;
  for (const name of Object.keys(localStorage)) {
    const deal = name.startsWith(start) ? Number.parseInt(name.slice(start.length), 10) : Infinity;
    if (deal < latest) localStorage.removeItem(name);
    if (deal === latest) settle(name);
  }
}

function settle(name) {
  const draft = JSON.parse(localStorage.getItem(name));
  if (draft.ready || draft.letter) {
    localStorage.setItem(name, JSON.stringify({ ...draft, ready: false, letter: '' }));
  }
}

function begin() {
  try {
    tidy();
  } catch { /* nothing was kept here */ }
}
document.addEventListener('live:shown', begin);
window.addEventListener('pageshow', begin);
begin();
