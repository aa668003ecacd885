// A number is replaced, not added to: what stands in its field is selected when it is tapped.
document.addEventListener('focusin', ({ target }) => {
  if (target.matches('input[inputmode=numeric]')) target.select();
});
