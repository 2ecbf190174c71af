import { and, eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Transaction } from '../../../db/executor.ts';
import { memberships, organizations } from '../../../db/generated/schema.ts';
import { logIn, mailsTo, newUser, nextMail, type TestUser } from '../../../testing/accounts.ts';
import { call } from '../../../testing/api.ts';
import { openStream } from '../../../testing/event-streams.ts';
import { makeOffer, takeOffer } from '../../../testing/offers.ts';
import { joinTeam, newTeam, whileLocked } from '../../../testing/organizations.ts';
import { setUpApi } from '../../../testing/set-up.ts';
import { makeKey } from '../../../testing/api-keys.ts';

const api = await setUpApi();
let owner: TestUser;
let member: TestUser;

beforeAll(async () => {
  owner = await newUser(api, 'owner');
  member = await newUser(api, 'member');
});

const day = 24 * 3600;

/** A team of the owner with the member in it. */
async function teamOfTwo(): Promise<string> {
  const { id } = await newTeam(api, owner);
  await joinTeam(api, id, member, 'MEMBER');
  return id;
}

const newProject = (key: string, organizationId: string) =>
  call(api, 'projects.create', { token: key, organizationId, body: { name: 'By a program' } });
const setPolicy = async (id: string, body: object, as = owner) =>
  call(api, 'apiKeys.updatePolicy', {
    token: (await logIn(api, as)).token,
    params: { id },
    body,
  });
const ask = async (organizationIds: readonly string[], expiresInDays: number | null) =>
  call(api, 'apiKeys.create', {
    token: (await logIn(api, member)).token,
    body: { name: 'x', scopes: ['project:create'], organizationIds, expiresInDays },
  });

describe('the key policy', () => {
  test('refuses personal keys at their next request, and lets them in again', async () => {
    const id = await teamOfTwo();
    const both = { scopes: ['project:create'], organizationIds: [id, member.organizationId] };
    const { key } = await makeKey(api, member, both);
    expect((await setPolicy(id, { personalKeys: 'REFUSED' }, member)).status).toBe(403);
    expect((await setPolicy(id, { personalKeys: 'REFUSED' })).body.data).toEqual({
      personalKeys: 'REFUSED',
      maxLifetimeDays: null,
    });
    const refused = await newProject(key, id);
    expect([refused.status, refused.body.code]).toEqual([403, 'organization_access_denied']);
    const inPath = await call(api, 'organizations.get', { token: key, params: { id } });
    expect(inPath.status).toBe(404);
    expect((await newProject(key, member.organizationId)).status).toBe(201);
    const current = await call(api, 'apiKeys.current', { token: key });
    const reached: { id: string }[] = current.body.data.organizations;
    expect(reached.map((one) => one.id)).toEqual([member.organizationId]);
    const made = await ask([member.organizationId, id], 30);
    expect([made.status, made.body.errors[0].path]).toEqual([400, ['organizationIds', 1]]);
    const policy = await call(api, 'apiKeys.policy', { token: member.token, params: { id } });
    expect(policy.body.data.personalKeys).toBe('REFUSED');
    await setPolicy(id, { personalKeys: 'ALLOWED' });
    expect((await newProject(key, id)).status).toBe(201);
  });

  test('ends the live streams of the keys that it refuses', async () => {
    const id = await teamOfTwo();
    const { key } = await makeKey(api, member, {
      scopes: ['organization:read'],
      organizationIds: [id],
    });
    const stream = await openStream(api, { token: key, organizationId: id });
    await setPolicy(id, { personalKeys: 'REFUSED' });
    expect(await stream.closed()).toBe('access_ended');
  });

  test('lets no key become older than it says, and makes none for longer', async () => {
    const id = await teamOfTwo();
    const own = { scopes: ['project:create'], organizationIds: [id] };
    const endless = await makeKey(api, member, { ...own, expiresInDays: null });
    await setPolicy(id, { maxLifetimeDays: 30 });
    expect((await newProject(endless.key, id)).status).toBe(201);
    for (const days of [31, 365, null]) {
      const { status, body } = await ask([id], days);
      expect([status, body.errors[0].path]).toEqual([400, ['expiresInDays']]);
    }
    expect((await ask([id], 30)).status).toBe(201);
    const { token } = await logIn(api, member);
    const rotated = await call(api, 'apiKeys.rotate', {
      token,
      params: { id: endless.id },
      body: { overlapHours: 72 },
    });
    const { createdAt, expiresAt } = rotated.body.data;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(30 * day * 1000);

    const other = await makeKey(api, member, { ...own, expiresInDays: 30 });
    await setPolicy(id, { maxLifetimeDays: 2 });
    api.clock.advance({ seconds: 2 * day - 60 });
    expect((await newProject(other.key, id)).status).toBe(201);
    api.clock.advance({ seconds: 60 });
    expect((await newProject(other.key, id)).status).toBe(403);
    await setPolicy(id, { maxLifetimeDays: null });
    expect((await newProject(other.key, id)).status).toBe(201);
  });

  test('counts for a change that waited for it', async () => {
    const id = await teamOfTwo();
    const own = { scopes: ['project:create'], organizationIds: [id] };
    const { key } = await makeKey(api, member, own);
    const { response } = await api.db.transaction(async (tx) => {
      const lock = sql`authority_lock('organization', ${id})`;
      await tx.execute(sql`select pg_advisory_xact_lock(${lock})`);
      const response = newProject(key, id);
      await vi.waitFor(async () => {
        const waiting = await api.db.execute(
          sql`select from pg_locks where locktype = 'advisory' and not granted`,
        );
        expect(waiting.length).toBeGreaterThan(0);
      }, 10_000);
      await tx.execute(sql`update organizations set personal_keys = 'REFUSED' where id = ${id}`);
      return { response };
    });
    expect((await response).status).toBe(403);
  });

  test('belongs to teams', async () => {
    const personal = await setPolicy(owner.organizationId, { maxLifetimeDays: 5 });
    expect([personal.status, personal.body.code]).toEqual([409, 'personal_organization']);
  });
});

describe('the keys of members', () => {
  test('are listed without their other organizations, and excluded one by one', async () => {
    const id = await teamOfTwo();
    const own = { scopes: ['project:create'], organizationIds: [id, member.organizationId] };
    const { id: keyId, key } = await makeKey(api, member, { ...own, name: 'Mine' });
    await makeKey(api, member, { ...own, organizationIds: [member.organizationId] });
    // The clock has moved on since they signed in.
    const [{ token }, { token: others }] = [await logIn(api, owner), await logIn(api, member)];
    const by = { token, params: { id } };
    const list = async () => (await call(api, 'apiKeys.listOfOrganization', by)).body.data;
    const [found, ...more] = (await list()).items;
    expect(more).toEqual([]);
    expect(found).toMatchObject({
      id: keyId,
      name: 'Mine',
      owner: { id: member.id, email: member.email },
      status: 'ACTIVE',
      toolMode: 'ASK',
      isRefused: false,
    });
    expect(Object.keys(found)).not.toContain('organizations');
    expect(Object.keys(found)).not.toContain('lastUsedIp');

    const exclude = (as: string, organizationId = id) =>
      call(api, 'apiKeys.exclude', { token: as, params: { id: organizationId, keyId } });
    expect((await exclude(others)).status).toBe(403);
    const elsewhere = await newTeam(api, owner);
    expect((await exclude(token, elsewhere.id)).status).toBe(404);
    const mailsBefore = (await mailsTo(member.email)).length;
    expect((await exclude(token)).body.data).toEqual({ id: keyId });
    expect((await exclude(token)).status).toBe(404);
    expect((await newProject(key, id)).body.code).toBe('organization_access_denied');
    expect((await newProject(key, member.organizationId)).status).toBe(201);
    const mail = await nextMail(member.email, mailsBefore + 1);
    expect(mail.subject).toBe('An API key of yours was excluded from an organization');
    expect((await list()).items).toEqual([]);
  });

  test('lose it with the membership, also where the person comes back', async () => {
    const { id } = await newTeam(api, owner);
    const { memberId } = await joinTeam(api, id, member, 'MEMBER');
    const own = { scopes: ['project:create'], organizationIds: [id, member.organizationId] };
    const { key } = await makeKey(api, member, own);
    const elsewhere = await teamOfTwo();
    const other = await makeKey(api, member, { ...own, organizationIds: [elsewhere] });
    const { token } = await logIn(api, owner);
    const removed = await call(api, 'organizations.removeMember', {
      token,
      params: { id, memberId },
    });
    expect(removed.status).toBe(200);
    await joinTeam(api, id, member, 'MEMBER');
    expect((await newProject(key, id)).body.code).toBe('organization_access_denied');
    expect((await newProject(key, member.organizationId)).status).toBe(201);
    expect((await newProject(other.key, elsewhere)).status).toBe(201);
  });

  test('stay without it when an earlier release ended the membership alone', async () => {
    const id = await teamOfTwo();
    const own = { scopes: ['project:create'], organizationIds: [id, member.organizationId] };
    const { key } = await makeKey(api, member, own);
    await api.db
      .delete(memberships)
      .where(and(eq(memberships.organizationId, id), eq(memberships.userId, member.id)));
    const session = { owner: await logIn(api, owner), member: await logIn(api, member) };
    const { email } = member;
    const offer = await makeOffer(api, session.owner, { teamId: id, email, role: 'MEMBER' });
    expect((await takeOffer(api, session.member, offer)).status).toBe(200);
    expect((await newProject(key, id)).body.code).toBe('organization_access_denied');
    expect((await newProject(key, member.organizationId)).status).toBe(201);
  });

  test.each([
    [
      'that is deleted',
      (id: string, tx: Transaction) =>
        tx.update(organizations).set({ deletedAt: new Date() }).where(eq(organizations.id, id)),
    ],
    [
      'that their person leaves',
      (id: string, tx: Transaction) =>
        tx
          .delete(memberships)
          .where(and(eq(memberships.organizationId, id), eq(memberships.userId, member.id))),
    ],
  ])('are not made for an organization %s meanwhile', async (_, end) => {
    const id = await teamOfTwo();
    const [made] = await whileLocked(api, id, [() => ask([id], 30)], (tx) => end(id, tx));
    expect([made?.status, made?.body.code]).toEqual([404, 'not_found']);
  });

  describe('that are rotated at the same time', () => {
    /** A key of the member, and requests about it. */
    async function rotated(overlapHours = 0) {
      const id = await teamOfTwo();
      const made = await makeKey(api, member, {
        scopes: ['project:create'],
        organizationIds: [id, member.organizationId],
      });
      const { token } = await logIn(api, owner);
      const { token: own } = await logIn(api, member);
      return {
        id,
        keyId: made.id,
        exclude: () => call(api, 'apiKeys.exclude', { token, params: { id, keyId: made.id } }),
        rotate: () =>
          call(api, 'apiKeys.rotate', {
            token: own,
            params: { id: made.id },
            body: { overlapHours },
          }),
      };
    }

    test('have no successor in an organization that has excluded them meanwhile', async () => {
      const { id, keyId, rotate } = await rotated();
      expect((await setPolicy(id, { maxLifetimeDays: 1 })).status).toBe(200);
      const [response] = await whileLocked(api, id, [rotate], (tx) =>
        tx.execute(sql`delete from api_key_organizations
          where api_key_id = ${keyId} and organization_id = ${id}`),
      );
      expect(response?.status).toBe(201);
      const reached: { id: string }[] = response?.body.data.organizations;
      expect(reached.map((one) => one.id)).toEqual([member.organizationId]);
      // That organization's policy is none of its own.
      const lifeMs = Date.parse(response?.body.data.expiresAt) - api.clock.now().getTime();
      expect(lifeMs).toBeGreaterThan(2 * day * 1000);
    });

    test.each([
      ['and revoked', sql`revoked_at = now(), revoked_because = 'OWNER'`],
      ['and work for a while', sql`replaced_by = uuidv7()`],
    ])('are not found when their successor has been made meanwhile, %s', async (_, replacement) => {
      const { id, keyId, exclude } = await rotated();
      const [response] = await whileLocked(api, id, [exclude], (tx) =>
        tx.execute(sql`update api_keys set ${replacement} where id = ${keyId}`),
      );
      expect(response?.status).toBe(404);
    });

    test.each([0, 24])(
      'and work for %i hours more are excluded first, or not found',
      async (overlapHours) => {
        const { id, keyId, exclude, rotate } = await rotated(overlapHours);
        // Both have found the key before either changes it: afterwards, it may be excluded beside its successor.
        const [excluded, made] = await whileLocked(api, id, [exclude, rotate]);
        if (!excluded || !made) throw new Error('both respond');
        expect(made.status).toBe(201);
        const ids: string[] = made.body.data.organizations.map((one: { id: string }) => one.id);
        const [left] = await api.db.execute<{ count: number }>(sql`
        select count(*)::int as count from api_key_organizations where api_key_id = ${keyId}`);
        // Either the exclusion was told that the key is gone, or no successor has what it took.
        expect([excluded.status, ids.length]).toEqual(left?.count === 2 ? [404, 2] : [200, 1]);
      },
    );
  });
});
