// A part of a book opens for what is linked in it, and all of them for paper.
const parts = [...document.querySelectorAll('details.rules')];
let closed = [];

function open() {
  const wanted = document.getElementById(location.hash.slice(1));
  const part = wanted?.closest('details.rules');
  if (!part || part.open) return;
  part.open = true;
  wanted.scrollIntoView();
}

// Of a closed part a browser prints the title alone.
addEventListener('beforeprint', () => {
  closed = parts.filter((part) => !part.open);
  for (const part of closed) part.open = true;
});
addEventListener('afterprint', () => {
  for (const part of closed) part.open = false;
});
addEventListener('hashchange', open);
open();
