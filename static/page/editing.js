// A number is replaced, not added to: what stands in its field is selected when it is tapped.
document.addEventListener('focusin', ({ target }) => {
  if (target.matches('input[inputmode=numeric]')) target.select();
});

// Deals that are not played go; they come back with the number.
const deals = document.getElementById('deals');
function onlyPlayed() {
  for (const deal of document.querySelectorAll('[data-deal]')) {
    deal.hidden = Number(deals.value) > 0 && Number(deal.dataset.deal) > Number(deals.value);
  }
}
if (deals) {
  deals.addEventListener('input', onlyPlayed);
  onlyPlayed();
}
