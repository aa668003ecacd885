// Seats of a new game: tap who plays, tap who deals; the list of names stays the truth. What was
// typed waits in this tab while its reader looks at house rules.
import './times.js';

const form = document.querySelector('[data-new-game]');
const { names, dealer, league_name: league } = form.elements;
const [order, seats, dealers] = ['[data-order]', '[data-seats]', '[data-dealers]'].map((one) =>
  form.querySelector(one)
);
const chips = [...form.querySelectorAll('[data-regular]')];
const [most, pair] = ['[data-most]', '[data-pair]'].map((one) => form.querySelector(one));
const sides = form.querySelector('[data-sides]');
const parted = /[,;\n]/;

// As the server reads them: `read_names`.
const and = /\s+(?:and|und|&|\+)\s+/i;
const plain = (text) => (parted.test(text) ? text : text.replaceAll(new RegExp(and, 'gi'), ','));
const parts = () => {
  const text = plain(names.value.replaceAll(/(^|\s)\d{1,2}[.)]\s+/g, '\n').trim());
  return text.split(parted.test(text) ? /[,;\n]+/ : /\s+/).map((name) => name.trim());
};
const read = () => {
  const [last, ...others] = parts().reverse();
  const whole = !others.length || others.some((name) => and.test(name));
  const ends = whole ? [last] : last.split(/(?:^|\s+)(?:and|und|&)\s+/i);
  return [...others.reverse(), ...ends].filter(Boolean);
};
// As the server shortens them: `short_names`.
const kinship =
  /^(?:grandma|grandpa|granny|grandad|nana?|gran|aunt(?:ie)?|uncle|oma|opa|tante|onkel)\s+(?=\S)/i;
const first = (name) => name.replace(kinship, '').split(/\s/)[0];
const short = (
  name,
  people,
) => (people.filter((other) => first(other) === first(name)).length > 1 ? name : first(name));
const write = (people) => {
  const last = people.at(-1) ?? '';
  names.value = people.join(', ') + (and.test(last) ? ',' : '');
  draw();
};

function button(kind, label, title, act) {
  const made = Object.assign(document.createElement('button'), {
    type: 'button',
    className: kind,
    textContent: label,
  });
  if (title) made.ariaLabel = title;
  made.addEventListener('click', act);
  return made;
}

function draw() {
  const people = read();
  const many = people.length > 1;
  order.hidden = !many;
  dealers.hidden = !many;
  dealer.closest('.field').hidden = !many;
  dealer.hidden = many;
  most.hidden = people.length <= dealer.options.length;
  seats.replaceChildren(...people.map((name, place) => {
    const row = document.createElement('li');
    row.append(
      Object.assign(document.createElement('span'), {
        className: 'grow',
        textContent: `${place + 1}. ${name}`,
      }),
    );
    if (place) {
      row.append(
        button(
          '',
          '↑',
          `${seats.dataset.up}: ${name}`,
          () => write(people.with(place, people[place - 1]).with(place - 1, name)),
        ),
      );
    }
    row.append(
      button('', '×', `${seats.dataset.away}: ${name}`, () => write(people.toSpliced(place, 1))),
    );
    return row;
  }));
  if (sides) {
    // Partners sit opposite each other.
    sides.hidden = people.length !== 4 || people.some((name) => and.test(name));
    sides.textContent = sides.dataset.words.replace(/\{(\d)\}/g, (_, n) => people[n]);
  }
  const couple = parts().at(-1);
  pair.hidden = !and.test(couple) || people.includes(couple);
  pair.textContent = pair.dataset.pair.replace('{0}', couple);
  if (Number(dealer.value) >= people.length) dealer.value = '0';
  dealers.replaceChildren(
    ...people.slice(0, dealer.options.length).map((name, place) => {
      const chip = button('chip', short(name, people), name, () => {
        dealer.value = String(place);
        draw();
      });
      chip.ariaPressed = String(dealer.value === String(place));
      return chip;
    }),
  );
  for (const chip of chips) chip.ariaPressed = String(people.includes(chip.dataset.regular));
  const lines = [...form.querySelectorAll('[data-from]')];
  const fits = (line) =>
    Number(line.dataset.from) <= people.length && people.length <= Number(line.dataset.to);
  for (const line of lines) line.hidden = lines.some(fits) && !fits(line);
}

for (const chip of chips) {
  chip.addEventListener('click', () => {
    const people = read();
    const there = people.indexOf(chip.dataset.regular);
    write(there < 0 ? [...people, chip.dataset.regular] : people.toSpliced(there, 1));
  });
}
names.addEventListener('input', draw);
sides?.addEventListener('click', () => {
  const [one, two, three, four] = read();
  write([`${one} + ${three}`, `${two} + ${four}`]);
});
pair.addEventListener('click', () => {
  names.value = `${names.value.trim()},`;
  draw();
});
let sent = false;
form.addEventListener('submit', () => {
  sent = true;
});
try {
  const [typed, called] = JSON.parse(sessionStorage.getItem('new game') ?? '["", ""]');
  names.value ||= typed;
  if (league) league.value ||= called;
  addEventListener('pagehide', () => {
    sessionStorage.setItem(
      'new game',
      JSON.stringify(sent ? ['', ''] : [names.value, league?.value ?? called]),
    );
  });
} catch { /* a help, not a duty */ }
draw();
document.querySelector('[data-focus]')?.focus();
