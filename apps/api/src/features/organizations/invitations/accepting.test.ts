// @module-tag slow

import { and, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import {
  activities,
  invitations,
  memberships,
  organizations,
  plans,
} from '../../../db/generated/schema.ts';
import { newId, newSecretToken } from '../../../kernel/ids.ts';
import { crowd, organizationRow } from '../../../testing/crowd.ts';
import { logIn, newUser, nextMail, somePassword, tokenIn } from '../../../testing/accounts.ts';
import { call, someEmail, type CallOptions } from '../../../testing/api.ts';
import { invitationTokenIn, invite } from '../../../testing/invitations.ts';
import { joinTeam, newTeam } from '../../../testing/organizations.ts';
import { setUpApi } from '../../../testing/set-up.ts';
/** Mails that the invited user has received. */
let mails = 1;

const api = await setUpApi();
const [owner, guest] = await Promise.all([newUser(api, 'owner'), newUser(api, 'guest')]);

const day = 24 * 60 * 60;

const preview = (token: string) => call(api, 'organizations.getInvitation', { params: { token } });
const accept = (token: string, options: CallOptions = {}) =>
  call(api, 'organizations.acceptInvitation', {
    token: guest.token,
    params: { token },
    ...options,
  });
const membershipsOf = (userId: string, teamId: string) =>
  api.db
    .select()
    .from(memberships)
    .where(and(eq(memberships.organizationId, teamId), eq(memberships.userId, userId)));
const joinsOf = (teamId: string) =>
  api.db
    .select()
    .from(activities)
    .where(and(eq(activities.organizationId, teamId), eq(activities.action, 'member.join')));
const statusOf = async (id: string) => {
  const [row] = await api.db.select().from(invitations).where(eq(invitations.id, id));
  return row?.status;
};

async function inviteGuest(teamId: string, role: 'MEMBER' | 'ADMIN' = 'MEMBER') {
  mails += 1;
  return invite(api, owner, { teamId, email: guest.email, role, mails });
}

async function expectNoMember(teamId: string) {
  expect(await membershipsOf(guest.id, teamId)).toEqual([]);
  expect(await joinsOf(teamId)).toEqual([]);
}

describe('reading an invitation', () => {
  test('needs no login and masks the address', async () => {
    const team = await newTeam(api, owner, 'Difference Engines');
    const { id, token } = await inviteGuest(team.id);
    const { status, body, headers } = await preview(token);
    expect([status, body]).toEqual([
      200,
      {
        message: 'Invitation retrieved',
        data: {
          id,
          email: 'g****@example.com',
          role: 'MEMBER',
          status: 'PENDING',
          expiresAt: expect.any(String),
          invitedBy: { id: owner.id, displayName: owner.email.split('@')[0] },
          organization: { id: team.id, name: 'Difference Engines' },
        },
      },
    ]);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('masks all of an address of one letter', async () => {
    const team = await newTeam(api, owner);
    const email = `x@${newId()}.example.com`;
    const { token } = await invite(api, owner, { teamId: team.id, email, mails: 1 });
    const { body } = await preview(token);
    expect(body.data.email).toBe(`****${email.slice(1)}`);
  });

  test.each([
    ['unknown', newSecretToken()],
    ['too short', 'abc'],
    ['of other characters', `${'a'.repeat(42)}é`],
    ['SQL', "' or 1=1 --"],
    ['a path', '../../../etc/passwd'],
    ['as long as a path may be', 'a'.repeat(512)],
  ])('and accepting is a 404 for a token that is %s', async (_, token) => {
    for (const response of [await preview(token), await accept(token)]) {
      expect(response.status).toBe(404);
    }
  });

  test('and accepting is a 400 for a token longer than any path may be', async () => {
    const token = 'a'.repeat(513);
    for (const response of [await preview(token), await accept(token)]) {
      expect([response.status, response.body.code]).toEqual([400, 'malformed_request']);
    }
  });

  test('a token that is nearly right is refused', async () => {
    const team = await newTeam(api, owner);
    const { token } = await inviteGuest(team.id);
    const mirrored = token.split('').toReversed().join('');
    expect((await preview(mirrored)).status).toBe(404);
    expect((await preview(token.slice(0, -1))).status).toBe(404);
    expect((await preview(`${token}A`)).status).toBe(404);
  });
});

describe('accepting', () => {
  test('creates one membership with the offered role and one activity', async () => {
    const team = await newTeam(api, owner);
    const { id, token } = await inviteGuest(team.id, 'ADMIN');
    const { status, body } = await accept(token);
    expect([status, body.message]).toEqual([200, 'Invitation accepted']);
    expect(body.data).toMatchObject({
      id,
      email: guest.email,
      role: 'ADMIN',
      status: 'ACCEPTED',
      organization: { id: team.id },
    });
    const [membership, ...more] = await membershipsOf(guest.id, team.id);
    expect(more).toEqual([]);
    expect(membership).toMatchObject({ role: 'ADMIN', status: 'ACTIVE' });
    expect(await joinsOf(team.id)).toEqual([
      expect.objectContaining({
        actorId: guest.id,
        resourceType: 'member',
        resourceId: membership?.id,
        changes: [{ field: 'role', from: null, to: 'ADMIN' }],
        metadata: { invitationId: id },
      }),
    ]);
    expect(await statusOf(id)).toBe('ACCEPTED');
    // The role applies to the new member at once.
    const collections = await call(api, 'collections.list', {
      token: guest.token,
      organizationId: team.id,
    });
    expect(collections.status).toBe(200);
  });

  test('needs a login', async () => {
    const team = await newTeam(api, owner);
    const { token } = await inviteGuest(team.id);
    const response = await call(api, 'organizations.acceptInvitation', { params: { token } });
    expect(response.status).toBe(401);
    await expectNoMember(team.id);
  });

  test('by another user is refused and does not affect the invitation', async () => {
    const team = await newTeam(api, owner);
    const { token } = await inviteGuest(team.id);
    const thief = await newUser(api, 'thief');
    for (const other of [thief, owner]) {
      const response = await accept(token, { token: other.token });
      expect([response.status, response.body.code]).toEqual([403, 'invitation_email_mismatch']);
      expect(response.text).not.toContain(guest.email);
    }
    expect(await membershipsOf(thief.id, team.id)).toEqual([]);
    expect((await accept(token)).status).toBe(200);
  });

  test('by a member is a conflict and leaves the invitation unchanged', async () => {
    const team = await newTeam(api, owner);
    const { id, token } = await inviteGuest(team.id, 'ADMIN');
    await joinTeam(api, team.id, guest, 'VIEWER', 'SUSPENDED');
    const { status, body } = await accept(token);
    expect([status, body.code]).toEqual([409, 'already_member']);
    expect(await membershipsOf(guest.id, team.id)).toEqual([
      expect.objectContaining({ role: 'VIEWER', status: 'SUSPENDED' }),
    ]);
    expect([await statusOf(id), await joinsOf(team.id)]).toEqual(['PENDING', []]);
  });

  test('20 times in parallel creates one member; the others get a 410', async () => {
    const team = await newTeam(api, owner);
    const { token } = await inviteGuest(team.id);
    const responses = await crowd(
      api,
      organizationRow(team.id),
      Array.from({ length: 20 }, () => () => accept(token)),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(410)]);
    expect(await membershipsOf(guest.id, team.id)).toHaveLength(1);
    expect(await joinsOf(team.id)).toHaveLength(1);
  });

  test('again with the same Idempotency-Key replays the success', async () => {
    const team = await newTeam(api, owner);
    const { token } = await inviteGuest(team.id);
    const options = { headers: { 'idempotency-key': newId() } };
    const first = await accept(token, options);
    const again = await accept(token, options);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect((await accept(token)).status).toBe(410);
    expect(await joinsOf(team.id)).toHaveLength(1);
  });

  test('in parallel with a revocation: one of the two succeeds, and the state matches', async () => {
    for (let round = 0; round < 5; round += 1) {
      const team = await newTeam(api, owner);
      const { id, token } = await inviteGuest(team.id);
      const accepting = () => accept(token);
      const revoking = () =>
        call(api, 'organizations.revokeInvitation', {
          token: owner.token,
          params: { id: team.id, invitationId: id },
        });
      const first = round % 2 === 0 ? [accepting, revoking] : [revoking, accepting];
      const responses = (await crowd(api, organizationRow(team.id), first)).map(
        ({ status }) => status,
      );
      const [accepted, revoked] = round % 2 === 0 ? responses : responses.toReversed();
      const joined = accepted === 200;
      expect([accepted, revoked]).toEqual(joined ? [200, 410] : [410, 200]);
      expect(await membershipsOf(guest.id, team.id)).toHaveLength(joined ? 1 : 0);
      expect(await statusOf(id)).toBe(joined ? 'ACCEPTED' : 'REVOKED');
    }
  });
});

describe('accepting within the plan', () => {
  async function teamOfOnePlace(limit: number) {
    const team = await newTeam(api, owner);
    await api.db.update(plans).set({ maxMembers: limit }).where(eq(plans.code, 'PRO'));
    await api.db
      .update(organizations)
      .set({ planCode: 'PRO' })
      .where(eq(organizations.id, team.id));
    return team;
  }

  test('an invitation reserves a place for its addressee', async () => {
    const team = await teamOfOnePlace(2);
    const { token } = await inviteGuest(team.id);
    expect((await accept(token)).status).toBe(200);
  });

  test('is refused when the plan has shrunk since; a free place lets it succeed', async () => {
    const team = await teamOfOnePlace(2);
    const { id, token } = await inviteGuest(team.id);
    await api.db.update(plans).set({ maxMembers: 1 }).where(eq(plans.code, 'PRO'));
    const { status, body } = await accept(token);
    expect([status, body.code]).toEqual([409, 'plan_limit_reached']);
    await expectNoMember(team.id);
    expect(await statusOf(id)).toBe('PENDING');
    await api.db.update(plans).set({ maxMembers: 2 }).where(eq(plans.code, 'PRO'));
    expect((await accept(token)).status).toBe(200);
  });

  test('by many in parallel does not exceed the plan', async () => {
    const team = await teamOfOnePlace(5);
    const guests = await Promise.all(Array.from({ length: 4 }, () => newUser(api)));
    const links = await Promise.all(
      guests.map(({ email }) => invite(api, owner, { teamId: team.id, email, mails: 2 })),
    );
    await api.db.update(plans).set({ maxMembers: 3 }).where(eq(plans.code, 'PRO'));
    const responses = await crowd(
      api,
      organizationRow(team.id),
      links.map(
        ({ token }, index) =>
          () =>
            accept(token, { token: String(guests[index]?.token) }),
      ),
    );
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409]);
    expect(await joinsOf(team.id)).toHaveLength(2);
  });
});

describe('the addressee of an invitation', () => {
  test('without an account registers, then accepts with the same link', async () => {
    const team = await newTeam(api, owner);
    const email = someEmail('newcomer');
    const { token } = await invite(api, owner, { teamId: team.id, email, mails: 1 });
    await call(api, 'auth.register', { body: { email, password: somePassword } });
    const verification = tokenIn(await nextMail(email, 2));
    // Until the mailbox is proven there is no login, and so no way to accept.
    const early = await call(api, 'auth.login', { body: { email, password: somePassword } });
    expect(early.body.code).toBe('account_pending');
    await call(api, 'auth.verifyEmail', { body: { token: verification } });
    const newcomer = await logIn(api, { email, password: somePassword });
    expect((await accept(token, { token: newcomer.token })).status).toBe(200);
    expect(await membershipsOf(newcomer.id, team.id)).toHaveLength(1);
  });

  test('with a pending account has to verify it: the invitation does not', async () => {
    const team = await newTeam(api, owner);
    const email = someEmail('pending');
    await call(api, 'auth.register', { body: { email, password: somePassword } });
    const verification = tokenIn(await nextMail(email, 1));
    await call(api, 'organizations.invite', {
      token: owner.token,
      params: { id: team.id },
      body: { email },
    });
    const token = invitationTokenIn(await nextMail(email, 2));
    expect((await preview(token)).status).toBe(200);
    const login = await call(api, 'auth.login', { body: { email, password: somePassword } });
    expect(login.status).toBe(400);
    await call(api, 'auth.verifyEmail', { body: { token: verification } });
    const verified = await logIn(api, { email, password: somePassword });
    expect((await accept(token, { token: verified.token })).status).toBe(200);
  });

  test('who was removed since needs another invitation', async () => {
    const team = await newTeam(api, owner);
    const { id, token } = await inviteGuest(team.id);
    await accept(token);
    await api.db.delete(memberships).where(eq(memberships.userId, guest.id));
    expect((await accept(token)).body.code).toBe('invitation_gone');
    const again = await inviteGuest(team.id);
    expect(again.id).not.toBe(id);
    expect((await accept(again.token)).status).toBe(200);
  });
});

describe('an invalid invitation', () => {
  test('is gone once its inviter is no longer a member, whatever its row says', async () => {
    const team = await newTeam(api, owner);
    const { id, token } = await inviteGuest(team.id);
    await api.db.delete(memberships).where(eq(memberships.organizationId, team.id));
    expect(await statusOf(id)).toBe('PENDING');
    for (const response of [await preview(token), await accept(token)]) {
      expect([response.status, response.body.code]).toEqual([410, 'invitation_gone']);
    }
    await expectNoMember(team.id);
  });

  test('is gone for everyone when its organization was deleted', async () => {
    const team = await newTeam(api, owner);
    const { token } = await inviteGuest(team.id);
    await api.db
      .update(organizations)
      .set({ deletedAt: api.clock.now() })
      .where(eq(organizations.id, team.id));
    const stranger = await accept(token, { token: owner.token });
    for (const response of [await preview(token), await accept(token), stranger]) {
      expect([response.status, response.body.code]).toEqual([410, 'invitation_gone']);
    }
    await expectNoMember(team.id);
  });

  test('is gone after seven days, to the second', async () => {
    const team = await newTeam(api, owner);
    const { id, token } = await inviteGuest(team.id);
    api.clock.advance({ seconds: 7 * day - 120 });
    const session = await logIn(api, guest);
    expect((await preview(token)).status).toBe(200);
    api.clock.advance({ seconds: 120 });
    expect((await preview(token)).body.code).toBe('invitation_gone');
    expect((await accept(token, { token: session.token })).body.code).toBe('invitation_gone');
    await expectNoMember(team.id);
    expect(await statusOf(id)).toBe('PENDING');
  });
});
