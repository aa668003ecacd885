// The pad: one tap a card into the text field that the server reads; sums and chips follow it.
const form = document.querySelector('[data-entry]');
const pad = form.querySelector('.pad');
const panels = [...form.querySelectorAll('.hand-fields')];
const tabs = [...form.querySelectorAll('.tab')];
const keys = pad ? [...pad.querySelectorAll('[data-card]')] : [];
const points = Object.fromEntries(keys.map((key) => [key.dataset.card, Number(key.dataset.points)]));
const draft = form.dataset.entry && `draft:${form.dataset.entry}:${form.elements.revision.value}`;
let current = 0;

const field = (panel, name) => form.elements[`seat${panel.dataset.seat}-${name}`];
const words = (text) => text.toUpperCase().split(/[\s,;]+/).filter(Boolean);
const rank = (word) => word.replace(/(?<=.)[CDHSRB♣♦♥♠]\uFE0E?$/, '').replace(/^(JK|JOKER|\*|★)$/, 'X').replace(/^T$/, '10');
const known = (word) => rank(word) in points;

function store() {
  if (!draft) return;
  const typed = {};
  for (const input of form.querySelectorAll('input[id^=seat]')) typed[input.name] = input.value;
  try { localStorage.setItem(draft, JSON.stringify(typed)); } catch { /* the draft is a help, not a duty */ }
}

function recall() {
  if (!draft || document.querySelector('[role=alert]')) return;
  let typed = {};
  try { typed = JSON.parse(localStorage.getItem(draft)) ?? {}; } catch { return; }
  for (const [name, value] of Object.entries(typed)) {
    const input = form.elements[name];
    if (input && !input.value) input.value = value;
  }
}

function chip(word, place, panel) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'card';
  button.textContent = rank(word) === 'X' ? '★' : word;
  button.ariaLabel = `${button.textContent}, take back`;
  button.addEventListener('click', () => {
    const left = words(field(panel, 'cards').value);
    left.splice(place, 1);
    field(panel, 'cards').value = left.join(' ');
    field(panel, 'cards').dispatchEvent(new Event('input', { bubbles: true }));
    pad.querySelector('button').focus({ preventScroll: true });
  });
  return button;
}

function draw(panel) {
  const cards = field(panel, 'cards');
  if (!cards) return;
  const held = words(cards.value);
  const total = field(panel, 'total').value;
  panel.querySelector('[data-chips]').replaceChildren(...held.map((word, place) => chip(word, place, panel)));
  const values = held.map((word) => points[rank(word)]);
  const sum = held.every(known) ? values.reduce((a, b) => a + b, 0) : '?';
  panel.querySelector('output').textContent = total || sum;
  panel.querySelector('[data-terms]').textContent = values.length > 1 && sum !== '?' ? values.join(' + ') : '';
}

function drawAll() {
  panels.forEach(draw);
  const panel = panels[current];
  const held = words(field(panel, 'cards')?.value ?? '').map(rank);
  for (const key of keys) {
    const times = held.filter((word) => word === key.dataset.card).length;
    key.classList.toggle('held', times > 0);
    key.querySelector('.times')?.remove();
    if (times) key.insertAdjacentHTML('beforeend', `<span class="times">×${times}</span>`);
  }
  panels.forEach((each, place) => {
    const told = field(each, 'cards')?.value.trim() || field(each, 'total')?.value.trim();
    const zipped = !field(each, 'zipped') || field(each, 'zipped').value.trim();
    tabs[place]?.classList.toggle('done', Boolean((told || !field(each, 'cards')) && zipped));
    const mini = tabs[place]?.querySelector('[data-mini]');
    if (mini) mini.textContent = told && place !== current ? each.querySelector('output').textContent : '';
  });
}

function open(place, focus) {
  current = place;
  panels.forEach((panel, other) => { panel.hidden = other !== place; });
  tabs.forEach((tab, other) => tab.toggleAttribute('aria-current', other === place) && tab.setAttribute('aria-current', 'step'));
  const panel = panels[place];
  const asks = Boolean(field(panel, 'cards'));
  const typing = panel.classList.contains('typing');
  for (const key of keys) key.hidden = !asks || typing;
  pad.querySelector('[data-back]').hidden = !asks || typing;
  pad.querySelector('[data-next]').classList.toggle('span2', keys.length < 14 || !asks || typing);
  const next = pad.querySelector('[data-next]');
  const following = panels[place + 1];
  if (panels.length > 1 || form.dataset.word) next.textContent = following ? `${following.dataset.name} ›` : form.dataset.word;
  drawAll();
  if (focus) (typing ? field(panel, 'total') : field(panel, 'zipped') ?? tabs[place])?.focus({ preventScroll: true });
}

function type(on) {
  for (const panel of panels) if (field(panel, 'cards')) panel.classList.toggle('typing', on);
  try { localStorage.setItem('typing', on ? '1' : ''); } catch { /* as above */ }
  open(current, true);
}

function start() {
  document.documentElement.classList.add('js');
  recall();
  pad.hidden = false;
  form.querySelector('.tabs')?.toggleAttribute('hidden', panels.length < 2);
  form.querySelector('[data-plain]').hidden = true;
  form.querySelectorAll('[data-chips], [data-sum], [data-tap], [data-told]').forEach((part) => { part.hidden = false; });
  form.addEventListener('input', () => { drawAll(); store(); });
  keys.forEach((key) => key.addEventListener('click', () => {
    const cards = field(panels[current], 'cards');
    cards.value = [...words(cards.value), key.dataset.card].join(' ');
    drawAll();
    store();
  }));
  pad.querySelector('[data-back]').addEventListener('click', () => {
    const cards = field(panels[current], 'cards');
    cards.value = words(cards.value).slice(0, -1).join(' ');
    drawAll();
    store();
  });
  form.addEventListener('submit', (event) => {
    const button = event.submitter;
    if (button?.matches('[data-next]') && panels[current + 1]) {
      event.preventDefault();
      open(current + 1, true);
    } else if (form.dataset.sent) event.preventDefault();
    else form.dataset.sent = '1';
  });
  window.addEventListener('pageshow', () => delete form.dataset.sent);
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !event.target.matches('input')) return;
    event.preventDefault();
    pad.querySelector('[data-next]').click();
  });
  tabs.forEach((tab, place) => tab.addEventListener('click', () => open(place, true)));
  form.querySelectorAll('[data-type]').forEach((button) => button.addEventListener('click', () => type(true)));
  form.querySelectorAll('[data-tap]').forEach((button) => button.addEventListener('click', () => type(false)));
  for (const panel of panels) {
    const readable = !field(panel, 'total')?.value && words(field(panel, 'cards')?.value ?? '').every(known);
    if (readable) panel.classList.remove('typing');
  }
  let typing = '';
  try { typing = form.dataset.entry && localStorage.getItem('typing'); } catch { /* as above */ }
  const wrong = panels.findIndex((panel) => panel.querySelector('[aria-invalid]'));
  if (typing) panels.forEach((panel) => field(panel, 'cards')?.value || !field(panel, 'cards') || panel.classList.add('typing'));
  open(Math.max(wrong, 0), typing && wrong < 0);
}

if (pad && panels.length) start();
document.querySelector('[data-focus]')?.focus();
