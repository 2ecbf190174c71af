import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { isOfPage, journeysOfPages } from './journeys.ts';

/** One line of the record: a test, and an address that it has been at. */
interface Visit {
  readonly test: string;
  readonly path: string;
}

/** Adds to the record of where the tests have been. */
export function recordVisits(file: string, visits: readonly Visit[]): void {
  appendFileSync(file, visits.map((visit) => `${JSON.stringify(visit)}\n`).join(''));
}

/**
 * The pages whose journey has been made without coming to them. A journey that was not made, since only
 * some were asked for, says nothing.
 */
export function pagesMissed(file: string): readonly string[] {
  if (!existsSync(file)) return [];
  const visits = readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    // Written by this module alone.
    .map((line) => JSON.parse(line) as Visit);
  return Object.entries(journeysOfPages)
    .filter(([page, [, title]]) => {
      const beginning = title.split('%s')[0] ?? title;
      const made = visits.filter(({ test }) => test.split(' > ').at(-1)?.startsWith(beginning));
      return made.length > 0 && !made.some(({ path }) => isOfPage(path, page));
    })
    .map(([page]) => page);
}
