// What changed without a new page is read aloud once, by whoever has pages read aloud.
const said = document.createElement('p');
said.className = 'unseen';
said.ariaLive = 'polite';
document.body.append(said);

// With no words, what is `over` is taken back, so that nobody finds it there later.
export function readAloud(words, over) {
  if (words ? said.textContent !== words : over && said.textContent === over) {
    said.textContent = words;
  }
}
