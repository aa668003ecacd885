// Totals count up from what this device showed last, and their lines grow with them; at once where
// less motion is asked for.
const TIME = 150;
const calm = matchMedia('(prefers-reduced-motion: reduce)');
const game = `totals:${location.pathname.match(/games\/\d+/)?.[0]}`;

const text = (cell) => (cell.querySelector('a') ?? cell).firstChild;
const number = (cell) => Number(cell.textContent.trim().replace('−', '-').replaceAll(',', ''));
const written = (total) => total.toLocaleString('en').replace('-', '−');

function recalled() {
  try { return JSON.parse(sessionStorage.getItem(game)) ?? []; } catch { return []; }
}

function rise() {
  const cells = [...document.querySelectorAll('.board .total')];
  if (!cells.length) return; // the pad and the review show no totals
  const lines = [...document.querySelectorAll('.board .race rect')];
  const [before, now] = [recalled(), cells.map((cell, row) => [number(cell), lines[row].getAttribute('width')])];
  try { sessionStorage.setItem(game, JSON.stringify(now)); } catch { /* nothing is kept here */ }
  if (calm.matches || before.length !== now.length) return;
  cells.forEach((cell, row) => {
    const [[from, width], [to, end]] = [before[row], now[row]];
    if (width !== end) lines[row].animate([{ width }, { width: end }], TIME);
    if (from !== to) count(text(cell), from, to);
  });
}

function count(node, from, to, start = performance.now()) {
  const part = Math.min(1, (performance.now() - start) / TIME);
  node.data = written(Math.round(from + (to - from) * part));
  if (part < 1) requestAnimationFrame(() => count(node, from, to, start));
}

document.addEventListener('live:shown', rise);
rise();
