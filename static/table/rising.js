// Totals count up from what this device showed last, their lines grow with them, and who passes
// another moves to the new place; at once where less motion is asked for.
const TIME = 150;
const calm = matchMedia('(prefers-reduced-motion: reduce)');
const game = `totals:${location.pathname.match(/games\/\d+(\/far)?/)?.[0]}`;

const text = (cell) => (cell.querySelector('a') ?? cell).firstChild;
const number = (cell) => Number(cell.textContent.trim().replace('−', '-').replaceAll(',', ''));
// As the server writes totals, whatever language the phone has.
const written = (total) => total.toLocaleString('en').replace('-', '−');

function recalled() {
  try {
    return JSON.parse(sessionStorage.getItem(game)) ?? {};
  } catch {
    return {};
  }
}

function rise() {
  const rows = [...document.querySelectorAll('.board tbody tr')].map((row) => ({
    row,
    seat: row.dataset.seat,
    total: row.querySelector('.total'),
    line: row.querySelector('.race rect'),
  }));
  if (!rows.length) return; // the pad and the review show no totals
  const before = recalled();
  const now = Object.fromEntries(
    rows.map((
      { seat, total, line },
      place,
    ) => [seat, [number(total), line.getAttribute('width'), place]]),
  );
  try {
    sessionStorage.setItem(game, JSON.stringify(now));
  } catch { /* nothing is kept here */ }
  if (calm.matches || Object.keys(before).length !== rows.length) return;
  for (const { row, seat, total, line } of rows) {
    if (!before[seat]) continue;
    const [[from, width, place], [to, end, here]] = [before[seat], now[seat]];
    if (place !== here) {
      row.animate(
        [{ transform: `translateY(${100 * (place - here)}%)` }, { transform: 'none' }],
        TIME,
      );
    }
    if (width !== end) line.animate([{ width }, { width: end }], TIME);
    if (from !== to) count(text(total), from, to);
  }
}

function count(node, from, to, start = performance.now()) {
  const part = Math.min(1, (performance.now() - start) / TIME);
  node.data = written(Math.round(from + (to - from) * part));
  if (part < 1) requestAnimationFrame(() => count(node, from, to, start));
}

document.addEventListener('live:shown', rise);
rise();
