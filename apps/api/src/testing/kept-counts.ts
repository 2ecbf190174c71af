import { expect } from 'vitest';
import { verifyDatabase } from '../domain/verify/verify.ts';
import type { TestApi } from './api.ts';

const countChecks = [
  'library-counts',
  'collection-counts',
  'asset-comment-counts',
  'task-counts',
  'subtask-counts',
];

/** Asserts that every count which is kept is the one that counting finds, in all organizations. */
export async function expectExactCounts({ db }: Pick<TestApi, 'db'>): Promise<void> {
  const results = await verifyDatabase(db);
  const found = results.filter(({ name }) => countChecks.includes(name));
  expect(found.map(({ name, subjects }) => [name, subjects])).toEqual(
    countChecks.map((name) => [name, []]),
  );
}
