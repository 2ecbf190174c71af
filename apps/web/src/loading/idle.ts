import type { Script } from './script.ts';

const waiting = new Set<Script<unknown>>();
/** Name of the performance mark at which everything that the page may open has been loaded. */
const idleMark = 'atelier:loaded';
let running: Promise<void> | undefined;
/** Between two attempts while the network seems to be there. */
const pauseMs = 15_000;

/**
 * Loads code one after the other when the browser is idle, so that what a click opens is already there.
 * Begins after the page has been painted.
 */
export function loadWhenIdle(script: Script<unknown>): void {
  waiting.add(script);
  running ??= run();
}

/** Waits until nothing is left to load, at most for the given time. */
export async function untilLoaded(atMostMs: number): Promise<void> {
  await Promise.race([running, sleep(atMostMs)]);
}

async function run(): Promise<void> {
  await loaded();
  for (let [next] = waiting; next; [next] = waiting) {
    await online();
    await idle();
    const { status } = await next.load();
    waiting.delete(next);
    if (status === 'loaded') continue;
    // Behind the others.
    waiting.add(next);
    await sleep(pauseMs);
  }
  running = undefined;
  performance.mark(idleMark);
}

async function loaded(): Promise<void> {
  if (document.readyState === 'complete') return;
  await new Promise((resolve) => addEventListener('load', resolve, { once: true }));
}

async function online(): Promise<void> {
  // The service worker has the code.
  if (navigator.onLine || navigator.serviceWorker?.controller) return;
  await new Promise((resolve) => addEventListener('online', resolve, { once: true }));
}

async function idle(): Promise<void> {
  // Safari has no idle callbacks.
  if (!('requestIdleCallback' in globalThis)) return sleep(50);
  await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 2000 }));
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
