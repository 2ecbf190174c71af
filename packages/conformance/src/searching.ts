import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { RequestOptions } from './deployment.ts';
import { arrivalMs } from './eventually.ts';
import type { DataOf, Probe } from './probe.ts';

const pollMs = 500;

export type Hit = DataOf<'search.find'>['items'][number];

/** Who searches, and where. */
export type Searcher = Pick<RequestOptions, 'token' | 'organizationId'>;

/** Returns a word that nothing else has. */
export function newWord(): string {
  return Array.from(randomBytes(10), (byte) => String.fromCharCode(97 + (byte % 26))).join('');
}

/** Searches once. */
export async function search(
  probe: Probe,
  searcher: Searcher,
  query: Readonly<Record<string, string>>,
) {
  const response = await probe.request('search.find', { ...searcher, query });
  return { response, page: probe.dataIn('search.find', response) };
}

/** Searches until a hit fits, which the index may have later than the record. @throws Abandoned if none does in time */
export async function untilFound(
  probe: Probe,
  searcher: Searcher,
  { query, fits }: { query: Readonly<Record<string, string>>; fits: (hit: Hit) => boolean },
) {
  const until = Date.now() + arrivalMs;
  for (;;) {
    const { response, page } = await search(probe, searcher, query);
    const hit = page.items.find(fits);
    if (hit) return { hit, page, response };
    probe.require({
      rule: 'search.found',
      response,
      holds: Date.now() < until,
      expected: `a hit within ${arrivalMs / 1_000} s`,
    });
    await delay(pollMs);
  }
}
