// A page that this page fetched itself is kept by the worker as one that was opened.
export function keepPage({ url: address, headers, redirected }, text, at) {
  if (redirected) return;
  const page = { address, text, at, headers: [...headers] };
  navigator.serviceWorker?.controller?.postMessage({ page });
}
