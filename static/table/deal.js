// A deal that one phone enters for all is entered, looked over and saved while the server is gone
// too. What only the server knows, scores and doubts, is shown as soon as it is back.
import { isLost, missed } from '../page/connection.js';
import { enqueue } from './outbox.js';
import { show } from './showing.js';

const PATIENCE = 6000;
const BOX = '[data-alone]';
let pad = null; // the page with the pad, under the review

const main = () => document.querySelector('main');
const header = () => document.querySelector('header.top');
const within = (selector) => document.querySelector(selector);
const isEarly = (form) => 'early' in form.dataset; // the table has not come to its deal
const waits = () => within('[data-waits]'); // a save that this phone keeps

// A page of ours, or the address of the table where it was saved; fails where nobody answers.
async function ask(form, body) {
  const answer = await fetch(form.action, {
    method: 'POST',
    body,
    headers: { Accept: 'text/html' },
    signal: AbortSignal.timeout(PATIENCE),
  });
  if (answer.status >= 500 || answer.status === 429) throw new Error('later');
  if (answer.redirected) return answer.url;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  // The sign-in page of a Wi-Fi.
  if (!page.querySelector('header.top')) throw new Error('elsewhere');
  return page;
}

async function send(event) {
  const { target: form, submitter } = event;
  if (event.defaultPrevented || !form.matches('[data-whole]')) return;
  const changes = submitter?.name === 'change' || submitter?.value === 'change';
  if (changes && !pad) return; // the server opens the pad
  event.preventDefault();
  if (changes) return reopen(submitter.value);
  const isPad = form.matches('.entering');
  const body = new URLSearchParams(new FormData(form, submitter));
  try {
    if (isEarly(form)) return lookOver(form);
    const answer = await ask(form, body);
    if (typeof answer === 'string') return location.replace(answer); // back leads to the table too
    if (isPad) stash(form);
    put(answer);
  } catch (fault) {
    // A server that doesn't save has answered all the same: its disk may be full.
    if (fault.message !== 'later' || isPad) missed();
    if (isPad) lookOver(form);
    else if (submitter?.value === 'save') keep(form, body);
  } finally {
    delete form.dataset.sent;
  }
}

function stash(form) {
  pad = {
    form,
    className: main().className,
    title: document.title,
    main: [...main().childNodes],
    header: [...header().childNodes],
  };
}

function put(page) {
  if (pad) pad.form.dataset.done = '';
  show(page);
  window.scrollTo(0, 0);
  const asked = within('main [data-focus]');
  if (asked) asked.focus();
  else focusOn(header().querySelector('h1'));
}

function focusOn(heading) {
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

function edit(seat) {
  const { form, className, title } = pad;
  for (const mark of ['done', 'sent']) delete form.dataset[mark];
  document.title = title;
  main().className = className;
  main().replaceChildren(...pad.main);
  header().replaceChildren(...pad.header);
  pad = null;
  document.dispatchEvent(new CustomEvent('live:shown'));
  const tab = form.querySelector(`[data-tab="${CSS.escape(seat)}"]`) ??
    form.querySelector('[aria-current]');
  tab?.click();
  tab?.focus();
}

// The page's own review: the cards and sums that the pad shows. The server adds the rest.
function lookOver(form) {
  const page = within('template[data-alone-page]').content.cloneNode(true);
  for (const panel of form.querySelectorAll('.hand-fields')) {
    const row = page.querySelector(`[data-row="${panel.dataset.seat}"]`);
    row.querySelector('[data-cards]').append(
      ...faces(panel.querySelector('[data-chips]'), form.dataset.take.replace('{0}', '')),
    );
    row.querySelector('[data-sum]').textContent =
      form.querySelector(`[data-tab="${panel.dataset.seat}"] .state`).textContent;
  }
  for (const words of page.querySelectorAll('[data-early]')) {
    words.hidden = (words.dataset.early === 'yes') !== isEarly(form);
  }
  const [live, heading] = [within('[data-live]'), page.querySelector(BOX).dataset.title];
  stash(form);
  form.dataset.done = '';
  main().className = 'page table';
  main().replaceChildren(live, page);
  header().replaceChildren(...pad.header.map((one) => one.cloneNode(true)));
  header().querySelector('h1').textContent = heading;
  header().lastElementChild.replaceWith(document.createElement('span'));
  if (navigator.serviceWorker?.controller) within('[data-plain-http]').hidden = true;
  focusOn(header().querySelector('h1'));
}

function faces(hand, suffix) {
  const shown = hand.cloneNode(true);
  for (const button of shown.querySelectorAll('button')) {
    const card = Object.assign(document.createElement('span'), {
      className: button.className,
      role: 'img',
    });
    card.ariaLabel = button.ariaLabel.replace(suffix, '');
    if (button.dataset.suit) card.dataset.suit = button.dataset.suit;
    card.append(...button.childNodes);
    button.replaceWith(card);
  }
  return shown.childNodes;
}

// What was seen and accepted is saved under its key, now or when the server is back.
function keep(form, body) {
  enqueue(form, body);
  if (pad) mark({ letter: form.elements.key.value });
  const panel = form.querySelector('template[data-kept-deal]').content.cloneNode(true);
  form.querySelector('.dock').replaceChildren(panel);
  if (navigator.serviceWorker?.controller) form.querySelector('[data-plain-http]').hidden = true;
  focusOn(form.querySelector('.dock h2'));
}

// The draft knows whether it was looked over, or is on its way.
function mark(what) {
  const draft = `draft:${pad.form.dataset.entry}`;
  try {
    localStorage.setItem(
      draft,
      JSON.stringify({ ...JSON.parse(localStorage.getItem(draft)), ...what }),
    );
  } catch { /* the page itself keeps it */ }
}

function reopen(seat) {
  mark({ ready: false });
  edit(seat);
}

function tapped(event) {
  if (event.target.closest?.('[data-edit]')) reopen('');
  if (!event.target.closest?.('[data-keep-deal]')) return;
  mark({ ready: true });
  event.preventDefault();
  document.dispatchEvent(new CustomEvent('page:wanted', { detail: event.target.href }));
}

function found() {
  if (!within(BOX) || isLost() || isEarly(pad.form)) return;
  const { form } = pad;
  edit('');
  form.requestSubmit(form.querySelector('[data-plain]'));
}

function sent() {
  if (waits()) location.replace(header().querySelector('a').href);
}

function refused() {
  if (!waits()) return;
  location.hash = 'check';
  location.reload();
}

// A deal that was entered is looked over at once where its page is asked to.
export function checkAtOnce() {
  const form = within('form.entering[data-whole]');
  if (location.hash !== '#check' || !form) return;
  history.replaceState(null, '', location.pathname + location.search);
  if ([...form.querySelectorAll('[data-field]')].some((field) => field.value)) {
    form.requestSubmit(form.querySelector('[data-plain]'));
  }
}

const told = {
  submit: send,
  click: tapped,
  'connection:found': found,
  'outbox:sent': sent,
  'outbox:refused': refused,
};
for (const [name, act] of Object.entries(told)) document.addEventListener(name, act);
checkAtOnce();
