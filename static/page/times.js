// Times and days of what happened are those of the reader, not those of the server.
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
const DAY = { day: 'numeric', month: 'long', year: 'numeric' };

function tell() {
  for (const one of document.querySelectorAll('time[datetime]')) {
    const at = new Date(one.dateTime);
    one.textContent = 'day' in one.dataset
      ? at.toLocaleDateString('en-GB', DAY)
      : at.toLocaleTimeString('en-GB', CLOCK);
  }
}

// An evening is dated where it is played: the server reads how far this phone is from UTC.
document.cookie = `zone=${-new Date().getTimezoneOffset()};path=/;max-age=34560000;samesite=lax`;
document.addEventListener('live:shown', tell);
tell();
