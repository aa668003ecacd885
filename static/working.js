// What takes the server seconds says so on its button, which is not tapped twice.
const forms = document.querySelectorAll('form[data-working]');

for (const form of forms) {
  const button = form.querySelector('button');
  const words = button.textContent;
  form.addEventListener('submit', (event) => {
    if (button.ariaDisabled) event.preventDefault();
    button.ariaDisabled = 'true';
    button.textContent = form.dataset.working;
  });
  // Back shows the page as it was left.
  addEventListener('pageshow', () => {
    button.ariaDisabled = null;
    button.textContent = words;
  });
}
