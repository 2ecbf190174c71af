import { isPage } from './paths.ts';

declare const self: ServiceWorkerGlobalScope;

/** The build that this worker belongs to; the build writes it here. */
declare const SHELL_OF_BUILD: {
  readonly version: string;
  /** Paths of the files that the app needs without a network. */
  readonly files: readonly string[];
  /** The script that the page begins with. */
  readonly entry: string;
};

const { version, files, entry } = SHELL_OF_BUILD;
const page = '/';
const prefix = 'atelier-shell-';
const ownName = `${prefix}${version}`;
/** How long the network may take before the page comes from the cache. */
const patienceMs = 3000;

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

async function install(): Promise<void> {
  const request = new Request(page, { cache: 'reload', headers: { accept: 'text/html' } });
  const response = await fetch(request);
  const text = await response.clone().text();
  // A deployment in between: the next attempt finds the page and its scripts together.
  if (!response.ok || response.redirected || !text.includes(entry)) {
    throw new Error('The page is one of another build');
  }
  const cache = await caches.open(ownName);
  await cache.addAll(files);
  await cache.put(page, response);
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate') {
    if (isPage(pathname)) event.respondWith(networkFirst(request, page));
  } else if (pathname.startsWith('/_app/')) {
    event.respondWith(hashedFile(request));
  } else if (files.includes(pathname)) {
    event.respondWith(networkFirst(request, pathname));
  }
});

/** Files named after their content: also those of the build before, which open tabs may need. */
async function hashedFile(request: Request): Promise<Response> {
  const cached = await caches.match(request, { ignoreVary: true });
  if (cached) return cached;
  const response = await fetch(request);
  // Those of the alphabets that the user reads.
  if (response.ok && request.destination === 'font') {
    const cache = await caches.open(ownName);
    await cache.put(request, response.clone());
  }
  return response;
}

/** So that, with a network, the page is always of the newest deployment. */
async function networkFirst(request: Request, key: string): Promise<Response> {
  const network = fetch(request);
  const patience = new Promise<undefined>((resolve) => {
    setTimeout(() => resolve(undefined), patienceMs);
  });
  const soon = await Promise.race([network.catch(() => undefined), patience]);
  if (soon && soon.status < 500) return soon;
  const cache = await caches.open(ownName);
  return (await cache.match(key, { ignoreVary: true })) ?? soon ?? network;
}

/** A page asks the newest worker, by its first script, whether it is one of the same build. */
self.addEventListener('message', (event) => {
  const isOwn = event.data === entry;
  event.ports[0]?.postMessage(isOwn);
  if (isOwn) event.waitUntil(takeOver());
});

/** The page of this build is open: its worker becomes the active one. */
async function takeOver(): Promise<void> {
  await self.skipWaiting();
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  // Other tabs may be of the build before.
  if (windows.length > 1) return;
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(prefix) && name !== ownName);
  await Promise.all(old.map((name) => caches.delete(name)));
}
