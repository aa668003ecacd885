// Over plain http a browser lets the screen go to sleep in the middle of a deal. The page of a game
// says so on each phone, in one game and until it is put away, with where the phone itself is set.
const KEY = 'sleeps';
const PHONES = { ios: /iPhone|iPad|iPod/, android: /Android/ };

const game = () => location.pathname.split('/').slice(0, 3).join('/');
const phone = Object.keys(PHONES).find((name) => PHONES[name].test(navigator.userAgent));

function said() {
  try {
    if (!localStorage.getItem(KEY)) localStorage.setItem(KEY, game());
    return localStorage.getItem(KEY);
  } catch {
    return '';
  }
}

function say() {
  const note = document.querySelector('[data-sleeps]');
  if (!note) return;
  if (!phone || window.isSecureContext || said() !== game()) return note.remove();
  note.hidden = false;
  for (const way of note.querySelectorAll('[data-phone]')) way.hidden = way.dataset.phone !== phone;
}

document.addEventListener('click', (event) => {
  if (!event.target.closest?.('[data-sleeps] button')) return;
  localStorage.setItem(KEY, 'put away');
  say();
});
document.addEventListener('live:shown', say);
say();
