// Once a month the owner's home asks for a copy of the league; one made on this phone, or *Later*,
// is good for a month. It is this phone that remembers, so no page changes anything on the server.
const MONTH = 30 * 24 * 60 * 60 * 1000;

function remember(name) {
  try {
    localStorage.setItem(name, Date.now());
  } catch { /* then it asks again */ }
}

function since(name) {
  try {
    return Number(localStorage.getItem(name));
  } catch {
    return Date.now();
  }
}

const reminder = document.querySelector('[data-copy]');
if (reminder?.matches('p')) {
  const { copy } = reminder.dataset;
  if (!since(copy)) remember(copy);
  reminder.hidden = Date.now() - since(copy) < MONTH;
}

document.addEventListener('click', ({ target }) => {
  const made = target.closest('[data-copied]');
  if (!made) return;
  remember(made.closest('[data-copy]').dataset.copy);
  if (reminder.matches('p')) reminder.hidden = true;
});
