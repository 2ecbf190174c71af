// @module-tag slow

import { and, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { assets, memberships, organizations } from '../../db/generated/schema.ts';
import { startJobs } from '../../jobs/start.ts';
import { logIn, newUser, somePassword } from '../../testing/accounts.ts';
import { makeKey } from '../../testing/api-keys.ts';
import { call } from '../../testing/api.ts';
import { newProject } from '../../testing/board.ts';
import { someFile, untilFollowed, untilIdle, uploadFile } from '../../testing/library.ts';
import { joinTeam, newTeamOf } from '../../testing/organizations.ts';
import { search, suggest, titlesOf } from '../../testing/searches.ts';
import { setUpApi } from '../../testing/set-up.ts';

const queries = Number(process.env['SEARCH_QUERIES'] ?? 600);
const atOnce = 8;
const queriesPerSignIn = 500;

const api = await setUpApi({ JOBS: 'separate', DATABASE_POOL_MAX: '20' });
const jobs = await startJobs(api.deps);
const [ada, eve] = await Promise.all([newUser(api, 'ada'), newUser(api, 'eve')]);
let mine = await newTeamOf(api, ada);
const other = await newTeamOf(api, eve);

const titles = ['Launch plan', 'Harbour at dawn', 'Grüße', 'Plan B', 'The imprint', '北京 trip'];
/** Names, and the titles of their collections. */
const files = [
  ['quarry.png', 'The imprint'],
  ['imprints.png', 'The imprint'],
  ['old harbour.png', 'Harbour at dawn'],
  ['new harbour.png', 'Plan B'],
] as const;
const own = new Set<string>();

async function fill(team: typeof mine): Promise<void> {
  const projectId = await newProject(api, team, 'Website');
  for (const title of titles) {
    const { body } = await call(api, 'tasks.create', {
      ...team,
      params: { projectId },
      body: { title, description: `Secret of ${team.organizationId}` },
    });
    if (team === mine) own.add(body.data.id);
    await call(api, 'collections.create', { ...team, body: { title } });
  }
}

beforeAll(async () => {
  await fill(mine);
  await fill(other);
  const { body } = await call(api, 'collections.list', mine);
  for (const [name, place] of files) {
    const { id } = body.data.items.find(({ title }: { title: string }) => title === place);
    await uploadFile(api, mine, someFile(5, name), {
      collectionId: id,
      organizationId: mine.organizationId,
    });
  }
  await call(api, 'profile.update', { token: mine.token, body: { firstName: 'Lovelace' } });
  await untilFollowed(api);
  // The memberships were made without an activity.
  const rebuilt = await call(api, 'search.rebuild', {
    token: mine.token,
    params: { id: mine.organizationId },
  });
  expect(rebuilt.status).toBe(201);
  await untilIdle(api);
});

/** A long run outlives an access token. */
async function signInAnew(): Promise<void> {
  const { token } = await logIn(api, { email: ada.email, password: somePassword });
  mine = { ...mine, token };
}

/** Words, beginnings, typing errors and signs, in any order. */
function randomQuery(): string {
  const words = titles.flatMap((title) => title.split(' '));
  const pick = <Value>(values: readonly Value[]) =>
    values[Math.floor(Math.random() * values.length)] as Value;
  const word = () => {
    const chosen = pick(words);
    const changes = [
      chosen,
      chosen.slice(0, 1 + Math.floor(Math.random() * chosen.length)),
      `${chosen.slice(1)}${chosen.slice(0, 1)}`,
      `"${chosen}`,
      `-${chosen}`,
      `type:${pick(['task', 'collection', 'person'])}`,
      'in:Website',
      'WEB-1',
      other.organizationId.slice(0, 8),
      'secret',
    ];
    return pick(changes);
  };
  return Array.from({ length: 1 + Math.floor(Math.random() * 3) }, word).join(' ');
}

describe('a member of one organization', () => {
  test(
    'is never told of another one with the same titles',
    async () => {
      const unique = other.organizationId;
      let found = 0;
      const run = async () => {
        for (let count = 1; count <= queries / atOnce; count += 1) {
          if (count % queriesPerSignIn === 0) await signInAnew();
          const q = randomQuery();
          const scope = Math.random() < 0.5 ? 'everywhere' : 'organization';
          const { status, body } = await call(api, 'search.find', { ...mine, query: { q, scope } });
          expect([q, status === 200 || status === 400]).toEqual([q, true]);
          expect(JSON.stringify(body)).not.toContain(unique);
          if (status !== 200) continue;
          found += body.data.items.length;
          expect([q, body.data.totals.byType.task <= titles.length]).toEqual([q, true]);
          expect([q, body.data.totals.byType.collection <= titles.length]).toEqual([q, true]);
          const suggested = await call(api, 'search.suggest', { ...mine, query: { q } });
          expect(JSON.stringify(suggested.body)).not.toContain(unique);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, run));
      expect(found).toBeGreaterThan(0);
    },
    300_000 + queries * 50,
  );

  test('finds nothing there by a project, collection or person of it', async () => {
    const theirs = await call(api, 'tasks.list', { ...other, query: { limit: 1 } });
    const { projectId } = theirs.body.data.items[0];
    for (const query of [{ projectId }, { createdBy: eve.id }, { assigneeId: eve.id }]) {
      const page = await search(api, mine, { q: 'plan', scope: 'everywhere', ...query });
      expect([query, page.totals.all]).toEqual([query, 0]);
    }
  });
});

describe('a membership', () => {
  test('that ends or is suspended takes its organization out of searches at once', async () => {
    const bob = await newUser(api, 'bob');
    const { memberId } = await joinTeam(api, mine.organizationId, bob, 'MEMBER');
    const inTeam = { ...mine, token: bob.token };
    const everywhere = { q: 'launch', scope: 'everywhere' };
    const personal = { token: bob.token, organizationId: bob.organizationId };
    expect(titlesOf(await search(api, personal, everywhere))).toContain('Launch plan');
    const ofBob = and(
      eq(memberships.organizationId, mine.organizationId),
      eq(memberships.userId, bob.id),
    );
    await api.db.update(memberships).set({ status: 'SUSPENDED' }).where(ofBob);
    expect(await search(api, personal, everywhere)).toMatchObject({
      items: [],
      totals: { all: 0 },
    });
    await api.db.update(memberships).set({ status: 'ACTIVE' }).where(ofBob);
    const removed = await call(api, 'organizations.removeMember', {
      token: mine.token,
      params: { id: mine.organizationId, memberId },
    });
    expect(removed.status).toBe(200);
    expect((await call(api, 'search.find', { ...inTeam, query: { q: 'launch' } })).status).toBe(
      403,
    );
    expect((await call(api, 'search.suggest', { ...inTeam, query: { q: 'lau' } })).status).toBe(
      403,
    );
    expect(await search(api, personal, everywhere)).toMatchObject({
      items: [],
      totals: { all: 0 },
    });
  });

  test('without the second factor that the organization requires is left out', async () => {
    const bob = await newUser(api, 'bob');
    await joinTeam(api, other.organizationId, bob, 'MEMBER');
    const personal = { token: bob.token, organizationId: bob.organizationId };
    const everywhere = { q: 'launch', scope: 'everywhere' };
    expect((await search(api, personal, everywhere)).totals.all).toBeGreaterThan(0);
    const required = (from: Date | null) =>
      api.db
        .update(organizations)
        .set({ secondFactorRequiredFrom: from })
        .where(eq(organizations.id, other.organizationId));
    await required(new Date(0));
    expect((await search(api, personal, everywhere)).totals.all).toBe(0);
    await required(null);
  });
});

describe('with the follower stopped', () => {
  test('what goes to the bin is gone from hits, totals and suggestions at once', async () => {
    const { body } = await call(api, 'collections.create', {
      ...mine,
      body: { title: 'Lighthouse' },
    });
    const collectionId = body.data.id;
    const uploaded = await uploadFile(api, mine, someFile(5, 'beacon.png'), {
      collectionId,
      organizationId: mine.organizationId,
    });
    await untilFollowed(api);
    await jobs.stop();
    expect((await search(api, mine, { q: 'beacon' })).totals.byType.asset).toBe(1);
    expect((await search(api, mine, { q: 'lighthouse' })).totals.all).toBe(2);
    await call(api, 'assets.remove', { ...mine, params: { id: uploaded.id } });
    expect((await search(api, mine, { q: 'beacon' })).totals.all).toBe(0);
    expect((await search(api, mine, { q: 'baecon' })).totals.all).toBe(0);
    expect((await suggest(api, mine, { q: 'bea' })).items).toEqual([]);
    await api.db.update(assets).set({ deletedAt: null }).where(eq(assets.id, uploaded.id));
    await call(api, 'collections.remove', { ...mine, params: { id: collectionId } });
    expect((await search(api, mine, { q: 'lighthouse' })).totals.all).toBe(0);
    expect((await search(api, mine, { q: 'in:lighthouse' })).totals.all).toBe(0);
  });
});

describe('an API key', () => {
  test('finds only what its scopes let it read, in its organizations', async () => {
    const { key } = await makeKey(
      api,
      { ...ada, token: mine.token },
      {
        scopes: ['search:use', 'task:read'],
        organizationIds: [mine.organizationId],
      },
    );
    const withKey = { ...mine, token: key };
    const page = await search(api, withKey, { q: 'plan', scope: 'everywhere' });
    expect(page.items.every(({ type }) => type === 'task')).toBe(true);
    expect(page.items.map(({ id }) => own.has(id))).not.toContain(false);
    expect(page.totals.byType).toMatchObject({ collection: 0, project: 0, person: 0 });
    expect(page.items[0]).toMatchObject({ key: null, context: { project: null } });
  });

  describe('that filters by names', () => {
    const pageWith = async (scopes: readonly string[], q: string) => {
      const { key } = await makeKey(
        api,
        { ...ada, token: mine.token },
        { scopes: ['search:use', ...scopes], organizationIds: [mine.organizationId] },
      );
      const page = await search(api, { ...mine, token: key }, { q });
      expect([q, page.totals.all]).toEqual([q, page.items.length]);
      return page;
    };
    const foundWith = async (scopes: readonly string[], q: string) =>
      (await pageWith(scopes, q)).items.length;

    test.each([
      ['the title of a collection', 'in:"the imprint"', 'asset:read', 'collection:read'],
      ['the key of a project', 'in:web', 'task:read', 'project:read'],
      ['the name of a project', 'in:website', 'task:read', 'project:read'],
      ['the name of a person', 'by:lovelace', 'task:read', 'member:read'],
      ['the email of a person', `by:${ada.email}`, 'task:read', 'member:read'],
    ])('finds nothing by %s that it may not read', async (_, q, scope, needed) => {
      expect(await foundWith([scope], q)).toBe(0);
      expect(await foundWith([scope, needed], `${q} type:${scope.split(':')[0]}`)).toBeGreaterThan(
        0,
      );
    });

    test.each(['quarry -imprint', 'quarrry -imprint', '-imprint -harbour -imprints'])(
      'excludes no asset by the title of a collection that it may not read: %s',
      async (words) => {
        const q = `type:asset ${words}`;
        expect(await foundWith(['asset:read'], q)).toBe(1);
        expect(await foundWith(['asset:read', 'collection:read'], q)).toBe(0);
      },
    );

    test('finds similar titles of assets, also where the title of their collection has the words', async () => {
      expect(await foundWith(['asset:read'], 'type:asset quarrry')).toBe(1);
      const { items } = await pageWith(['asset:read'], 'imprint type:asset');
      expect(items).toMatchObject([{ title: 'imprints.png', match: 'similar' }]);
      expect(await foundWith(['asset:read', 'collection:read'], 'imprint type:asset')).toBe(2);
    });

    test('ranks no asset by the title of a collection that it may not read', async () => {
      const newest = ['new harbour.png', 'old harbour.png'];
      const q = 'harbour type:asset';
      expect(titlesOf(await pageWith(['asset:read'], q))).toEqual(newest);
      const withCollections = await pageWith(['asset:read', 'collection:read'], q);
      expect(titlesOf(withCollections)).toEqual(newest.toReversed());
    });

    test('finds what is by its person, without reading others', async () => {
      expect(await foundWith(['task:read'], 'by:me')).toBe(titles.length);
    });
  });
});
