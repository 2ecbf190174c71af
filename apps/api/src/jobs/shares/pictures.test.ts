// @module-tag slow

import { eq, sql } from 'drizzle-orm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { assetVersions, sharePictures } from '../../db/generated/schema.ts';
import { shareTokens } from '../../domain/shares/tokens.ts';
import { visitsOf } from '../../features/shares/visits/testing.ts';
import { newUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { inspected } from '../../testing/library.ts';
import { somePng } from '../../testing/pictures.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { startJobs } from '../start.ts';
import { keepShares } from './keep.ts';
import { makeSharePictures } from './pictures.ts';

const api = await setUpApi({ JOBS: 'separate' });
const preparing = await startJobs(api.deps);
const user = await newUser(api);
const { team } = visitsOf(api, user);
const { newAsset, newShare, organizationId } = await team();
for (const width of [30, 31, 32]) {
  const content = await somePng({ width, height: 20 });
  const { id } = await newAsset({ fileName: 'a.png', contentType: 'image/png', content });
  await inspected(api, id);
}
await preparing.stop();

test('a share with many files has a turn at a time, and waits behind others for the next', async () => {
  const { id: shareId } = await newShare();
  let drawingMs = 0;
  const now = performance.now.bind(performance);
  const time = vi.spyOn(performance, 'now').mockImplementation(() => now() + drawingMs);
  onTestFinished(() => time.mockRestore());
  const shared = async () => {
    drawingMs += 60_000;
    return somePng({ width: 10, height: 10 });
  };
  /** @returns how many pictures there are, and how many jobs wait to make more */
  const afterTurn = async () => {
    await api.db.execute(
      sql`select graphile_worker.remove_job(${`make_share_pictures:${shareId}`})`,
    );
    const deps = { ...api.deps, db: api.db, pictures: { ...api.deps.pictures, shared } };
    await makeSharePictures(deps, { organizationId, shareId }, new AbortController().signal);
    const waiting = await api.db.execute(sql`
      select from graphile_worker._private_jobs where payload->>'shareId' = ${shareId} and run_at <= now()`);
    const ofTeam = eq(sharePictures.organizationId, organizationId);
    return [await api.db.$count(sharePictures, ofTeam), waiting.length];
  };
  expect([await afterTurn(), await afterTurn(), await afterTurn(), await afterTurn()]).toEqual([
    [1, 1],
    [2, 1],
    [3, 1],
    [3, 0],
  ]);
});

test('pictures stay as long as an open share of the organization has their watermark', async () => {
  const { by, newShare: newShareOfOther, change, ...other } = await team();
  const key = { organizationId: other.organizationId };
  const asset = await other.newAsset();
  const [version] = await api.db
    .select({ storedObjectId: assetVersions.storedObjectId })
    .from(assetVersions)
    .where(eq(assetVersions.assetId, asset.id));
  const storedObjectId = version?.storedObjectId ?? '';
  const watermarks = ['', 'Draft', 'Final', 'Old', 'Ended', 'Revoked', 'Never'];
  const createdAt = api.clock.now();
  await api.db
    .insert(sharePictures)
    .values(watermarks.map((watermark) => ({ ...key, storedObjectId, watermark, createdAt })));
  await newShareOfOther();
  await newShareOfOther({ watermark: 'Draft' });
  const changed = await newShareOfOther({ watermark: 'Old' });
  await change(changed.id, { watermark: 'Final' });
  const expiresAt = new Date(createdAt.getTime() + 3_600_000).toISOString();
  await newShareOfOther({ watermark: 'Ended', expiresAt });
  const revoked = await newShareOfOther({ watermark: 'Revoked' });
  await call(api, 'shares.remove', { ...by, params: { id: revoked.id } });
  // Another organization's share keeps nothing.
  await newShare({ watermark: 'Never' });
  const left = async () => {
    await keepShares({ ...api.deps, db: api.db, shareTokens: shareTokens(api.deps.keys) });
    const rows = await api.db
      .select({ watermark: sharePictures.watermark })
      .from(sharePictures)
      .where(eq(sharePictures.organizationId, other.organizationId))
      .orderBy(sharePictures.watermark);
    return rows.map(({ watermark }) => watermark);
  };
  expect(await left()).toEqual(['', 'Draft', 'Ended', 'Final']);
  api.clock.advance({ seconds: 3_601 });
  expect(await left()).toEqual(['', 'Draft', 'Final']);
});
