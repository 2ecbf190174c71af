import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { shareViews } from '../../../db/generated/schema.ts';
import { newId } from '../../../kernel/ids.ts';
import { setUpApiWithUser } from '../../../testing/set-up.ts';
import { visitsOf } from './testing.ts';
import { createViewLog } from './views.ts';

const { api, user } = await setUpApiWithUser();
const { team } = visitsOf(api, user);

test('a flood on one share loses no views of others, and a repeated view takes no place', async () => {
  const { organizationId, newShare } = await team();
  const [flooded, other] = [await newShare(), await newShare()];
  const views = createViewLog({ db: api.db, scopes: null, log: api.deps.log });
  const view = (shareId: string, action: 'DOWNLOADED' | 'PASSWORD_WRONG', id = newId()) => ({
    organizationId,
    shareId,
    id,
    at: api.clock.now(),
    action,
    assetId: null,
    visitorName: null,
    network: null,
    device: 'Firefox',
  });
  const id = newId();
  for (let count = 0; count < 5_000; count += 1) views.note(view(other.id, 'DOWNLOADED', id));
  for (let count = 0; count < 12_000; count += 1) views.note(view(flooded.id, 'DOWNLOADED'));
  views.note(view(other.id, 'PASSWORD_WRONG'));
  await views.stop();
  const written = (shareId: string) => api.db.$count(shareViews, eq(shareViews.shareId, shareId));
  expect(await written(flooded.id)).toBe(1_000);
  expect(await written(other.id)).toBe(2);
  views.note(view(flooded.id, 'PASSWORD_WRONG'));
  await views.stop();
  expect(await written(flooded.id)).toBe(1_001);
});
