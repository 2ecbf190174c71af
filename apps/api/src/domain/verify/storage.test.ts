// @module-tag slow

import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '../../db/generated/schema.ts';
import { newUser } from '../../testing/accounts.ts';
import { avatarSteps } from '../../testing/avatars.ts';
import { newCollection, someFile, uploadFile } from '../../testing/library.ts';
import { somePng } from '../../testing/pictures.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { verifyStorage } from './storage.ts';

const api = await setUpApi();
const { upload, avatarKeyOf } = avatarSteps(() => api);

test('a lost object is found while another is removed during the listing', async () => {
  const [loser, leaver] = [await newUser(api), await newUser(api)];
  for (const user of [loser, leaver]) await upload(user, await somePng());
  const collectionId = await newCollection(api, loser);
  // More in the order of bytes than in that of words.
  for (const name of ['a.txt', 'B.txt', 'é.txt', '😀.txt']) {
    await uploadFile(api, loser, someFile(3, name), { collectionId });
  }
  const [lost, removed] = [String(await avatarKeyOf(loser)), String(await avatarKeyOf(leaver))];
  const { store } = api.deps;
  await store.deleteObject(lost);
  const whileListed = async () => {
    await api.db.update(users).set({ avatarKey: null }).where(eq(users.id, leaver.id));
    await store.deleteObject(removed);
  };
  const { results } = await verifyStorage({
    db: api.deps.db,
    store: {
      ...store,
      async *listObjects(prefix) {
        for await (const page of store.listObjects(prefix)) {
          yield page;
          await whileListed();
        }
      },
    },
  });
  expect(results.map(({ name, subjects }) => [name, subjects])).toEqual([
    ['stored-objects', [lost]],
    ['object-sizes', []],
    ['known-objects', []],
  ]);
});
