/**
 * Why code of the app couldn't be loaded: there is no network, a newer deployment replaced it, or something
 * else, such as a server that is restarting.
 */
export type ScriptFailure = 'offline' | 'replaced' | 'failed';

interface LoadedScript {
  readonly name: string;
  readonly startTime: number;
  readonly responseStatus?: number;
  readonly contentType?: string;
}

/** Scripts whose response was something else. */
let replaced: readonly LoadedScript[] = [];

const observer =
  typeof PerformanceObserver === 'undefined'
    ? undefined
    : new PerformanceObserver((list) => note(list.getEntries()));
observer?.observe({ type: 'resource', buffered: true });

function note(entries: readonly PerformanceEntry[]): void {
  // Their type doesn't have the newer properties.
  replaced = [...replaced, ...(entries as unknown as LoadedScript[]).filter(isReplaced)];
}

function isReplaced({ name, responseStatus = 0, contentType = '' }: LoadedScript): boolean {
  if (!name.endsWith('.js')) return false;
  // Hosts of single-page apps send the document for a path without a file.
  return [404, 410].includes(responseStatus) || contentType === 'text/html';
}

/**
 * Tells why code couldn't be loaded. A rejected import has no status, but the timing of its request does.
 *
 * @param sinceMs - when it began to load, as `performance.now()`
 */
export function failureSince(sinceMs: number): ScriptFailure {
  if (!navigator.onLine) return 'offline';
  note(observer?.takeRecords() ?? []);
  return replaced.some(({ startTime }) => startTime >= sinceMs) ? 'replaced' : 'failed';
}
