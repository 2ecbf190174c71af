import { buildOfPage } from '../loading/build.ts';
import { texts } from '../texts/loading.ts';
import { notify } from '../ui/notices.tsx';

/** Between two looks for a newer deployment. */
const intervalMs = 30 * 60 * 1000;

/**
 * Registers the service worker, which keeps the app for times without a network, and says when there is a newer
 * one. The page is never reloaded by itself.
 */
export async function followDeployments(): Promise<void> {
  const { serviceWorker } = navigator;
  const registration = await serviceWorker.register('/worker.js');
  const follow = () =>
    registration.installing?.addEventListener('statechange', ({ target }) => {
      if (target instanceof ServiceWorker && target.state === 'installed') void check(target);
    });
  registration.addEventListener('updatefound', follow);
  // Another tab has opened a newer build.
  serviceWorker.addEventListener('controllerchange', () => void check(serviceWorker.controller));
  follow();
  void check(registration.waiting);
  // It removes the files of older builds, unless another tab may need them.
  if (registration.active) void isOfThisBuild(registration.active);
  const update = () => {
    void check(registration.waiting);
    if (navigator.onLine) void registration.update().catch(() => {});
  };
  setInterval(update, intervalMs);
  document.addEventListener('visibilitychange', update);
  addEventListener('online', update);
}

const told = new WeakSet<ServiceWorker>();

/** A worker of another build is of a newer one: says so, once. */
async function check(worker: ServiceWorker | null): Promise<void> {
  if (!worker || told.has(worker) || (await isOfThisBuild(worker))) return;
  told.add(worker);
  notify(texts.newer, {
    tone: 'info',
    topic: 'loading',
    isLasting: true,
    action: { label: texts.reload, run: () => location.reload() },
  });
}

async function isOfThisBuild(worker: ServiceWorker): Promise<boolean> {
  const { port1, port2 } = new MessageChannel();
  const response = new Promise<boolean>((resolve) => {
    port1.addEventListener('message', ({ data }) => resolve(data === true), { once: true });
    port1.start();
  });
  worker.postMessage(buildOfPage(), [port2]);
  return response;
}
