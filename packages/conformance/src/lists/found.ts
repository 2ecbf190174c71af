import type { Fixtures } from '../fixtures.ts';
import { validRequest } from '../valid-requests.ts';
import { rulesOf, unscoped, type ListFixtures } from './fixtures.ts';
import { itemSchemaOf } from './items.ts';
import { readPage, withQuery } from './pages.ts';

const maxLimit = 100;

/** The lists of an existing account, which others may change at any time. */
export function foundLists(fixtures: Fixtures): ListFixtures {
  return async (operation, probe) => {
    const request = unscoped(operation, validRequest(operation, fixtures));
    const query = { limit: String(maxLimit) };
    const { items } = await readPage(probe, operation, withQuery(request, query));
    return {
      operation,
      rules: rulesOf(operation),
      itemSchema: itemSchemaOf(operation),
      idsOf: new Map(),
      request,
      callerId: fixtures.owner.id,
      items,
      contents: null,
      isWhole: false,
    };
  };
}
