import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { activities, identities, memberships, sessions, users } from '../../db/generated/schema.ts';
import { verifyDatabase } from '../../domain/verify/verify.ts';
import { logIn, mailsTo, newUser, nextMail, type TestUser } from '../../testing/accounts.ts';
import { activitiesOf } from '../../testing/activities.ts';
import { call } from '../../testing/api.ts';
import { Browser } from '../../testing/browser.ts';
import { openStream } from '../../testing/event-streams.ts';
import { untilIdle } from '../../testing/library.ts';
import { joinTeam, newTeam } from '../../testing/organizations.ts';
import { refuseMailsTo } from '../../testing/refused-mails.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { makeServiceKey } from './testing.ts';

const api = await setUpApi();
let owner: TestUser;
let teamId: string;

beforeAll(async () => {
  owner = await newUser(api, 'owner');
  teamId = (await newTeam(api, owner)).id;
});

const addressOf = (id: string) => `${id}@service.invalid`;
const make = (role: string, allowed: readonly string[], by = owner) =>
  makeServiceKey(api, by, { teamId, role, scopes: allowed });
const newProject = (key: string, organizationId = teamId) =>
  call(api, 'projects.create', { token: key, organizationId, body: { name: 'By a program' } });
const newTask = async (token: string, assigneeIds: readonly string[]) => {
  const project = await newProject(token);
  return call(api, 'tasks.create', {
    token,
    organizationId: teamId,
    params: { projectId: project.body.data.id },
    body: { title: 'For a program', assigneeIds },
  });
};
const remove = (accountId: string, by = owner) =>
  call(api, 'serviceAccounts.remove', { token: by.token, params: { id: teamId, accountId } });

describe('a service account', () => {
  test('works after its maker has left, is named by what it does, and can be assigned', async () => {
    const maker = await newUser(api, 'maker');
    const { memberId } = await joinTeam(api, teamId, maker, 'ADMIN');
    const { accountId, keyId, key } = await make('MEMBER', ['project:create', 'task:read'], maker);
    const leave = { token: maker.token, params: { id: teamId, memberId } };
    expect((await call(api, 'organizations.removeMember', leave)).status).toBe(200);

    const { status, body } = await newProject(key);
    expect([status, body.data.createdBy]).toEqual([201, accountId]);
    const [activity] = await activitiesOf(api, body.data.id);
    expect(activity).toMatchObject({ actorId: accountId, metadata: { apiKeyId: keyId } });
    const timeline = await call(api, 'timeline.list', {
      token: owner.token,
      organizationId: teamId,
      query: { apiKeyId: keyId },
    });
    const items: { actor: object }[] = timeline.body.data.items;
    expect(items.map(({ actor }) => actor)).toEqual([{ id: accountId, name: 'Build server' }]);

    const task = await newTask(owner.token, [accountId]);
    expect(task.body.data.assignees).toEqual([
      {
        id: accountId,
        displayName: 'Build server',
        email: addressOf(accountId),
        avatarUrl: null,
      },
    ]);
    const comment = await call(api, 'comments.create', {
      token: owner.token,
      organizationId: teamId,
      params: { taskId: task.body.data.id },
      body: { body: `@${addressOf(accountId)} look, @Build server` },
    });
    expect(comment.status).toBe(201);
    await untilIdle(api);
    expect(await mailsTo(addressOf(accountId))).toEqual([]);
  });

  test('is unknown to everything that signs people in', async () => {
    const { accountId } = await make('MEMBER', ['task:read']);
    const known = addressOf(accountId);
    const unknown = addressOf(owner.id);
    const other = await newUser(api);
    const otherTeam = await newTeam(api, other);
    for (const ask of [
      (email: string) => call(api, 'auth.login', { body: { email, password: 'correct horse' } }),
      (email: string) => call(api, 'auth.requestPasswordReset', { body: { email } }),
      (email: string) =>
        call(api, 'auth.register', { body: { email, password: 'correct horse battery' } }),
      (email: string) =>
        call(api, 'organizations.invite', {
          token: other.token,
          params: { id: otherTeam.id },
          body: { email },
        }),
    ]) {
      const [found, missing] = [await ask(known), await ask(unknown)];
      expect([found.status, found.body.message]).toEqual([missing.status, missing.body.message]);
    }
    await untilIdle(api);
    expect([await mailsTo(known), await mailsTo(unknown)]).toEqual([[], []]);
    const [row] = await api.db.select().from(users).where(eq(users.id, accountId));
    expect(row).toMatchObject({
      passwordHash: null,
      accountStatus: 'VERIFIED',
      firstName: 'Build server',
    });
  });

  test('is linked to no provider, not even by one that vouches for its address', async () => {
    const { accountId } = await make('MEMBER', ['task:read']);
    const arrived = await new Browser(api).signIn('github', addressOf(accountId));
    expect([arrived.searchParams.get('error'), arrived.searchParams.get('code')]).toEqual([
      'account_suspended',
      null,
    ]);
    expect(await api.db.$count(identities, eq(identities.userId, accountId))).toBe(0);
    expect(await api.db.$count(sessions, eq(sessions.userId, accountId))).toBe(0);
    expect(await api.db.$count(users, eq(users.email, addressOf(accountId)))).toBe(1);
  });

  test('is a member that no plan counts, and that only its own operations change', async () => {
    const team = (await newTeam(api, owner)).id;
    const { accountId, key } = await makeServiceKey(api, owner, {
      teamId: team,
      role: 'ADMIN',
      preset: 'everything',
    });
    const by = { token: owner.token, params: { id: team } };
    const listed = await call(api, 'organizations.listMembers', by);
    const members: { id: string; userId: string; user: { email: string } }[] =
      listed.body.data.items;
    const membership = members.find(({ userId }) => userId === accountId);
    expect(membership?.user.email).toBe(addressOf(accountId));
    expect((await call(api, 'organizations.get', by)).body.data.memberCount).toBe(1);
    const figures = { token: owner.token, organizationId: team };
    expect((await call(api, 'dashboard.summary', figures)).body.data.members).toBe(1);

    const params = { id: team, memberId: String(membership?.id) };
    for (const token of [owner.token, key]) {
      for (const { status, body } of [
        await call(api, 'organizations.updateMember', { token, params, body: { role: 'OWNER' } }),
        await call(api, 'organizations.updateMember', {
          token,
          params,
          body: { status: 'SUSPENDED' },
        }),
        await call(api, 'organizations.removeMember', { token, params }),
      ]) {
        expect([status, body.code]).toEqual([403, 'permission_denied']);
      }
    }
    const change = (accountRole: string) =>
      call(api, 'serviceAccounts.update', {
        token: owner.token,
        params: { id: team, accountId },
        body: { role: accountRole },
      });
    expect((await change('OWNER')).status).toBe(400);
    expect((await newProject(key, team)).status).toBe(201);
    expect((await change('VIEWER')).body.data.role).toBe('VIEWER');
    const refused = await newProject(key, team);
    expect([refused.status, refused.body.code]).toEqual([403, 'permission_denied']);
  });

  test('reaches its organization alone, and has no account to look at', async () => {
    const { accountId, keyId, key } = await make('ADMIN', [
      'account:read',
      'organization:read',
      'timeline:read',
    ]);
    const current = await call(api, 'apiKeys.current', { token: key });
    expect(current.body.data).toMatchObject({
      id: keyId,
      kind: 'SERVICE',
      prefix: key.slice(0, 12),
    });
    expect(key).toMatch(/^atl_svc_[0-9A-Za-z]{46}$/);
    expect(current.body.data.organizations).toMatchObject([{ id: teamId }]);
    const own = await call(api, 'auth.user', { token: key });
    expect(own.body.data).toMatchObject({ id: accountId, personalOrganizationId: teamId });
    const list = await call(api, 'organizations.list', { token: key });
    const reached: { id: string }[] = list.body.data.items;
    expect(reached.map(({ id }) => id)).toEqual([teamId]);
    expect((await call(api, 'timeline.list', { token: key })).status).toBe(200);
    const elsewhere = (await newTeam(api, owner)).id;
    const other = await call(api, 'organizations.get', { token: key, params: { id: elsewhere } });
    expect(other.status).toBe(404);
  });

  test('ends with its keys, its streams and its tasks, and is still named', async () => {
    const { accountId, key } = await make('MEMBER', ['organization:read', 'project:create']);
    const { body } = await newProject(key);
    const task = await newTask(owner.token, [accountId]);
    const stream = await openStream(api, { token: key, organizationId: teamId });
    expect((await remove(accountId)).body.data).toEqual({ id: accountId });
    expect(await stream.closed()).toBe('session_ended');
    expect((await newProject(key)).status).toBe(401);
    expect((await remove(accountId)).status).toBe(404);
    const read = await call(api, 'tasks.get', {
      token: owner.token,
      organizationId: teamId,
      params: { id: task.body.data.id },
    });
    expect(read.body.data.assignees).toEqual([]);
    const timeline = await call(api, 'timeline.list', {
      token: owner.token,
      organizationId: teamId,
      query: { resourceId: body.data.id },
    });
    expect(timeline.body.data.items[0].actor).toEqual({ id: accountId, name: 'Build server' });
    const [found] = await api.db.select().from(users).where(eq(users.id, accountId));
    expect(found?.accountStatus).toBe('SUSPENDED');
  });

  test('ends with its organization', async () => {
    const team = await newTeam(api, owner, 'Short-lived');
    const { accountId, key } = await makeServiceKey(api, owner, {
      teamId: team.id,
      role: 'MEMBER',
      preset: 'everything',
    });
    const deleted = await call(api, 'organizations.remove', {
      token: owner.token,
      params: { id: team.id },
      query: { confirmName: 'Short-lived' },
    });
    expect(deleted.status).toBe(200);
    expect((await newProject(key, team.id)).status).toBe(401);
    const [found] = await api.db.select().from(users).where(eq(users.id, accountId));
    expect(found?.accountStatus).toBe('SUSPENDED');
  });

  test('is one of 25, in a team', async () => {
    const team = (await newTeam(api, owner)).id;
    const create = (id: string) =>
      call(api, 'serviceAccounts.create', {
        token: owner.token,
        params: { id },
        body: { name: 'x' },
      });
    const responses = await Promise.all(Array.from({ length: 27 }, () => create(team)));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(25);
    const refused = responses.filter(({ status }) => status === 409);
    expect(refused.map(({ body }) => body.code)).toEqual(
      Array(2).fill('too_many_service_accounts'),
    );
    const personal = await create(owner.organizationId);
    expect([personal.status, personal.body.code]).toEqual([409, 'personal_organization']);
  });

  test('belongs to one organization: by another it is not found', async () => {
    const { accountId, keyId, key } = await make('MEMBER', ['project:create']);
    const [stranger, member] = [await newUser(api), await newUser(api)];
    await joinTeam(api, teamId, member, 'MEMBER');
    const theirs = (await newTeam(api, stranger)).id;
    const confirmed = await logIn(api, stranger);
    const ask = (id: string, token: string) => [
      call(api, 'serviceAccounts.update', {
        token,
        params: { id, accountId },
        body: { name: 'y' },
      }),
      call(api, 'serviceAccounts.remove', { token, params: { id, accountId } }),
      call(api, 'serviceAccounts.listKeys', { token, params: { id, accountId } }),
      call(api, 'serviceAccounts.createKey', {
        token,
        params: { id, accountId },
        body: { name: 'y', preset: 'read-only' },
      }),
      call(api, 'serviceAccounts.rotateKey', { token, params: { id, accountId, keyId }, body: {} }),
      call(api, 'serviceAccounts.revokeKey', { token, params: { id, accountId, keyId } }),
    ];
    for (const [id, token, status] of [
      [theirs, confirmed.token, 404],
      [teamId, confirmed.token, 404],
      [teamId, (await logIn(api, member)).token, 403],
      [teamId, key, 403],
    ] as const) {
      const responses = await Promise.all(ask(id, token));
      expect(responses.map((response) => response.status)).toEqual(Array(6).fill(status));
    }
    // A person is none.
    const person = { id: teamId, accountId: member.id };
    const asPerson = await call(api, 'serviceAccounts.remove', {
      token: owner.token,
      params: person,
    });
    expect(asPerson.status).toBe(404);
    expect((await newProject(key)).status).toBe(201);
  });
});

describe('a key of a service account', () => {
  test('is shown once, rotates, and ends by revocation', async () => {
    const { accountId, keyId, key } = await make('MEMBER', ['project:create']);
    const { token } = await logIn(api, owner);
    const params = { id: teamId, accountId, keyId };
    const rotated = await call(api, 'serviceAccounts.rotateKey', {
      token,
      params,
      body: { overlapHours: 1 },
    });
    const { id: nextId, key: next } = rotated.body.data;
    const tried = await Promise.all([newProject(key), newProject(next)]);
    expect(tried.map(({ status }) => status)).toEqual([201, 201]);
    const revoke = () =>
      call(api, 'serviceAccounts.revokeKey', { token, params: { ...params, keyId: nextId } });
    expect((await revoke()).status).toBe(200);
    expect((await revoke()).status).toBe(200);
    expect((await newProject(next)).status).toBe(401);
    const list = await call(api, 'serviceAccounts.listKeys', { token, params });
    expect(list.text).not.toContain(next.slice(12));
    const items: { id: string; status: string }[] = list.body.data.items;
    expect(items.map(({ id, status }) => [id, status])).toEqual([
      [nextId, 'REVOKED'],
      [keyId, 'EXPIRING'],
    ]);
    const recorded = await activitiesOf(api, nextId);
    expect(recorded).toMatchObject([{ action: 'api_key.revoke', organizationId: teamId }]);
  });

  test('needs a confirmed session, and is one of 10', async () => {
    const { accountId } = await make('MEMBER', ['project:create']);
    const { token } = await logIn(api, owner);
    const params = { id: teamId, accountId };
    const create = () =>
      call(api, 'serviceAccounts.createKey', {
        token,
        params,
        body: { name: 'x', preset: 'read-only' },
      });
    const responses = await Promise.all(Array.from({ length: 11 }, create));
    const codes = responses.flatMap(({ body }) => body.code ?? []);
    expect(codes).toEqual(['too_many_api_keys', 'too_many_api_keys']);
    const { id: keyId } = responses.find(({ status }) => status === 201)?.body.data ?? {};
    const rotated = await call(api, 'serviceAccounts.rotateKey', {
      token,
      params: { ...params, keyId },
      body: { overlapHours: 1 },
    });
    expect([rotated.status, rotated.body.code]).toEqual([409, 'too_many_api_keys']);
    api.clock.advance({ seconds: 11 * 60 });
    expect((await create()).body.code).toBe('confirmation_required');
  });

  test('that is reported as leaked ends, and the administrators hear of it', async () => {
    const admin = await newUser(api, 'admin');
    const suspended = await newUser(api, 'suspended');
    const team = (await newTeam(api, admin)).id;
    await joinTeam(api, team, suspended, 'ADMIN', 'SUSPENDED');
    const { accountId, keyId, key } = await makeServiceKey(api, admin, {
      teamId: team,
      role: 'ADMIN',
      preset: 'everything',
    });
    const mailsBefore = (await mailsTo(admin.email)).length;
    await call(api, 'apiKeys.reportLeak', { body: { key } });
    expect((await newProject(key, team)).status).toBe(401);
    const mail = await nextMail(admin.email, mailsBefore + 1);
    expect(mail.subject).toBe('An API key of a service account was ended');
    expect(mail.text).toContain('“Build server”');
    await untilIdle(api);
    expect(await mailsTo(addressOf(accountId))).toEqual([]);
    const toSuspended = await mailsTo(suspended.email);
    expect(toSuspended.filter(({ subject }) => subject.includes('API key'))).toEqual([]);
    const [, ended] = await activitiesOf(api, keyId);
    expect(ended).toMatchObject({ action: 'api_key.revoke', actorId: null, organizationId: team });
  });

  test('is told each administrator once, also while the address of one is refused', async () => {
    const admins = [await newUser(api), await newUser(api), await newUser(api)] as const;
    const [first, refused, last] = admins;
    const team = (await newTeam(api, first)).id;
    await joinTeam(api, team, refused, 'ADMIN');
    await joinTeam(api, team, last, 'ADMIN');
    const made = { teamId: team, role: 'ADMIN', preset: 'everything' };
    const { key } = await makeServiceKey(api, first, made);
    const notices = () =>
      Promise.all(
        admins.map(async ({ email }) => {
          const mails = await mailsTo(email);
          return mails.filter(({ subject }) => subject.includes('API key')).length;
        }),
      );
    const mailing = await refuseMailsTo(api, refused, 'send_api_key_notice');
    await call(api, 'apiKeys.reportLeak', { body: { key } });
    await mailing.threeTimes();
    expect(await notices()).toEqual([1, 0, 1]);
    await mailing.accept();
    await untilIdle(api);
    expect(await notices()).toEqual([1, 1, 1]);
  });
});

test('after all of this the database holds what it should', async () => {
  const results = await verifyDatabase(api.db);
  const broken = results.filter(({ total }) => total > 0).map(({ name }) => name);
  // The teams of these tests were made without an activity.
  expect(broken.filter((name) => name !== 'creations-are-recorded')).toEqual([]);
  const ownedBy = await api.db.execute(sql`
    select from memberships join users on users.id = memberships.user_id
    where users.kind = 'SERVICE' and memberships.role = 'OWNER'`);
  expect(ownedBy).toHaveLength(0);
  const services = await api.db.$count(memberships, eq(memberships.isService, true));
  const created = await api.db.$count(activities, eq(activities.action, 'service_account.create'));
  expect(services).toBeLessThanOrEqual(created);
});
