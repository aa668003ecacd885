// At a desk the table lies beside the pad: the deal, the scores so far and the sheet, out of the
// table's own page.
const PARTS = '.deal, .board, .scores';

export const hasRoom = () => Boolean(document.querySelector('.beside')?.clientWidth);

export function layBeside(table) {
  const place = document.querySelector('.beside');
  if (hasRoom() && !place.firstChild) place.append(...table.querySelectorAll(PARTS));
}
