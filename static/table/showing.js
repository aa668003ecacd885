// Puts a page that was fetched in the place of this one. What somebody has begun stays: a pad with
// cards on it, what is typed elsewhere, what was unfolded, and the focus.
const PAD = 'form.entering';

export const changed = (one) => {
  if (one.matches('select')) {
    return one.selectedIndex !==
      Math.max(0, [...one.options].findIndex((option) => option.defaultSelected));
  }
  if (one.matches('[type=checkbox], [type=radio]')) return one.checked !== one.defaultChecked;
  return one.matches('input, textarea') && one.value !== one.defaultValue;
};

// A pad that was sent, or on which nothing was entered, is nobody's work.
export const begunPad = () =>
  [...document.querySelectorAll(PAD)].find((form) =>
    !('done' in form.dataset) && [...form.elements].some(changed)
  );

export function show(page) {
  const main = document.querySelector('main');
  const [pad, focus] = [begunPad(), document.activeElement];
  const isWithin = pad?.contains(focus);
  const late = pad && !keep(pad, page);
  const [way, typed, open] = [path(focus, main), typing(main), unfolded(main)];
  main.className = page.querySelector('main').className;
  main.replaceChildren(...page.querySelector('main').childNodes);
  if (!late) head(page); // a kept pad keeps its heading, which names the deal that it goes to
  for (const [id, value] of typed) {
    if (document.getElementById(id)) document.getElementById(id).value = value;
  }
  for (const one of main.querySelectorAll('details')) if (open.has(title(one))) one.open = true;
  const back = isWithin ? focus : way && main.querySelector(way);
  if (back) back.focus({ preventScroll: true });
  // The menu stays open.
  // A new element of the same id is no :target before its address is gone to again.
  if (location.hash && !main.querySelector(':target')) location.replace(location.hash);
  document.dispatchEvent(new CustomEvent('live:shown'));
}

function head(page) {
  document.title = page.title;
  document.querySelector('header.top').replaceChildren(
    ...page.querySelector('header.top').childNodes,
  );
}

// Puts a pad that was begun into the page to come; false where that is of another deal.
function keep(pad, page) {
  const same = [...page.querySelectorAll(PAD)].find((form) =>
    form.dataset.hand === pad.dataset.hand
  );
  if (same) {
    same.replaceWith(pad);
    return true;
  }
  const [saved, deal] = [
    Number(page.querySelector('[data-live]').dataset.position),
    Number(pad.dataset.position),
  ];
  const line = pad.querySelector('[data-late]');
  if (line) line.hidden = saved < deal;
  const own = page.querySelector('[data-own]');
  if (own) own.replaceChildren(pad);
  else (page.querySelector(PAD) ?? page.querySelector('main').lastElementChild).replaceWith(pad);
  return saved + 1 === deal;
}

const typing = (main) =>
  [...main.querySelectorAll('input[id], textarea[id]')]
    .filter((one) => !one.closest(PAD) && changed(one)).map((one) => [one.id, one.value]);

const title = (details) => details.id || details.querySelector('summary')?.textContent;
const unfolded = (main) => new Set([...main.querySelectorAll('details[open]')].map(title));

function path(element, main) {
  if (!element || !main.contains(element)) return '';
  if (element.id) return `#${CSS.escape(element.id)}`;
  if (element.matches('a[href]')) return `a[href="${CSS.escape(element.getAttribute('href'))}"]`;
  if (element.matches('button[name]')) {
    return `button[name="${CSS.escape(element.name)}"][value="${CSS.escape(element.value)}"]`;
  }
  return '';
}
