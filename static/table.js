// The table stays awake where the browser allows it, and forgets a draft once its deal is saved.
const table = document.querySelector('[data-table]');

if (document.querySelector('[data-saved]')) {
  try {
    for (const name of Object.keys(localStorage)) {
      if (name.startsWith(`draft:${table.dataset.table}-`)) localStorage.removeItem(name);
    }
  } catch { /* nothing was kept */ }
}

async function stayAwake() {
  if (document.visibilityState !== 'visible') return;
  try { await navigator.wakeLock?.request('screen'); } catch { /* the battery is low: let it sleep */ }
}
document.addEventListener('visibilitychange', stayAwake);
stayAwake();

for (const button of document.querySelectorAll('[data-copy]')) {
  const text = document.getElementById(button.dataset.copy);
  button.hidden = false;
  button.addEventListener('click', async () => {
    text.select();
    try { await navigator.clipboard.writeText(text.value); } catch { document.execCommand('copy'); }
    button.textContent = '✓';
  });
}
