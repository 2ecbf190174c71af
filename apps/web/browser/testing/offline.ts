import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const timeout = 40_000;

/** Waits until the service worker has the app and serves the page. */
export async function waitForWorker(page: Page): Promise<void> {
  const isReady = () =>
    page.evaluate<boolean>(`(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      const isOne = registration?.active && !registration.waiting && !registration.installing;
      return Boolean(isOne && navigator.serviceWorker.controller && (await caches.match('/')));
    })()`);
  await expect.poll(isReady, { timeout }).toBe(true);
}

/** Returns the responses that are kept in the browser's storage, as one text. */
export function keptText(page: Page): Promise<string> {
  return stored(page, 'atelier-kept', 'responses');
}

/** Returns all that is kept for times without a network. */
export async function everythingKept(page: Page): Promise<unknown[]> {
  return [...(JSON.parse(await keptText(page)) as unknown[]), ...(await unsentChanges(page))];
}

/** Returns the unsent changes of all tabs that are in the browser's storage. */
export async function unsentChanges(page: Page): Promise<unknown[]> {
  // A list for each tab.
  return (JSON.parse(await stored(page, 'atelier-unsent', 'changes')) as unknown[][]).flat();
}

function stored(page: Page, database: string, name: string): Promise<string> {
  return page.evaluate<string>(`new Promise((resolve) => {
    const opening = indexedDB.open('${database}');
    opening.onupgradeneeded = () => opening.result.createObjectStore('${name}');
    opening.onsuccess = () => {
      const reading = opening.result.transaction('${name}').objectStore('${name}').getAll();
      reading.onsuccess = () => {
        opening.result.close();
        resolve(JSON.stringify(reading.result));
      };
    };
  })`);
}

/** Waits until what contains this text is kept. */
export async function waitForKept(page: Page, text: string): Promise<void> {
  await expect.poll(() => keptText(page), { timeout }).toContain(text);
}

/** Returns the paths that the service worker keeps. */
export function keptPaths(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  })()`);
}
