// Without a connection an open page goes on by itself: it says that a hand is kept, opens a pad,
// and knows the deals that follow.
let last = null;

const blank = () =>
  document.querySelector('template[data-pad]')?.content.querySelector('form') ??
    document.querySelector('form.entering') ?? last;

function close({ detail: form }) {
  const panel = document.querySelector('template[data-kept]')?.content.firstElementChild.cloneNode(
    true,
  );
  const own = document.querySelector('[data-own]');
  if (!panel || !own) return;
  const pad = form.matches('.entering') ? form : blank();
  last = pad;
  const deal = Number(pad?.dataset.position) + 1;
  const { course } = document.querySelector('[data-course]').dataset;
  const { words } = JSON.parse(course)[deal] ?? {};
  const next = panel.querySelector('[data-next-pad]');
  next.hidden = !words;
  next.textContent = `${next.dataset.nextPad} ${words}`;
  next.addEventListener('click', () => open(deal, words));
  if (navigator.serviceWorker?.controller) panel.querySelector('[data-plain-http]').hidden = true;
  own.replaceChildren(panel);
  const heading = panel.querySelector('h2');
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

function open(deal, words) {
  const form = blank().cloneNode(true);
  for (const mark of ['begun', 'sent', 'done']) delete form.dataset[mark];
  if (deal) follow(form, deal, words);
  document.querySelector('[data-own]').replaceChildren(form);
  document.dispatchEvent(new CustomEvent('live:shown'));
}

// Makes a pad that of a later deal, and the heading of the page that of its pad.
function follow(form, deal, words) {
  const [game, , seat] = form.dataset.hand.split('/');
  form.dataset.position = deal;
  form.dataset.hand = `${game}/${deal}/${seat}`;
  form.dataset.entry = `game${game}-deal${deal}-own${seat}`;
  form.dataset.outbox = words;
  form.setAttribute(
    'action',
    form.getAttribute('action').replace(/hands\/\d+\//, `hands/${deal}/`),
  );
  form.elements.told.value = '0';
  for (const field of form.querySelectorAll('[data-field]')) field.value = field.defaultValue = '';
  for (const name of ['how', 'by']) form.elements[name].value = '';
  const title = document.querySelector('header.top [data-deal]');
  title.dataset.deal = deal;
  title.textContent = words;
}

document.addEventListener('outbox:kept', close);
document.addEventListener('click', (event) => {
  if (!event.target.closest?.('[data-open-pad]') || !blank()) return;
  event.preventDefault();
  open();
});
