// Deals that wait on this phone. The table names the first and goes on with it; the deal after
// those that are kept can be entered before the server has checked them, under a heading of its
// own. Its pad is never sent: it is kept, and recalled when the table has come to it.
import { toSend } from './outbox.js';

const within = (selector) => document.querySelector(selector);
const line = () => within('[data-begun-deal]');
const first = () => Number(within('[data-live]').dataset.position) + 1;
const has = ({ typed = {} }) =>
  Object.values(typed).some((text) => typeof text === 'string' && text);
const isSent = ({ letter }) => Boolean(letter) && toSend().some(({ key }) => key === letter);
const asked = () => Number(within('header.top [data-deal]').dataset.deal); // about how it ended
const course = () => JSON.parse(within('[data-course]')?.dataset.course ?? '{}');
const coming = (deal) => course()[deal];

const start = (deal) => `draft:${line().dataset.begunDeal}-deal${deal}-`;
const drafts = (deal) =>
  Object.keys(localStorage).filter((name) => name.startsWith(start(deal)))
    .map((name) => [name.slice(start(deal).length), JSON.parse(localStorage.getItem(name))])
    // A hand of one's own is no deal.
    .filter(([way, draft]) => /^(?!own)[a-z_]*\d*$/.test(way) && has(draft));

// The draft of a deal that was touched last, if anything was entered in it, with how the deal
// ended.
const begun = (deal) =>
  drafts(deal).toSorted(([, one], [, other]) => (other.at ?? 0) - (one.at ?? 0))[0];

const isKept = (deal) => {
  const [, draft] = begun(deal) ?? [];
  return Boolean(draft?.ready || draft?.letter);
};

function offer() {
  if (!line()) return;
  let found;
  try {
    found = begun(first());
  } catch { /* nothing is kept here */ }
  line().hidden = !found;
  if (!found) return;
  const [way, draft] = found;
  const ready = isSent(draft) ? 'sent' : isKept(first()) ? 'yes' : 'no';
  for (const part of line().querySelectorAll('[data-ready]')) {
    part.hidden = part.dataset.ready !== ready;
  }
  // Nobody enters a kept deal once more.
  within('.dock').hidden = ready !== 'no' && asked() === first();
  lead(way);
  offerNext(ready);
}

function lead(way) {
  const [, how, by] = way.match(/^([a-z_]*)(\d*)$/);
  const address = new URL(line().dataset.entry, location);
  address.search = new URLSearchParams(by ? { how, by } : { how });
  for (const link of line().querySelectorAll('a')) {
    link.href = address + (link.dataset.ready === 'yes' ? '#check' : '');
  }
}

function offerNext(ready) {
  let deal = first() + 1;
  const kept = [];
  for (; coming(deal) && isKept(deal); deal += 1) kept.push(coming(deal).kept);
  const [too, next] = ['[data-kept-too]', '[data-next-deal]'].map((part) =>
    line().querySelector(part)
  );
  too.textContent = kept.join(' ');
  next.hidden = ready === 'no' || !coming(deal) || asked() === deal;
  next.textContent = coming(deal)?.enter;
  next.value = deal;
}

function name(page, deal) {
  const title = page.querySelector('header.top [data-deal]');
  title.dataset.deal = deal;
  title.textContent = coming(deal).name;
}

// The table as the deal after it needs it: without what only the server knows, and who ends the
// deal.
function ask(deal) {
  const page = within('template[data-next-page]').content.cloneNode(true);
  page.querySelector('[data-words]').textContent = coming(deal).words;
  for (
    const part of within('.mid').querySelectorAll(
      ':scope > :not([data-live], [data-refused], [data-begun-deal], [data-course], template)',
    )
  ) part.remove();
  within('.mid').append(page);
  for (const link of document.querySelectorAll('a[data-ahead]')) link.dataset.deal = deal;
  name(document, deal);
  document.dispatchEvent(new CustomEvent('live:shown'));
  window.scrollTo(0, 0);
  within('[data-words]').focus({ preventScroll: true });
}

// Makes the pad of the deal on the table that of a later one. What rests on totals is not known
// yet.
export function advance(page, deal) {
  const form = page.querySelector('form.entering[data-whole]');
  form.querySelector('[data-late]').firstChild.data = coming(deal).late;
  form.dataset.entry = form.dataset.entry.replace(/deal\d+/, `deal${deal}`);
  form.dataset.hand = form.dataset.hand.replace(/\/\d+\//, `/${deal}/`);
  form.dataset.position = form.elements.position.value = deal;
  form.dataset.whole = coming(deal).name;
  form.dataset.early = '';
  for (const panel of form.querySelectorAll('.hand-fields')) {
    for (const fact of ['before', 'limit', 'size']) {
      delete panel.dataset[fact];
    }
  }
  name(page, deal);
}

document.addEventListener('click', (event) => {
  const next = event.target.closest?.('[data-next-deal]');
  if (next) ask(Number(next.value));
});
document.addEventListener('live:shown', offer);
document.addEventListener('outbox:refused', offer);
window.addEventListener('pageshow', offer);
offer();
