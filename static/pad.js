// The pad: one tap a card into the text field that the server reads; sums and chips follow it.
// A page that is kept up to date may get its pad later, or another one: each begins anew.
let form, part, suits, panels, tabs, keys, points, draft, current;

function find() {
  form = document.querySelector('[data-entry]');
  part = form?.querySelector('.pad-part');
  if (!part) return;
  suits = form.querySelector('.suits');
  panels = [...form.querySelectorAll('.hand-fields')];
  tabs = [...form.querySelectorAll('.tab')];
  keys = [...part.querySelectorAll('[data-card]')];
  points = Object.fromEntries(keys.map((key) => [key.dataset.card, Number(key.dataset.points)]));
  draft = form.dataset.entry && `draft:${form.dataset.entry}`;
  current = 0;
}

const field = (panel, name) => panel.querySelector(`[data-field=${name}]`);
const target = (panel) => field(panel, panel.dataset.mode);
const words = (text) => text.toUpperCase().replaceAll('/', ' / ').split(/[\s,;]+/).filter(Boolean);
const rank = (word) => word.replace(/(?<=.)[CDHSRB♣♦♥♠]\uFE0E?$/, '').replace(/^(JK|JOKER|\*|★)$/, 'X').replace(/^T$/, '10');
const suit = (word) => (rank(word) === 'X' ? '' : word.slice(rank(word).length));
const colours = { H: 'R', D: 'R', S: 'B', C: 'B' };
const coloured = (word) => rank(word) + (colours[suit(word)] ?? suit(word));
const counts = (word) => points[coloured(word)] ?? points[rank(word)];
const signs = { S: '♠\uFE0E', H: '♥\uFE0E', D: '♦\uFE0E', C: '♣\uFE0E', R: ' red', B: ' black' };
const sum = (held) => held.filter((word) => word !== '/').reduce((total, word) => total + (counts(word) ?? NaN), 0);
const remember = (name, value) => { try { localStorage.setItem(name, value); } catch { /* a help, not a duty */ } };
const recalled = (name) => { try { return localStorage.getItem(name); } catch { return null; } };

function store() {
  if (!draft) return;
  const typed = [...form.querySelectorAll('[data-field]')].map((input) => [input.name, input.value]);
  const modes = panels.map((panel) => [panel.dataset.mode, panel.dataset.zipping]);
  remember(draft, JSON.stringify({ typed: Object.fromEntries(typed), modes }));
}

function recall() {
  if (!draft || document.querySelector('[role=alert]')) return;
  const { typed = {}, modes = [] } = JSON.parse(recalled(draft) ?? '{}');
  if (panels.some(told)) return;
  for (const [name, value] of Object.entries(typed)) if (form.elements[name]) form.elements[name].value = value;
  panels.forEach((panel, place) => {
    if (modes[place]?.[0]) panel.dataset.kept = panel.dataset.mode = modes[place][0];
    if (modes[place]?.[1]) panel.dataset.zipping = modes[place][1];
  });
}

function put(panel, held) {
  target(panel).value = held.join(' ');
  if (panel.dataset.mode === 'zips') {
    panel.dataset.zipping = 'zips';
    field(panel, 'zipped').value = '';
  }
  drawAll();
  store();
}

function chip(word, place, panel) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'card';
  button.dataset.suit = suit(word);
  button.textContent = word === '/' ? '/' : rank(word) === 'X' ? '★' : rank(word) + (signs[suit(word)] ?? suit(word));
  button.ariaLabel = `${button.textContent}, take back`;
  button.addEventListener('click', () => {
    put(panel, words(target(panel).value).toSpliced(place, 1));
    keys[0].focus({ preventScroll: true });
  });
  return button;
}

function draw(panel) {
  const held = target(panel) && panel.dataset.mode !== 'total' ? words(target(panel).value) : [];
  panel.querySelector('[data-chips]').replaceChildren(...held.map((word, place) => chip(word, place, panel)));
  const total = field(panel, 'total')?.value;
  const whole = panel.dataset.mode === 'hand';
  const output = panel.querySelector('output');
  output.classList.toggle('count', whole);
  output.textContent = whole ? `${held.length} ${output.dataset.cards}` : panel.dataset.mode === 'total' ? total : (Number.isNaN(sum(held)) ? '?' : sum(held));
  const terms = panel.querySelector('[data-terms]');
  const plain = held.map((word) => (word === '/' ? '·' : counts(word))).join(' + ').replaceAll('+ · +', '|').replace(/ \+ ·$/, '');
  if (terms) terms.textContent = whole || held.length < 2 || Number.isNaN(sum(held)) ? '' : plain;
  const zips = words(field(panel, 'zips')?.value ?? '');
  const kept = zips.length && panel.dataset.mode !== 'zips';
  panel.querySelector('.typed-zipped')?.toggleAttribute('hidden', Boolean(kept));
  if (terms && kept) terms.textContent = `${zips.join(' ')} = ${sum(zips)}`;
}

const told = (panel) => ['cards', 'total', 'hand', 'zips', 'zipped'].some((name) => field(panel, name)?.value.trim());

function drawAll() {
  panels.forEach(draw);
  const held = words(target(panels[current])?.value ?? '').map((word) => (coloured(word) in points ? coloured(word) : rank(word)));
  for (const key of keys) {
    const times = held.filter((word) => word === key.dataset.card).length;
    key.classList.toggle('held', times > 0);
    key.querySelector('.times')?.remove();
    if (times) key.insertAdjacentHTML('beforeend', `<span class="times">×${times}</span>`);
  }
  panels.forEach((panel, place) => {
    tabs[place]?.classList.toggle('done', Boolean(told(panel)));
    const mini = tabs[place]?.querySelector('[data-mini]');
    if (mini) mini.textContent = told(panel) && place !== current ? panel.querySelector('output').textContent : '';
  });
}

function open(place, focus) {
  current = place;
  const panel = panels[place];
  panels.forEach((each) => { each.hidden = each !== panel; });
  tabs.forEach((tab, other) => { if (other === place) tab.setAttribute('aria-current', 'step'); else tab.removeAttribute('aria-current'); });
  const mode = panel.dataset.mode;
  const tapped = mode !== 'total' && Boolean(target(panel));
  for (const key of [...keys, part.querySelector('[data-back]')]) key.hidden = !tapped;
  panel.querySelector('[data-chips]').hidden = !tapped;
  for (const legend of panel.querySelectorAll('[data-legend]')) legend.hidden = legend.dataset.legend !== (mode === 'total' ? 'cards' : mode);
  if (suits) suits.hidden = !tapped || mode === 'cards';
  part.querySelector('[data-close]').hidden = mode !== 'zips';
  for (const button of panel.querySelectorAll('[data-sum] [data-to]')) button.hidden = button.dataset.to === mode || (button.dataset.to === 'cards' && mode === 'total');
  const next = part.querySelector('[data-next]');
  next.classList.toggle('span2', !tapped || (keys.length < 14 && mode !== 'zips'));
  if (form.dataset.word) next.textContent = panels[place + 1] ? `${panels[place + 1].dataset.name} ›` : form.dataset.word;
  drawAll();
  if (focus) (mode === 'total' ? field(panel, 'total') : field(panel, 'zipped') ?? tabs[place])?.focus({ preventScroll: true });
}

function enter(mode) {
  for (const panel of panels) {
    const open = panel === panels[current] || !told(panel);
    if (open && (mode === 'cards' || field(panel, mode))) panel.dataset.mode = mode;
  }
  remember('typing', mode === 'total' ? '1' : '');
  open(current, true);
}

const rivals = { cards: ['total', 'hand'], total: ['cards', 'hand'], hand: ['cards', 'total'], zips: ['zipped'], zipped: ['zips'] };

// Each hand is told in one way: what was typed in the others stays only until it is sent.
function settle(panel) {
  for (const name of [panel.dataset.mode, panel.dataset.zipping]) {
    if (!name || !field(panel, name)?.value.trim()) continue;
    for (const rival of rivals[name]) if (field(panel, rival)) field(panel, rival).value = '';
  }
}

function listen() {
  form.addEventListener('input', (event) => {
    if (event.target.dataset.field === 'zipped') {
      panels[current].dataset.zipping = 'zipped';
      field(panels[current], 'zips').value = '';
    }
    drawAll();
    store();
  });
  keys.forEach((key) => key.addEventListener('click', () => {
    const asked = suits && !suits.hidden && key.dataset.card !== 'X' ? suits.querySelector('[aria-pressed=true]').dataset.suit : '';
    put(panels[current], [...words(target(panels[current]).value), key.dataset.card + asked]);
  }));
  suits?.querySelectorAll('button').forEach((button) => button.addEventListener('click', () => {
    for (const other of suits.querySelectorAll('button')) other.ariaPressed = String(other === button);
  }));
  part.querySelector('[data-close]').addEventListener('click', () => put(panels[current], [...words(target(panels[current]).value), '/']));
  part.querySelector('[data-back]').addEventListener('click', () => put(panels[current], words(target(panels[current]).value).slice(0, -1)));
  form.addEventListener('submit', (event) => {
    if (event.submitter?.matches('[data-next]') && panels[current + 1]) {
      event.preventDefault();
      open(current + 1, true);
    } else if (form.dataset.sent) event.preventDefault();
    else {
      panels.forEach(settle);
      form.dataset.sent = '1';
    }
  });
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !event.target.matches('input')) return;
    event.preventDefault();
    part.querySelector('[data-next]').click();
  });
  tabs.forEach((tab, place) => tab.addEventListener('click', () => open(place, true)));
  form.querySelectorAll('[data-to]').forEach((button) => button.addEventListener('click', () => enter(button.dataset.to)));
}

function start() {
  form.dataset.begun = '1';
  document.documentElement.classList.add('js');
  recall();
  part.hidden = false;
  form.querySelector('.tabs')?.toggleAttribute('hidden', panels.length < 2);
  form.querySelector('[data-plain]').hidden = true;
  form.querySelectorAll('[data-chips], [data-sum], [data-js], [data-told]').forEach((each) => { each.hidden = false; });
  const typing = draft && recalled('typing');
  for (const panel of panels) {
    const used = ['hand', 'zips', 'total'].find((name) => field(panel, name)?.value);
    panel.dataset.mode = panel.dataset.kept ?? used ?? (typing && field(panel, 'total') && !field(panel, 'cards').value ? 'total' : panel.dataset.mode);
  }
  listen();
  const wrong = panels.findIndex((panel) => panel.querySelector('[aria-invalid]'));
  open(Math.max(wrong, 0), typing && wrong < 0);
}

function begin() {
  find();
  if (part && panels.length && !form.dataset.begun) start();
  document.querySelector('[data-focus]')?.focus();
}

window.addEventListener('pageshow', () => { if (form) delete form.dataset.sent; });
document.addEventListener('live:shown', begin);
begin();
