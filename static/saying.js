// What changed without a new page is read aloud once, by whoever has pages read aloud.
const said = document.createElement('p');
said.className = 'unseen';
said.ariaLive = 'polite';
document.body.append(said);

export function readAloud(words) {
  if (words && said.textContent !== words) said.textContent = words;
}
