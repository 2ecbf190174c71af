import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { call } from '../../../testing/api.ts';
import { newCollection, someFile, uploadFile, type TestFile } from '../../../testing/library.ts';
import { newTeam } from '../../../testing/organizations.ts';
import {
  newTeamCollection,
  publicationsIn,
  publish,
  publishedFrom,
  usageOf,
} from '../../../testing/publishing.ts';
import { setUpApiWithUser } from '../../../testing/set-up.ts';

const { api, user } = await setUpApiWithUser();
const collectionId = await newCollection(api, user);

const upload = (file: TestFile, assetId?: string) =>
  uploadFile(api, user, file, { collectionId, ...(assetId !== undefined && { assetId }) });
const into = (organizationId: string, assetId: string) =>
  publish(api, { user, assetId, organizationId });

describe('the plan of the team', () => {
  async function teamWith(limits: { storage?: number; file?: number; versions?: number }) {
    const { id: teamId } = await newTeam(api, user);
    await api.db.execute(sql`
      update plans set max_storage_bytes = ${limits.storage ?? null},
        max_file_bytes = ${limits.file ?? null}, max_versions_per_asset = ${limits.versions ?? null}
      where code = 'PRO'`);
    await api.db.execute(sql`update organizations set plan_code = 'PRO' where id = ${teamId}`);
    return teamId;
  }
  async function expectRefused(teamId: string, sourceId: string, limit: string) {
    const before = [await publicationsIn(api, teamId), await usageOf(api, teamId)];
    const { status, body } = await into(teamId, sourceId);
    expect([status, body.code]).toEqual([409, 'plan_limit_reached']);
    expect(body.message).toContain(limit);
    expect([await publicationsIn(api, teamId), await usageOf(api, teamId)]).toEqual(before);
    const left = await api.db.execute(sql`
      select 1 from collections c where organization_id = ${teamId} and title = 'Published'
        and not exists (select 1 from assets where collection_id = c.id)`);
    expect([...left]).toEqual([]);
  }

  test('limits its storage to the byte; content it already has is free', async () => {
    const teamId = await teamWith({ storage: 10 });
    const [six, four, one] = [
      await upload(someFile(6)),
      await upload(someFile(4)),
      await upload(someFile(1)),
    ];
    expect((await into(teamId, six.id)).status).toBe(201);
    const { data: full } = (await into(teamId, four.id)).body;
    await expectRefused(teamId, one.id, 'storageBytes');
    await api.db.execute(sql`update assets set deleted_at = now() where id = ${full.id}`);
    await expectRefused(teamId, one.id, 'storageBytes');
    expect((await into(teamId, four.id)).status).toBe(201);
    expect(await usageOf(api, teamId)).toEqual({ counted: 10, summed: 10 });
  });

  test('counts the reservations of uploads under way', async () => {
    const teamId = await teamWith({ storage: 10 });
    const shared = await newTeamCollection(api, user, teamId);
    const started = await call(api, 'uploads.initiate', {
      token: user.token,
      organizationId: teamId,
      body: { fileName: 'a', contentType: 'text/plain', fileSize: 8, collectionId: shared },
    });
    expect(started.status).toBe(201);
    const source = await upload(someFile(3));
    await expectRefused(teamId, source.id, 'storageBytes');
    const { uploadId, key } = started.body.data;
    await call(api, 'uploads.abort', {
      token: user.token,
      organizationId: teamId,
      body: { uploadId, key },
    });
    expect((await into(teamId, source.id)).status).toBe(201);
  });

  test('limits the size of a file', async () => {
    const teamId = await teamWith({ file: 5 });
    const [large, small] = [await upload(someFile(6)), await upload(someFile(5))];
    await expectRefused(teamId, large.id, 'maxFileBytes');
    expect((await into(teamId, small.id)).status).toBe(201);
  });

  test('limits the versions of published assets', async () => {
    const teamId = await teamWith({ versions: 1 });
    const source = await upload(someFile(6));
    expect((await into(teamId, source.id)).status).toBe(201);
    await upload(someFile(7), source.id);
    await expectRefused(teamId, source.id, 'versionsPerAsset');
    expect((await publishedFrom(api, source.id, teamId))[0]?.current).toBe(1);
  });
});
