import type { Role } from '@atelier/contract';
import { eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import {
  activities,
  invitations,
  invitationTokens,
  organizations,
  plans,
} from '../../../db/generated/schema.ts';
import { newId } from '../../../kernel/ids.ts';
import { hashSecretToken } from '../../../kernel/secret-tokens.ts';
import { crowd, organizationRow } from '../../../testing/crowd.ts';
import { activitiesIn } from '../../../testing/activities.ts';
import { mailsTo, newUser, nextMail, type TestUser } from '../../../testing/accounts.ts';
import { call, someEmail, type CallOptions } from '../../../testing/api.ts';
import { invitationTokenIn, invite } from '../../../testing/invitations.ts';
import { joinTeam, newTeam } from '../../../testing/organizations.ts';
import { setUpApi } from '../../../testing/set-up.ts';

const api = await setUpApi();
const [owner, admin] = await Promise.all([newUser(api, 'owner'), newUser(api, 'admin')]);

const day = 24 * 60 * 60;

const offer = (teamId: string, body: unknown, options: CallOptions = {}) =>
  call(api, 'organizations.invite', {
    token: owner.token,
    params: { id: teamId },
    body,
    ...options,
  });
const rowsOf = (teamId: string) =>
  api.db.select().from(invitations).where(eq(invitations.organizationId, teamId));
const recordedIn = async (teamId: string) =>
  (await activitiesIn(api, teamId)).filter(({ resourceType }) => resourceType === 'invitation');

async function teamOnPlanFor(members: number) {
  const team = await newTeam(api, owner);
  await api.db.update(plans).set({ maxMembers: members }).where(eq(plans.code, 'PRO'));
  await api.db.update(organizations).set({ planCode: 'PRO' }).where(eq(organizations.id, team.id));
  return team;
}

describe('inviting', () => {
  test('stores one pending invitation, mails one link and records one activity', async () => {
    const team = await newTeam(api, owner, 'Analytical Engines');
    const email = someEmail('grace');
    const before = api.clock.now().getTime();
    const { status, body } = await offer(team.id, { email: email.toUpperCase(), role: 'VIEWER' });
    expect([status, body]).toEqual([
      201,
      {
        message: 'Invitation sent',
        data: {
          id: expect.any(String),
          email,
          role: 'VIEWER',
          status: 'PENDING',
          expiresAt: expect.any(String),
          invitedBy: { id: owner.id, displayName: owner.email.split('@')[0] },
          organization: { id: team.id, name: 'Analytical Engines' },
        },
      },
    ]);
    const lifetimeMs = Date.parse(body.data.expiresAt) - before;
    expect(lifetimeMs / 1000 / day).toBeCloseTo(7, 2);

    expect(await rowsOf(team.id)).toEqual([
      expect.objectContaining({ id: body.data.id, email, role: 'VIEWER', invitedBy: owner.id }),
    ]);
    expect(await recordedIn(team.id)).toEqual([
      expect.objectContaining({
        action: 'invitation.create',
        actorId: owner.id,
        resourceId: body.data.id,
        resourceName: email,
        changes: [{ field: 'role', from: null, to: 'VIEWER' }],
      }),
    ]);

    const mail = await nextMail(email);
    const token = invitationTokenIn(mail);
    expect(mail.subject).toMatch(/invited you to Analytical Engines/);
    expect(mail.html).toContain(`https://app.example.com/invitations/${token}`);
  });

  test('stores a link only as its hash, and not in the queue', async () => {
    const team = await newTeam(api, owner);
    const email = someEmail();
    const { token, id } = await invite(api, owner, { teamId: team.id, email, mails: 1 });
    const stored = await api.db
      .select()
      .from(invitationTokens)
      .where(eq(invitationTokens.invitationId, id));
    expect(stored.map(({ tokenHash }) => tokenHash)).toEqual([hashSecretToken(token)]);
    const dump = JSON.stringify([
      await rowsOf(team.id),
      await api.db.execute(sql`select * from graphile_worker._private_jobs`),
      await api.db.select().from(activities),
    ]);
    expect(dump).not.toContain(token);
  });

  test('defaults to the role MEMBER', async () => {
    const team = await newTeam(api, owner);
    const { body } = await offer(team.id, { email: someEmail() });
    expect(body.data.role).toBe('MEMBER');
  });

  test('escapes names with markup, line breaks or links in the mail', async () => {
    const inviter = await newUser(api, 'eve');
    const team = await newTeam(
      api,
      inviter,
      '<b>A&B</b>"\r\nBcc: all@example.com\u2028\u202eevil http://evil.example/x',
    );
    await call(api, 'profile.update', {
      token: inviter.token,
      body: { firstName: '<script>alert(1)</script>' },
    });
    const email = someEmail();
    await offer(team.id, { email }, { token: inviter.token });
    const mail = await nextMail(email);
    const [recipient] = mail.to;
    expect([mail.to.length, recipient?.address]).toEqual([1, email]);
    expect(mail.subject).toContain('invited you to <b>A&B</b>" Bcc: all@ example. com evil');
    expect(mail.subject).not.toMatch(/[\r\n\u2028\u202e]/);
    expect(mail.html).not.toMatch(/<b>|<script>|A&B|http:\/\/evil/);
    expect(mail.html).toContain('&lt;b&gt;A&amp;B&lt;/b&gt;&quot; Bcc');
    invitationTokenIn(mail);
    expect(await mailsTo('all@example.com')).toEqual([]);
  });

  test.each([
    ['no address', { role: 'MEMBER' }],
    ['a malformed address', { email: 'not an address' }],
    ['two addresses', { email: 'a@example.com, b@example.com' }],
    ['a line break', { email: 'a@example.com\nBcc: b@example.com' }],
    ['an unknown role', { email: 'a@example.com', role: 'GOD' }],
  ])('refuses %s', async (_, body) => {
    const team = await newTeam(api, owner);
    const response = await offer(team.id, body);
    expect([response.status, response.body.code]).toEqual([400, 'validation_failed']);
    expect(await rowsOf(team.id)).toEqual([]);
  });

  test('ignores fields that a caller may not set', async () => {
    const team = await newTeam(api, owner);
    const own = { id: newId(), status: 'ACCEPTED', organizationId: newId(), invitedBy: admin.id };
    const { body } = await offer(team.id, { email: someEmail(), ...own });
    expect(body.data).toMatchObject({ status: 'PENDING', organization: { id: team.id } });
    const [row] = await rowsOf(team.id);
    expect(row).toMatchObject({ status: 'PENDING', invitedBy: owner.id });
    expect(row?.id).not.toBe(own.id);
  });
});

describe('who may invite', () => {
  const cases: readonly [Role, Role, number][] = [
    ['OWNER', 'OWNER', 201],
    ['ADMIN', 'OWNER', 403],
    ['ADMIN', 'ADMIN', 201],
    ['ADMIN', 'VIEWER', 201],
    ['MEMBER', 'VIEWER', 403],
    ['VIEWER', 'VIEWER', 403],
  ];
  test.each(cases)('%s inviting %s gets %i', async (own, granted, expected) => {
    const team = await newTeam(api, owner);
    await joinTeam(api, team.id, admin, own);
    const { status, body } = await offer(
      team.id,
      { email: someEmail(), role: granted },
      { token: admin.token },
    );
    expect(status).toBe(expected);
    if (expected === 403) expect(body.code).toBe('permission_denied');
    expect(await rowsOf(team.id)).toHaveLength(expected === 201 ? 1 : 0);
    expect(await recordedIn(team.id)).toHaveLength(expected === 201 ? 1 : 0);
  });

  test('an outsider and a suspended administrator get 404 for every request', async () => {
    const team = await newTeam(api, owner);
    const { id } = await invite(api, owner, { teamId: team.id, email: someEmail(), mails: 1 });
    const attempts = async () => [
      await offer(team.id, { email: someEmail() }, { token: admin.token }),
      await call(api, 'organizations.listInvitations', {
        token: admin.token,
        params: { id: team.id },
      }),
      await call(api, 'organizations.revokeInvitation', {
        token: admin.token,
        params: { id: team.id, invitationId: id },
      }),
    ];
    for (const { status, body } of await attempts()) {
      expect([status, body.code]).toEqual([404, 'not_found']);
    }
    await joinTeam(api, team.id, admin, 'ADMIN', 'SUSPENDED');
    for (const { status } of await attempts()) expect(status).toBe(404);
    expect(await rowsOf(team.id)).toEqual([expect.objectContaining({ status: 'PENDING' })]);
  });

  test('an anonymous caller may not', async () => {
    const team = await newTeam(api, owner);
    const response = await call(api, 'organizations.invite', {
      params: { id: team.id },
      body: { email: someEmail() },
    });
    expect(response.status).toBe(401);
  });
});

describe('who may be invited', () => {
  test('no user, into a personal organization', async () => {
    const { status, body } = await offer(owner.organizationId, { email: someEmail() });
    expect([status, body.code]).toEqual([409, 'personal_organization']);
    expect(await rowsOf(owner.organizationId)).toEqual([]);
  });

  test.each(['ACTIVE', 'SUSPENDED'] as const)('no %s member', async (status) => {
    const team = await newTeam(api, owner);
    await joinTeam(api, team.id, admin, 'MEMBER', status);
    for (const email of [admin.email.toUpperCase(), owner.email]) {
      const response = await offer(team.id, { email });
      expect([response.status, response.body.code]).toEqual([409, 'already_member']);
    }
    expect(await recordedIn(team.id)).toEqual([]);
  });

  test("up to the plan's number of places, including invitations", async () => {
    const team = await teamOnPlanFor(3);
    const [first, second, third] = [someEmail(), someEmail(), someEmail()];
    expect((await offer(team.id, { email: first })).status).toBe(201);
    expect((await offer(team.id, { email: second })).status).toBe(201);
    const refused = await offer(team.id, { email: third });
    expect([refused.status, refused.body.code]).toEqual([409, 'plan_limit_reached']);
    expect(refused.body.message).toContain('members');

    // The same address takes no second place; a released place is free at once.
    const again = await offer(team.id, { email: second });
    expect(again.status).toBe(201);
    await call(api, 'organizations.revokeInvitation', {
      token: owner.token,
      params: { id: team.id, invitationId: again.body.data.id },
    });
    expect((await offer(team.id, { email: third })).status).toBe(201);
    expect((await offer(team.id, { email: second })).status).toBe(409);
  });

  test('an expired invitation frees its place; a suspended member keeps theirs', async () => {
    const team = await teamOnPlanFor(3);
    await joinTeam(api, team.id, admin, 'MEMBER', 'SUSPENDED');
    await offer(team.id, { email: someEmail() });
    expect((await offer(team.id, { email: someEmail() })).status).toBe(409);
    await api.db
      .update(invitations)
      .set({ expiresAt: api.clock.now() })
      .where(eq(invitations.organizationId, team.id));
    expect((await offer(team.id, { email: someEmail() })).status).toBe(201);
  });

  test('20 parallel requests never exceed the plan', async () => {
    const team = await teamOnPlanFor(4);
    const responses = await crowd(
      api,
      organizationRow(team.id),
      Array.from({ length: 20 }, () => () => offer(team.id, { email: someEmail() })),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([
      ...Array(3).fill(201),
      ...Array(17).fill(409),
    ]);
    expect(await rowsOf(team.id)).toHaveLength(3);
    expect(await recordedIn(team.id)).toHaveLength(3);
  });
});

describe('inviting the same address again', () => {
  test('renews the invitation: new role, new expiry, new link; the old link is gone', async () => {
    const team = await newTeam(api, owner);
    await joinTeam(api, team.id, admin, 'ADMIN');
    const email = someEmail();
    const first = await invite(api, owner, { teamId: team.id, email, mails: 1 });
    api.clock.advance({ seconds: day });
    const renewedAt = api.clock.now().getTime();
    const second = await invite(api, await newSession(admin), {
      teamId: team.id,
      email,
      role: 'ADMIN',
      mails: 2,
    });
    expect(second.id).toBe(first.id);
    expect(second.token).not.toBe(first.token);

    const rows = await rowsOf(team.id);
    expect(rows).toEqual([
      expect.objectContaining({ role: 'ADMIN', status: 'PENDING', invitedBy: admin.id }),
    ]);
    expect(Number(rows[0]?.expiresAt)).toBeGreaterThanOrEqual(renewedAt + 7 * day * 1000);
    const [old, current] = await Promise.all(
      [first, second].map(({ token }) =>
        call(api, 'organizations.getInvitation', { params: { token } }),
      ),
    );
    expect([old?.status, old?.body.code]).toEqual([410, 'invitation_gone']);
    expect([current?.status, current?.body.data.role]).toEqual([200, 'ADMIN']);
    const recorded = await recordedIn(team.id);
    expect(recorded.map(({ action, changes }) => [action, changes])).toEqual([
      ['invitation.create', [{ field: 'role', from: null, to: 'MEMBER' }]],
      ['invitation.create', [{ field: 'role', from: 'MEMBER', to: 'ADMIN' }]],
    ]);
  });

  test('renews an expired invitation; after a revocation it creates another', async () => {
    const team = await newTeam(api, owner);
    const email = someEmail();
    const early = await newSession(owner);
    const first = await invite(api, early, { teamId: team.id, email, mails: 1 });
    api.clock.advance({ seconds: 8 * day });
    const fresh = await newSession(owner);
    const revived = await invite(api, fresh, { teamId: team.id, email, mails: 2 });
    expect(revived.id).toBe(first.id);
    await call(api, 'organizations.revokeInvitation', {
      token: fresh.token,
      params: { id: team.id, invitationId: revived.id },
    });
    const another = await invite(api, fresh, { teamId: team.id, email, mails: 3 });
    expect(another.id).not.toBe(first.id);
    const previews = await Promise.all(
      [first, revived, another].map(({ token }) =>
        call(api, 'organizations.getInvitation', { params: { token } }),
      ),
    );
    expect(previews.map(({ status }) => status)).toEqual([410, 410, 200]);
  });

  test("20 times in parallel keeps one pending invitation; the last mail's link works", async () => {
    const { token } = await newSession(owner);
    const team = await newTeam(api, owner);
    const email = someEmail();
    const responses = await crowd(
      api,
      organizationRow(team.id),
      Array.from({ length: 20 }, () => () => offer(team.id, { email }, { token })),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(responses.map(({ body }) => body.data.id)).size).toBe(1);
    expect(await rowsOf(team.id)).toHaveLength(1);
    expect(await recordedIn(team.id)).toHaveLength(20);
    await expect
      .poll(() => api.db.execute(sql`select 1 from graphile_worker.jobs`), { timeout: 10_000 })
      .toHaveLength(0);
    const last = invitationTokenIn(await nextMail(email));
    const preview = await call(api, 'organizations.getInvitation', { params: { token: last } });
    expect(preview.status).toBe(200);
  });

  test('with the same Idempotency-Key replays and sends no further mail', async () => {
    const { token } = await newSession(owner);
    const team = await newTeam(api, owner);
    const email = someEmail();
    const options = { token, headers: { 'idempotency-key': newId() } };
    const first = await offer(team.id, { email }, options);
    const second = await offer(team.id, { email }, options);
    expect([second.status, second.text]).toEqual([201, first.text]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    const other = await offer(team.id, { email, role: 'ADMIN' }, options);
    expect(other.status).toBe(422);
    expect(await recordedIn(team.id)).toHaveLength(1);
  });

  /** Starts a new session, since the time that these tests skip ends the previous one. */
  async function newSession(user: TestUser) {
    const { status, body } = await call(api, 'auth.login', { body: user });
    expect(status).toBe(200);
    return { token: String(body.data.token.accessToken) };
  }
});
