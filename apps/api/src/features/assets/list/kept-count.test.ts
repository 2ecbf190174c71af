import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { organizationUsage } from '../../../db/generated/schema.ts';
import { call } from '../../../testing/api.ts';
import { newCollection, someFile, uploadFile } from '../../../testing/library.ts';
import { setUpApiWithUser } from '../../../testing/set-up.ts';

const { api, user } = await setUpApiWithUser();

/** Of lists of all assets, of a page past their end, and of narrowed lists. */
const totals = () =>
  Promise.all(
    [{ scope: 'organization' }, { scope: 'organization', page: 9 }, {}, { q: '.' }].map(
      async (query) => {
        const { body } = await call(api, 'assets.list', {
          token: user.token,
          query: { limit: 1, ...query },
        });
        return body.data.pagination.total;
      },
    ),
  );
const keep = (assetCount: number | null) =>
  api.db
    .update(organizationUsage)
    .set({ assetCount })
    .where(eq(organizationUsage.organizationId, user.organizationId));

test('a list of all assets has the kept count as its total, and others are counted', async () => {
  expect(await totals()).toEqual([0, 0, 0, 0]);
  await uploadFile(api, user, someFile(10), { collectionId: await newCollection(api, user) });
  expect(await totals()).toEqual([1, 1, 1, 1]);
  await keep(41);
  expect(await totals()).toEqual([41, 41, 1, 1]);
  // Not kept.
  await keep(null);
  expect(await totals()).toEqual([1, 1, 1, 1]);
});
