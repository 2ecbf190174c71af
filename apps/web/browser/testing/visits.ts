import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { matchesPage, pageJourneys } from './journeys.ts';

/** One line of the file: a test and a path that it visited. */
interface Visit {
  readonly test: string;
  readonly path: string;
}

/** Appends visits to the file. */
export function recordVisits(file: string, visits: readonly Visit[]): void {
  appendFileSync(file, visits.map((visit) => `${JSON.stringify(visit)}\n`).join(''));
}

/**
 * Returns the pages whose journey ran without visiting them. A journey that did not run, since only some
 * tests were selected, is ignored.
 */
export function missedPages(file: string): readonly string[] {
  if (!existsSync(file)) return [];
  const visits = readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    // Only this module writes the file.
    .map((line) => JSON.parse(line) as Visit);
  return Object.entries(pageJourneys)
    .filter(([page, [, title]]) => {
      const prefix = title.split('%s')[0] ?? title;
      const ran = visits.filter(({ test }) => test.split(' > ').at(-1)?.startsWith(prefix));
      return ran.length > 0 && !ran.some(({ path }) => matchesPage(path, page));
    })
    .map(([page]) => page);
}
