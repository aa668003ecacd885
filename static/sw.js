// Pages of ours open without a server, as they were last seen, and say at once as of when they are;
// what is told then waits in the outbox of the page. Put before this file: KEPT, the name of what
// is kept; AWAY, the page that stands for one that was never open here; FILES, all scripts and
// styles; LINE, what says how old a page is.
const PAGES = `${KEPT}-pages`;
const MOST = 80; // pages; the one that was kept longest ago goes first
const AT = 'X-Kept-At'; // when a page was asked for, by this phone's clock
const PATIENCE = 6000; // at the edge of a Wi-Fi a request may neither arrive nor fail for minutes
const SECRET = /\/(j|return)\b|\/league\/(devices|links|passphrase|files)\b/;
const ASKS = /\/deals\/new$/; // what stands behind the question mark is another page
const PLAIN = /\/games\/\d+(\/mine)?$/; // here it is but a word about what was just done

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
  const older = (await caches.keys()).filter((name) =>
    name.startsWith('kept-') && ![KEPT, PAGES].includes(name)
  );
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
  else if (request.mode === 'navigate') event.respondWith(page(request));
});

// A page of ours asks for what a table needs: its own page, the rules of its game, the judge; and
// hands over what it fetched itself.
self.addEventListener('message', (event) => {
  const { keep = [], page } = event.data ?? {};
  if (event.origin !== location.origin) return;
  const ours = keep.filter((address) => new URL(address, location).origin === location.origin);
  event.waitUntil(Promise.all(ours.map((address) => fetchPage(new Request(address)))));
  if (page) event.waitUntil(keepPage(page.address, new Response(page.text, page), page.at));
});

async function file(request) {
  const kept = await caches.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await (await caches.open(KEPT)).put(request, answer.clone());
  return answer;
}

async function page(request) {
  let answer;
  try {
    answer = await fetchPage(request, AbortSignal.timeout(PATIENCE));
  } catch { /* nobody answers */ }
  if (answer && !isGateway(answer)) return answer;
  const kept = await newest(request.url);
  return kept ? dated(kept) : (await caches.match(AWAY)) ?? answer ?? Response.error();
}

// A proxy answers for a server that is away; a page of ours that says what is wrong has its policy.
const isGateway = (answer) =>
  answer.status >= 502 && !answer.headers.has('Content-Security-Policy');

async function fetchPage(request, signal) {
  const at = Date.now();
  const answer = await fetch(request, { signal });
  if (answer.headers.has('Clear-Site-Data')) await caches.delete(PAGES);
  // A phone that was put out must not find the page here.
  else if ([403, 404].includes(answer.status)) {
    await (await caches.open(PAGES)).delete(request, { ignoreSearch: true });
  } // Browsers refuse to show a page that a worker answers with a redirected response.
  else if (answer.ok && !answer.redirected && !answer.headers.has('Content-Disposition')) {
    await keepPage(request.url, answer.clone(), at);
  }
  return answer;
}

function nameOf(address) {
  const url = new URL(address, location);
  return PLAIN.test(url.pathname) ? url.origin + url.pathname : url.href;
}

const keptAt = (answer) => Number(answer?.headers.get(AT));

async function keepPage(address, answer, at) {
  try {
    const [pages, name] = [await caches.open(PAGES), nameOf(address)];
    if (at < keptAt(await pages.match(name))) return; // it was longer on its way
    const headers = new Headers(answer.headers);
    headers.set(AT, at);
    await pages.put(name, new Response(answer.body, { headers }));
    const surplus = (await pages.keys()).slice(0, -MOST);
    await Promise.all(surplus.map((one) => pages.delete(one)));
  } catch { /* the phone is full: what came is shown all the same */ }
}

// The exact address, else what was kept last of that path.
async function newest(address) {
  const pages = await caches.open(PAGES);
  const exact = await pages.match(nameOf(address));
  if (exact || ASKS.test(new URL(address).pathname)) return exact;
  const others = await pages.matchAll(address, { ignoreSearch: true });
  return others.toSorted((one, other) => keptAt(other) - keptAt(one))[0];
}

async function dated(kept) {
  if (!kept.headers.get('Content-Type')?.startsWith('text/html')) return kept;
  const line = LINE.replace('KEPT_AT', keptAt(kept));
  const text = (await kept.text()).replace(
    /<\/header>|<main/,
    (tag) => tag === '<main' ? line + tag : tag + line,
  );
  return new Response(text, { headers: kept.headers });
}
