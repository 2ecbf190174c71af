declare const self: ServiceWorkerGlobalScope;

/** Takes the place of a worker that has to be withdrawn: removes itself and all caches, and touches no page. */
self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener('activate', (event) => event.waitUntil(withdraw()));

async function withdraw(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.map((name) => caches.delete(name)));
  await self.registration.unregister();
}
