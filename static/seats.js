// Seats of a new game: tap the regulars, put them in order; the comma list stays the truth.
const form = document.querySelector('[data-new-game]');
const names = form.elements.names;
const list = form.querySelector('[data-seats]');
const dealer = form.elements.dealer;
const chips = [...form.querySelectorAll('[data-regular]')];

const read = () => names.value.split(/[,;\n]+/).map((name) => name.trim()).filter(Boolean);
const write = (seats) => { names.value = seats.join(', '); draw(); };

function button(label, title, act) {
  const made = document.createElement('button');
  made.type = 'button';
  made.textContent = label;
  made.ariaLabel = title;
  made.addEventListener('click', act);
  return made;
}

function draw() {
  const seats = read();
  list.hidden = seats.length < 2;
  list.replaceChildren(...seats.map((name, place) => {
    const row = document.createElement('li');
    const shown = document.createElement('span');
    shown.textContent = `${place + 1}. ${name}`;
    row.append(shown);
    if (place) row.append(button('↑', `${list.dataset.up}: ${name}`, () => write(seats.with(place, seats[place - 1]).with(place - 1, name))));
    row.append(button('×', `${list.dataset.away}: ${name}`, () => write(seats.toSpliced(place, 1))));
    return row;
  }));
  for (const chip of chips) chip.ariaPressed = String(seats.includes(chip.dataset.regular));
  [...dealer.options].forEach((option, place) => {
    option.dataset.plain ??= option.textContent;
    option.textContent = seats[place] ?? option.dataset.plain;
    option.hidden = seats.length > 1 && place >= seats.length;
  });
  const lines = [...form.querySelectorAll('[data-from]')];
  const fits = (line) => Number(line.dataset.from) <= seats.length && seats.length <= Number(line.dataset.to);
  for (const line of lines) line.hidden = lines.some(fits) && !fits(line);
}

form.querySelector('[data-regulars]')?.removeAttribute('hidden');
for (const chip of chips) {
  chip.addEventListener('click', () => {
    const seats = read();
    const there = seats.indexOf(chip.dataset.regular);
    write(there < 0 ? [...seats, chip.dataset.regular] : seats.toSpliced(there, 1));
  });
}
names.addEventListener('input', draw);
draw();
document.querySelector('[data-focus]')?.focus();
