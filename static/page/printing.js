// Where scripts run, a button prints; its words need no menu of the browser then.
for (const menu of document.querySelectorAll('[data-by-menu]')) menu.hidden = true;
for (const button of document.querySelectorAll('[data-print], a[href="#print"]')) {
  button.hidden = false;
  button.addEventListener('click', () => print());
}
