import type { OperationId } from '@atelier/contract';
import { expect } from 'vitest';
import { organizations } from '../db/generated/schema.ts';
import { taskListUseCases } from '../features/tasks/list/usecases.ts';
import type { TestUser } from '../testing/accounts.ts';
import type { TestApi } from '../testing/api.ts';

const lists = [
  { sort: '-createdAt', limit: 100 },
  { sort: 'position', limit: 100 },
] as const;

/**
 * Compares the pages of tasks that are known with those that are read.
 *
 * @param organizationIds - returns those to compare; default: every one
 */
export function knownPageComparison(
  api: TestApi,
  organizationIds: () => Promise<readonly string[]> = async () => {
    const all = await api.db.select({ id: organizations.id }).from(organizations);
    return all.map(({ id }) => id);
  },
) {
  const known = taskListUseCases(api.deps);
  const config = { ...api.config, KNOWN_PAGES_MAX_BYTES: 0 };
  const read = taskListUseCases({ ...api.deps, config });
  const before = new Map<string, object>();
  /** How often a page was the one of the comparison before, and how often another. */
  const counts = { reused: 0, changed: 0 };

  async function compare(after: OperationId, user: Pick<TestUser, 'id'>): Promise<void> {
    for (const id of await organizationIds()) {
      for (const list of lists) {
        const asker = { organization: { id }, user };
        const [shown, expected] = [await known.list(list, asker), await read.list(list, asker)];
        expect([after, shown]).toEqual([after, expected]);
        const key = JSON.stringify([id, list]);
        if (before.get(key) === shown) counts.reused += 1;
        else if (before.has(key)) counts.changed += 1;
        before.set(key, shown);
      }
    }
  }

  return { compare, counts };
}
