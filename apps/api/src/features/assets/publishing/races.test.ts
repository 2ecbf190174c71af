// @module-tag slow

import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { newUser } from '../../../testing/accounts.ts';
import { call, type CallOptions, type TestResponse } from '../../../testing/api.ts';
import { crowd, organizationRow, times } from '../../../testing/crowd.ts';
import { newCollection, someFile, uploadFile } from '../../../testing/library.ts';
import { joinTeam, newTeam } from '../../../testing/organizations.ts';
import {
  newTeamCollection,
  objectsOf,
  publicationsIn,
  publish,
  publishedFrom,
  usageOf,
} from '../../../testing/publishing.ts';
import { setUpApiWithUser } from '../../../testing/set-up.ts';

const { api, user } = await setUpApiWithUser();
const collectionId = await newCollection(api, user);

const team = async () => (await newTeam(api, user)).id;
const upload = (bytes: number, assetId?: string, home = collectionId) =>
  uploadFile(api, user, someFile(bytes), {
    collectionId: home,
    ...(assetId !== undefined && { assetId }),
  });
const into = (organizationId: string, assetId: string, options: CallOptions = {}) =>
  publish(api, { user, assetId, organizationId, ...options });
const removeCollection = (organizationId: string, id: string) =>
  call(api, 'collections.remove', { token: user.token, organizationId, params: { id } });
const assetRow = (id: string) => sql`select id from assets where id = ${id}`;

/** The number of responses with each success status and error code. */
const statusesOf = (responses: readonly TestResponse[]): Record<string, number> => {
  const outcomes = responses.map(({ status, body }) => String(status < 300 ? status : body.code));
  const groups = Map.groupBy(outcomes, (outcome) => outcome);
  return Object.fromEntries([...groups].map(([outcome, { length }]) => [outcome, length]));
};

/** No collection in the bin has live assets, and the usage is the sum of the versions. */
async function expectConsistent(organizationId: string) {
  const stray = await api.db.execute(sql`
    select a.id from assets a join collections c on c.id = a.collection_id
    where a.organization_id = ${organizationId} and a.deleted_at is null
      and c.deleted_at is not null`);
  expect([...stray]).toEqual([]);
  const gaps = await api.db.execute(sql`
    select a.id from assets a join asset_versions v on v.asset_id = a.id
    where a.organization_id = ${organizationId} group by a.organization_id, a.id
    having count(*) <> a.current_version or max(v.version_number) <> a.current_version`);
  expect([...gaps]).toEqual([]);
  const usage = await usageOf(api, organizationId);
  expect(usage?.counted).toBe(usage?.summed);
  return usage?.counted;
}

describe('20 parallel publications of an asset', () => {
  test('create one asset; the others get a conflict', async () => {
    const teamId = await team();
    const source = await upload(9);
    const responses = await crowd(
      api,
      assetRow(source.id),
      times(20, () => () => into(teamId, source.id)),
    );
    expect(statusesOf(responses)).toEqual({ 201: 1, already_published: 19 });
    expect(await publishedFrom(api, source.id, teamId)).toHaveLength(1);
    expect(await publicationsIn(api, teamId)).toHaveLength(1);
    expect(await expectConsistent(teamId)).toBe(9);
  });

  test('create one asset with one Idempotency-Key, and one response', async () => {
    const teamId = await team();
    const source = await upload(9);
    const headers = { 'idempotency-key': `once ${source.id}` };
    const responses = await Promise.all(times(20, () => into(teamId, source.id, { headers })));
    const done = responses.filter(({ status }) => status === 201);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    for (const { status, body } of responses.filter((response) => !done.includes(response))) {
      expect([status, body.code]).toEqual([409, 'idempotency_in_flight']);
    }
    const again = await into(teamId, source.id, { headers });
    expect([again.status, again.text]).toEqual([201, done[0]?.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await publishedFrom(api, source.id, teamId)).toHaveLength(1);
    expect(await publicationsIn(api, teamId)).toHaveLength(1);
  });

  test('create one asset with a key each', async () => {
    const teamId = await team();
    const source = await upload(9);
    const keys = times(20, (index) => ({ 'idempotency-key': `each ${index} ${source.id}` }));
    const attempts = keys.map((headers) => () => into(teamId, source.id, { headers }));
    const responses = await crowd(api, assetRow(source.id), attempts);
    expect(statusesOf(responses)).toEqual({ 201: 1, already_published: 19 });
    for (const [index, headers] of keys.entries()) {
      const replay = await into(teamId, source.id, { headers });
      expect([replay.status, replay.text]).toEqual([
        responses[index]?.status,
        responses[index]?.text,
      ]);
    }
    expect(await publicationsIn(api, teamId)).toHaveLength(1);
  });

  test('after a change add one version', async () => {
    const teamId = await team();
    const source = await upload(9);
    await into(teamId, source.id);
    await upload(10, source.id);
    const responses = await crowd(
      api,
      assetRow(source.id),
      times(20, () => () => into(teamId, source.id)),
    );
    expect(statusesOf(responses)).toEqual({ 201: 1, already_published: 19 });
    const [published] = await publishedFrom(api, source.id, teamId);
    expect(published?.objects).toEqual(await objectsOf(api, source.id));
    expect(await expectConsistent(teamId)).toBe(19);
  });

  test('into two teams create one asset in each', async () => {
    const teams = [await team(), await team()];
    const source = await upload(9);
    const attempts = times(20, (index) => () => into(String(teams[index % 2]), source.id));
    const responses = await crowd(api, assetRow(source.id), attempts);
    expect(statusesOf(responses)).toEqual({ 201: 2, already_published: 18 });
    for (const id of teams) expect(await publishedFrom(api, source.id, id)).toHaveLength(1);
  });
});

describe('parallel publications of several assets', () => {
  test('create one default collection for each member', async () => {
    const teamId = await team();
    const member = await newUser(api);
    await joinTeam(api, teamId, member, 'MEMBER');
    const home = await newCollection(api, member);
    const mine = await Promise.all(times(8, (index) => upload(1 + index)));
    const theirs = await Promise.all(
      times(8, (index) => uploadFile(api, member, someFile(10 + index), { collectionId: home })),
    );
    const responses = await crowd(api, organizationRow(teamId), [
      ...mine.map(
        ({ id }) =>
          () =>
            into(teamId, id),
      ),
      ...theirs.map(
        ({ id }) =>
          () =>
            publish(api, { user: member, assetId: id, organizationId: teamId }),
      ),
    ]);
    expect(statusesOf(responses)).toEqual({ 201: 16 });
    expect(new Set(responses.map(({ body }) => body.data.collectionId)).size).toBe(2);
    expect(await publicationsIn(api, teamId)).toHaveLength(16);
    expect(await expectConsistent(teamId)).toBe(36 + 108);
  });

  test('never exceed the storage of the plan', async () => {
    const teamId = await team();
    await api.db.execute(sql`update plans set max_storage_bytes = 10 where code = 'PRO'`);
    await api.db.execute(sql`update organizations set plan_code = 'PRO' where id = ${teamId}`);
    const sources = await Promise.all(times(12, () => upload(3)));
    const attempts = sources.map(
      ({ id }) =>
        () =>
          into(teamId, id),
    );
    const responses = await crowd(api, organizationRow(teamId), attempts);
    expect(statusesOf(responses)).toEqual({ 201: 3, plan_limit_reached: 9 });
    expect(await expectConsistent(teamId)).toBe(9);
  });
});

describe('publishing in parallel with a deletion', () => {
  test('of the source succeeds before it or gets a 404', async () => {
    const teamId = await team();
    const home = await newCollection(api, user);
    const source = await upload(9, undefined, home);
    const responses = await crowd(api, assetRow(source.id), [
      ...times(4, () => () => into(teamId, source.id)),
      () => removeCollection(user.organizationId, home),
      ...times(4, () => () => into(teamId, source.id)),
    ]);
    const outcomes = statusesOf(responses.toSpliced(4, 1));
    for (const outcome of Object.keys(outcomes)) {
      expect(['201', 'already_published', 'not_found']).toContain(outcome);
    }
    expect(responses[4]?.status).toBe(200);
    expect(await publishedFrom(api, source.id, teamId)).toHaveLength(outcomes['201'] ?? 0);
    await expectConsistent(teamId);
    expect((await into(teamId, source.id)).status).toBe(404);
  });

  test('permanent, of the source, gets a 404', async () => {
    const teamId = await team();
    const source = await upload(9);
    const { underWay } = await api.db.transaction(async (tx) => {
      await tx.execute(sql`select 1 from assets where id = ${source.id} for update`);
      const underWay = into(teamId, source.id);
      await expect
        .poll(async () => {
          await tx.execute(sql`select pg_stat_clear_snapshot()`);
          const waiting = await tx.execute(sql`
            select 1 from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`);
          return waiting.length;
        })
        .toBe(1);
      await tx.execute(sql`delete from uploads where asset_id = ${source.id}`);
      await tx.execute(sql`delete from asset_versions where asset_id = ${source.id}`);
      await tx.execute(sql`delete from assets where id = ${source.id}`);
      return { underWay };
    });
    const { status, body } = await underWay;
    expect([status, body.code]).toEqual([404, 'not_found']);
    expect(await usageOf(api, teamId)).toEqual({ counted: 0, summed: 0 });
    expect(await publicationsIn(api, teamId)).toEqual([]);
  });

  test('of the collection leaves no live asset in the bin', async () => {
    const teamId = await team();
    for (let round = 0; round < 4; round += 1) {
      const shared = await newTeamCollection(api, user, teamId);
      const sources = await Promise.all(times(6, () => upload(2)));
      const publishThere = sources.map(
        ({ id }) =>
          () =>
            into(teamId, id, { body: { collectionId: shared } }),
      );
      const row = sql`select id from collections where id = ${shared}`;
      const responses = await crowd(api, row, [
        ...publishThere.slice(0, 3),
        () => removeCollection(teamId, shared),
        ...publishThere.slice(3),
      ]);
      for (const outcome of Object.keys(statusesOf(responses))) {
        expect(['200', '201', 'not_found']).toContain(outcome);
      }
      await expectConsistent(teamId);
    }
  });

  test('of the published asset leaves one complete asset', async () => {
    const teamId = await team();
    for (let round = 0; round < 4; round += 1) {
      const source = await upload(4);
      const first = (await into(teamId, source.id)).body.data;
      await upload(5, source.id);
      const responses = await crowd(api, assetRow(first.id), [
        ...times(3, () => () => into(teamId, source.id)),
        () => removeCollection(teamId, first.collectionId),
        ...times(3, () => () => into(teamId, source.id)),
      ]);
      for (const outcome of Object.keys(statusesOf(responses))) {
        expect(['200', '201', 'already_published']).toContain(outcome);
      }
      await expectConsistent(teamId);
      const again = await into(teamId, source.id);
      expect([201, 409]).toContain(again.status);
      const [live, ...more] = (await publishedFrom(api, source.id, teamId)).filter(
        ({ id }) => id !== first.id,
      );
      expect(more).toEqual([]);
      expect(live?.objects).toEqual([(await objectsOf(api, source.id))[1]]);
    }
  });
});

test('uploads, restorations, publications and deletions in a random order keep the usage exact', async () => {
  const teams = [await team(), await team()];
  const sources = await Promise.all(times(4, (index) => upload(10 + index)));
  const seed = Math.floor(Math.random() * 2 ** 32);
  const random = randomsFrom(seed);
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  };

  const step = (): (() => Promise<number>) => {
    const { id } = pick(sources);
    const teamId = pick(teams);
    const chance = random();
    const bytes = 1 + Math.floor(random() * 500);
    if (chance < 0.25) return () => upload(bytes, id).then(() => 200);
    if (chance < 0.4) return () => restoreSome(user.organizationId, id, bytes % 3);
    if (chance < 0.8) return async () => (await into(teamId, id)).status;
    return async () => {
      const published = (await publishedFrom(api, id, teamId)).at(-1);
      if (!published) return 200;
      if (chance < 0.93) return restoreSome(teamId, published.id, bytes % 3);
      await api.db.execute(sql`update assets set deleted_at = now() where id = ${published.id}`);
      return 200;
    };
  };
  const restoreSome = async (organizationId: string, id: string, versionIndex: number) => {
    const response = await call(api, 'assets.restoreVersion', {
      token: user.token,
      organizationId,
      params: { id, versionNumber: versionIndex + 1 },
    });
    return response.status;
  };

  for (let round = 0; round < 6; round += 1) {
    const statuses = await Promise.all(times(12, step).map((attempt) => attempt()));
    for (const status of statuses) expect([200, 201, 404, 409], `seed ${seed}`).toContain(status);
    for (const id of teams) await expectConsistent(id);
  }
});

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomsFrom(seed: number) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
