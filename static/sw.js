// Pages of ours open without a network, as they were last seen; what is told then waits in the
// outbox of the page. Put before this file: KEPT, the name of what is kept; AWAY, the page that
// stands for one that was never open here; FILES, all scripts and styles.
const SECRET = /\/(j|return)\b|\/league\/(devices|links|passphrase|files)\b/;
const ASKS = /\/deals\/new$/; // what stands behind the question mark is another page

self.addEventListener('install', (event) => event.waitUntil(begin()));
self.addEventListener('activate', (event) => event.waitUntil(renew()));

async function begin() {
  const cache = await caches.open(KEPT);
  // Where one of them can't be had the worker is not installed, and the one before stays whole.
  // It doesn't skip the wait for that one: a worker that took over while a table was in use left
  // its next page without an answer, and a save seemed to hang.
  await cache.addAll([AWAY, ...FILES]);
}

// Pages and files of an older edition don't fit those of this one.
async function renew() {
  const older = (await caches.keys()).filter((name) => name.startsWith('kept-') && name !== KEPT);
  await Promise.all(older.map((name) => caches.delete(name)));
  // Else the page that installed the worker would go without it until it is loaded again.
  await self.clients.claim();
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  if (url.pathname.includes('/static/')) event.respondWith(file(request));
  // no-store binds the browser's own cache, but not this one.
  else if (SECRET.test(url.pathname)) return;
  else if (request.mode === 'navigate') event.respondWith(page(request, url));
});

// A page of ours asks for what a table needs: its own page, the rules of its game, the judge.
self.addEventListener('message', (event) => {
  if (event.origin !== location.origin || !Array.isArray(event.data?.keep)) return;
  const ours = event.data.keep.filter((address) =>
    new URL(address, location).origin === location.origin
  );
  event.waitUntil(Promise.all(ours.map((address) => keep(new Request(address)))));
});

async function file(request) {
  return (await caches.match(request)) ?? keep(request);
}

async function page(request, { pathname }) {
  try {
    // At the edge of a Wi-Fi a request may neither arrive nor fail for minutes.
    return await keep(request, AbortSignal.timeout(6000));
  } catch {
    return (await caches.match(request, { ignoreSearch: !ASKS.test(pathname) })) ??
      (await caches.match(AWAY)) ?? Response.error();
  }
}

async function keep(request, signal) {
  const answer = await fetch(request, { signal });
  const cache = await caches.open(KEPT);
  const isFile = answer.headers.has('Content-Disposition');
  if (answer.headers.has('Clear-Site-Data')) await caches.delete(KEPT);
  // Browsers refuse to show a page that a worker answers with a redirected response.
  else if (answer.ok && !answer.redirected && !isFile) await cache.put(request, answer.clone());
  // A phone that was put out must not find the page here.
  else if ([403, 404].includes(answer.status)) await cache.delete(request, { ignoreSearch: true });
  return answer;
}
