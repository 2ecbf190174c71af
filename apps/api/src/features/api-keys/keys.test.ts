import { apiKeyPattern, maxApiKeys, scopePresets, scopes } from '@atelier/contract';
import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { apiKeys, idempotencyKeys, users } from '../../db/generated/schema.ts';
import { issueApiKey } from '../../kernel/api-keys.ts';
import { newId } from '../../kernel/ids.ts';
import { activitiesOf } from '../../testing/activities.ts';
import { logIn, newUser, type TestUser } from '../../testing/accounts.ts';
import { call, type CallOptions } from '../../testing/api.ts';
import { newCollection, someFile, uploadFile } from '../../testing/library.ts';
import { joinTeam, newTeam } from '../../testing/organizations.ts';
import { newTeamCollection, publishedFrom } from '../../testing/publishing.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { makeKey } from '../../testing/api-keys.ts';

const api = await setUpApi();
let owner: TestUser;
let member: TestUser;
let teamId: string;
let memberId: string;

beforeAll(async () => {
  owner = await newUser(api, 'owner');
  member = await newUser(api, 'member');
  teamId = (await newTeam(api, owner)).id;
  ({ memberId } = await joinTeam(api, teamId, member, 'MEMBER'));
});

const ofTeam = (allowed: readonly string[]) => ({ scopes: allowed, organizationIds: [teamId] });
const listTasks = (key: string, options: CallOptions = {}) =>
  call(api, 'tasks.list', { token: key, ...options });
const newProject = (key: string, organizationId = teamId) =>
  call(api, 'projects.create', { token: key, organizationId, body: { name: 'By a program' } });
describe('a new key', () => {
  test('is in its own response and nowhere else', async () => {
    const { id, key } = await makeKey(api, owner, {
      preset: 'read-only',
      organizationIds: [teamId],
    });
    expect(key).toMatch(apiKeyPattern);
    const fresh = await logIn(api, owner);
    const list = await call(api, 'apiKeys.list', { token: fresh.token });
    expect(list.body.data.items[0]).toMatchObject({
      id,
      name: 'Test',
      prefix: key.slice(0, 12),
      lastFour: key.slice(-4),
      scopes: scopePresets['read-only'],
      organizations: [{ id: teamId }],
      status: 'ACTIVE',
      revokedAt: null,
    });
    expect(list.text).not.toContain(key);
    const stored = await api.db.execute<{ rows: string }>(sql`
      select (select jsonb_agg(api_keys)::text from api_keys) || (select jsonb_agg(account_activities)::text from account_activities) as rows`);
    expect(stored[0]?.rows).toContain(id);
    expect(stored[0]?.rows).not.toContain(key.slice(12));
  });

  test('is repeated under the same Idempotency-Key for an hour, from a sealed row', async () => {
    const { token } = await logIn(api, owner);
    const again = () =>
      call(api, 'apiKeys.create', {
        token,
        headers: { 'idempotency-key': 'one key please' },
        body: { name: 'Once', preset: 'contributor', organizationIds: [teamId] },
      });
    const [first, second] = [await again(), await again()];
    expect(second.body.data.key).toBe(first.body.data.key);
    const [row] = await api.db
      .select()
      .from(idempotencyKeys)
      .where(eq(idempotencyKeys.key, 'one key please'));
    const lifeMs = Number(row?.expiresAt) - api.clock.now().getTime();
    expect(lifeMs).toBeLessThanOrEqual(3600_000);
    expect(lifeMs).toBeGreaterThan(3500_000);
    expect(row?.body?.includes(first.body.data.key)).toBe(false);
  });

  test('is of the caller, whatever account the body names', async () => {
    const { token } = await logIn(api, member);
    const body = { name: 'Mine', ...ofTeam(['task:read']), userId: owner.id, user: owner.id };
    const { status, body: made } = await call(api, 'apiKeys.create', { token, body });
    expect(status).toBe(201);
    const [row] = await api.db.select().from(apiKeys).where(eq(apiKeys.id, made.data.id));
    expect(row?.userId).toBe(member.id);
  });

  test.each([
    ['both scopes and a preset', { preset: 'everything', scopes: ['task:read'] }, 400],
    ['neither', {}, 400],
    ['a scope that is none', { scopes: ['organization:delete'] }, 400],
    ['no organization', { preset: 'everything', organizationIds: [] }, 400],
    ['more than a year', { preset: 'everything', expiresInDays: 366 }, 400],
    ["another's organization", { preset: 'everything', organizationIds: [newId()] }, 404],
  ])('with %s is refused', async (_, body, status) => {
    const { token } = await logIn(api, owner);
    const wanted = { name: 'Wrong', organizationIds: [teamId], ...body };
    expect((await call(api, 'apiKeys.create', { token, body: wanted })).status).toBe(status);
  });

  test('is one too many beside 50 that work', async () => {
    const user = await newUser(api);
    const createdAt = api.clock.now();
    const rows = Array.from({ length: maxApiKeys - 1 }, () => {
      const { key: _, ...issued } = issueApiKey('PERSONAL');
      return { ...issued, id: newId(), userId: user.id, name: 'x', scopes: [], createdAt };
    });
    await api.db.insert(apiKeys).values(rows);
    const own = { preset: 'everything', organizationIds: [user.organizationId] };
    const { id } = await makeKey(api, user, own);
    const { token } = await logIn(api, user);
    const body = { name: 'One more', ...own };
    const refused = await call(api, 'apiKeys.create', { token, body });
    expect([refused.status, refused.body.code]).toEqual([409, 'too_many_api_keys']);
    const rotate = (overlapHours: number) =>
      call(api, 'apiKeys.rotate', { token, params: { id }, body: { overlapHours } });
    expect((await rotate(1)).body.code).toBe('too_many_api_keys');
    expect((await rotate(0)).status).toBe(201);
  });
});

describe('a request with a key', () => {
  test('reaches only the organizations of the key', async () => {
    const other = (await newTeam(api, member)).id;
    const { key } = await makeKey(api, member, ofTeam(scopes));
    expect((await listTasks(key)).status).toBe(200);
    expect((await listTasks(key, { organizationId: other })).body.code).toBe(
      'organization_access_denied',
    );
    const inPath = await call(api, 'organizations.get', { token: key, params: { id: other } });
    expect([inPath.status, inPath.body.code]).toEqual([404, 'not_found']);
    const listed = await call(api, 'organizations.list', { token: key });
    expect(listed.body.data.items.map(({ id }: { id: string }) => id)).toEqual([teamId]);
    expect(listed.body.data.pagination.total).toBe(1);

    const both = await makeKey(api, member, { scopes, organizationIds: [teamId, other] });
    const ambiguous = await listTasks(both.key);
    expect([ambiguous.status, ambiguous.body.code]).toEqual([400, 'organization_required']);
    expect((await listTasks(both.key, { organizationId: other })).status).toBe(200);
    const home = { scopes, organizationIds: [teamId, member.organizationId] };
    const { key: atHome } = await makeKey(api, member, home);
    const current = await call(api, 'collections.list', { token: atHome });
    expect(current.status).toBe(200);
  });

  test('does what both its scopes and the current role allow', async () => {
    const user = await newUser(api);
    const joined = await joinTeam(api, teamId, user, 'MEMBER');
    const { key } = await makeKey(api, user, ofTeam(['project:create', 'project:read']));
    const change = (body: unknown) =>
      call(api, 'organizations.updateMember', {
        token: owner.token,
        params: { id: teamId, memberId: joined.memberId },
        body,
      });
    const current = async () => {
      const { body } = await call(api, 'apiKeys.current', { token: key });
      return body.data.organizations.map(
        ({ effectiveScopes }: { effectiveScopes: string[] }) => effectiveScopes,
      );
    };
    expect((await newProject(key)).status).toBe(201);
    expect(await current()).toEqual([['project:read', 'project:create']]);
    await change({ role: 'VIEWER' });
    expect((await newProject(key)).body.code).toBe('permission_denied');
    expect(await current()).toEqual([['project:read']]);
    await change({ role: 'ADMIN' });
    expect((await newProject(key)).status).toBe(201);
    await change({ status: 'SUSPENDED' });
    expect((await newProject(key)).body.code).toBe('organization_access_denied');
    await change({ status: 'ACTIVE' });
    expect((await newProject(key)).status).toBe(201);
    await api.db.update(users).set({ accountStatus: 'SUSPENDED' }).where(eq(users.id, user.id));
    expect((await newProject(key)).status).toBe(401);
  });

  test('never has what only owners may do', async () => {
    const { key } = await makeKey(api, owner, ofTeam(scopes));
    const params = { id: teamId, memberId };
    const update = (role: string) =>
      call(api, 'organizations.updateMember', { token: key, params, body: { role } });
    expect((await update('OWNER')).body.code).toBe('permission_denied');
    expect((await update('VIEWER')).status).toBe(200);
    expect((await update('MEMBER')).status).toBe(200);
    const query = { confirmName: 'any' };
    const removal = await call(api, 'organizations.remove', { token: key, params, query });
    expect(removal.body.code).toBe('key_refused');
  });

  test('needs the scope for what it does to a record of another kind', async () => {
    const inTeam = { collectionId: await newTeamCollection(api, member, teamId) };
    const target = { ...inTeam, organizationId: teamId };
    const { id: assetId } = await uploadFile(api, member, someFile(10), target);
    const upload = (key: string, asset: object) =>
      call(api, 'uploads.initiate', {
        token: key,
        organizationId: teamId,
        body: {
          ...inTeam,
          ...asset,
          fileName: 'a.bin',
          contentType: 'application/octet-stream',
          fileSize: 1,
        },
      });
    const creating = await makeKey(api, member, ofTeam(['asset:create']));
    expect((await upload(creating.key, {})).status).toBe(201);
    const refused = await upload(creating.key, { assetId });
    expect([refused.status, refused.body.code]).toEqual([403, 'scope_missing']);
    expect(refused.body.message).toContain('asset:edit');
    const editing = await makeKey(api, member, ofTeam(['asset:create', 'asset:edit']));
    expect((await upload(editing.key, { assetId })).status).toBe(201);
  });

  test('needs the scope of its operation, whatever else the request says', async () => {
    const { key } = await makeKey(api, member, ofTeam(['task:read']));
    expect((await listTasks(key, { query: { limit: 1, q: '/api/projects' } })).status).toBe(200);
    for (const headers of [
      { 'x-http-method-override': 'GET' },
      { 'x-original-url': '/api/tasks' },
    ]) {
      const { status, body } = await call(api, 'projects.create', {
        token: key,
        headers,
        query: { method: 'GET', scope: 'project:create' },
        body: { name: 'By a program', scopes: ['project:create'] },
      });
      expect([status, body.code]).toEqual([403, 'scope_missing']);
    }
  });

  test('takes nothing from a personal organization that the key does not list', async () => {
    const { token } = await logIn(api, member);
    const collectionId = await newCollection(api, { token }, 'Private');
    const source = await uploadFile(api, { token }, someFile(10), { collectionId });
    const publishWith = (key: string) =>
      call(api, 'assets.publish', {
        token: key,
        organizationId: teamId,
        params: { id: source.id },
        body: {},
      });
    const ofTeamOnly = await makeKey(api, member, ofTeam(scopes));
    const refused = await publishWith(ofTeamOnly.key);
    expect([refused.status, refused.body.code]).toEqual([404, 'not_found']);
    expect(await publishedFrom(api, source.id, teamId)).toEqual([]);
    const both = { scopes, organizationIds: [teamId, member.organizationId] };
    const { key } = await makeKey(api, member, both);
    expect((await publishWith(key)).status).toBe(201);
    expect(await publishedFrom(api, source.id, teamId)).toHaveLength(1);
  });

  test('is named by its activities, and found by them', async () => {
    const { id, key } = await makeKey(api, owner, ofTeam(['project:create', 'timeline:read']));
    const { body } = await newProject(key);
    const [activity] = await activitiesOf(api, body.data.id);
    expect(activity).toMatchObject({ actorId: owner.id, metadata: { apiKeyId: id } });
    await newProject((await logIn(api, owner)).token);
    for (const token of [key, (await logIn(api, owner)).token]) {
      const found = await call(api, 'timeline.list', {
        token,
        organizationId: teamId,
        query: { apiKeyId: id },
      });
      expect(found.body.data.items).toHaveLength(1);
      expect(found.body.data.items[0].resourceId).toBe(body.data.id);
    }
    // What administrators of the platform may do beyond their teams.
    await api.db.update(users).set({ platformRole: 'ADMIN' }).where(eq(users.id, owner.id));
    const elsewhere = await newTeam(api, member);
    const beyond = await call(api, 'timeline.list', { token: key, organizationId: elsewhere.id });
    expect(beyond.body.code).toBe('organization_access_denied');
    await api.db.update(users).set({ platformRole: 'USER' }).where(eq(users.id, owner.id));
  });
});

test('a name is all that changes of a key', async () => {
  const { id } = await makeKey(api, member, ofTeam(['task:read']));
  const { token } = await logIn(api, member);
  const body = { name: 'Renamed', scopes, organizationIds: [], expiresAt: null, userId: owner.id };
  const { status, body: renamed } = await call(api, 'apiKeys.rename', {
    token,
    params: { id },
    body,
  });
  expect([status, renamed.data.name, renamed.data.scopes]).toEqual([200, 'Renamed', ['task:read']]);
  const { token: others } = await logIn(api, owner);
  const foreign = { token: others, params: { id }, body: { name: 'Mine' } };
  expect((await call(api, 'apiKeys.rename', foreign)).status).toBe(404);
  expect((await call(api, 'apiKeys.rotate', { ...foreign, body: {} })).status).toBe(404);
});

test('a session has no key of its own', async () => {
  const { token } = await logIn(api, member);
  expect((await call(api, 'apiKeys.current', { token })).status).toBe(404);
});

test('the scopes are public, each with what it opens', async () => {
  const { body } = await call(api, 'apiKeys.scopes', {});
  const items: { scope: string; operations: string[] }[] = body.data.items;
  expect(items.map(({ scope }) => scope)).toEqual(scopes);
  expect(items.find(({ scope }) => scope === 'label:delete')?.operations).toEqual([
    'labels.remove',
  ]);
});
