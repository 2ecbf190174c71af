// @module-tag slow

import { roles, type Role } from '@atelier/contract';
import { and, eq, inArray } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  accountActivities,
  activities,
  invitations,
  memberships,
  uploads,
} from '../../../db/generated/schema.ts';
import { newUser, type TestUser } from '../../../testing/accounts.ts';
import { call, someEmail } from '../../../testing/api.ts';
import { initiate, untilIdle } from '../../../testing/library.ts';
import { makeOffer, takeOffer, type TestOffer } from '../../../testing/offers.ts';
import { operate } from '../../../testing/operator.ts';
import { joinTeam, newTeam } from '../../../testing/organizations.ts';
import { times } from '../../../testing/crowd.ts';
import { setUpApi } from '../../../testing/set-up.ts';

const api = await setUpApi();
const [ada, grace, guest] = await Promise.all([
  newUser(api, 'ada'),
  newUser(api, 'grace'),
  newUser(api, 'guest'),
]);

let teamId: string;
let memberId: string;
beforeEach(async () => {
  teamId = (await newTeam(api, ada)).id;
});

type End = readonly [string, () => Promise<{ status: number }>];

const updateGrace = (body: unknown) =>
  call(api, 'organizations.updateMember', {
    token: ada.token,
    params: { id: teamId, memberId },
    body,
  });
const removeGrace = (by: TestUser = ada) =>
  call(api, 'organizations.removeMember', { token: by.token, params: { id: teamId, memberId } });
const statusesOf = async (offers: readonly TestOffer[]) => {
  const rows = await api.db
    .select()
    .from(invitations)
    .where(
      inArray(
        invitations.id,
        offers.map(({ id }) => id),
      ),
    );
  return Object.fromEntries(rows.map(({ role, status }) => [role, status]));
};
const lastActivity = async (action: 'member.update' | 'member.remove') => {
  const rows = await api.db.select().from(activities).where(eq(activities.organizationId, teamId));
  const [row, ...more] = rows.filter((candidate) => candidate.action === action);
  expect(more).toEqual([]);
  // A revoked invitation is recorded only by the change that revoked it.
  expect(rows.filter((candidate) => candidate.action === 'invitation.revoke')).toEqual([]);
  return row;
};

async function graceJoins(role: Role) {
  ({ memberId } = await joinTeam(api, teamId, grace, role));
}

/** An invitation for each role that Grace may grant. */
async function offersOfGrace(own: Role): Promise<TestOffer[]> {
  const granted = roles.slice(roles.indexOf(own));
  return Promise.all(
    granted.map((role) => makeOffer(api, grace, { teamId, email: someEmail(), role })),
  );
}

const ends: readonly End[] = [
  ['is removed', () => removeGrace()],
  ['leaves', () => removeGrace(grace)],
  ['is suspended', () => updateGrace({ status: 'SUSPENDED' })],
  ['becomes a MEMBER', () => updateGrace({ role: 'MEMBER' })],
  ['becomes a VIEWER', () => updateGrace({ role: 'VIEWER' })],
];

describe.each(['OWNER', 'ADMIN'] as const)('when an inviter who was %s', (own) => {
  test.each(ends)('%s, every open invitation is revoked and recorded with that', async (_, end) => {
    await graceJoins(own);
    const offers = await offersOfGrace(own);
    const [responded] = offers;
    const kept = await makeOffer(api, ada, { teamId, email: someEmail(), role: 'OWNER' });
    expect((await end()).status).toBe(200);
    expect(Object.values(await statusesOf(offers))).toEqual(offers.map(() => 'REVOKED'));
    expect(await statusesOf([kept])).toEqual({ OWNER: 'PENDING' });
    const activity = (await lastActivity('member.remove')) ?? (await lastActivity('member.update'));
    expect(activity?.metadata).toEqual({
      userId: grace.id,
      revokedInvitations: offers.length,
      revokedInvitationIds: expect.arrayContaining(offers.map(({ id }) => id)),
    });
    const preview = await call(api, 'organizations.getInvitation', {
      params: { token: String(responded?.token) },
    });
    expect([preview.status, preview.body.code]).toEqual([410, 'invitation_gone']);
  });
});

test('an owner who becomes an ADMIN keeps the invitations that an ADMIN may make', async () => {
  await graceJoins('OWNER');
  const offers = await offersOfGrace('OWNER');
  expect((await updateGrace({ role: 'ADMIN' })).status).toBe(200);
  expect(await statusesOf(offers)).toEqual({
    OWNER: 'REVOKED',
    ADMIN: 'PENDING',
    MEMBER: 'PENDING',
    VIEWER: 'PENDING',
  });
  expect((await lastActivity('member.update'))?.metadata).toMatchObject({ revokedInvitations: 1 });
});

test('a removed owner’s invitation creates no owner', async () => {
  await graceJoins('OWNER');
  const offer = await makeOffer(api, grace, { teamId, email: guest.email, role: 'OWNER' });
  expect((await removeGrace()).status).toBe(200);
  const response = await takeOffer(api, guest, offer);
  expect([response.status, response.body.code]).toEqual([410, 'invitation_gone']);
  const members = await api.db
    .select()
    .from(memberships)
    .where(eq(memberships.organizationId, teamId));
  expect(members.map(({ userId }) => userId)).toEqual([ada.id]);
});

test('an invitation renewed by another member stays open: it is theirs now', async () => {
  await graceJoins('OWNER');
  const email = someEmail();
  const offer = await makeOffer(api, grace, { teamId, email, role: 'OWNER' });
  await makeOffer(api, ada, { teamId, email, role: 'OWNER' });
  await removeGrace();
  expect(await statusesOf([offer])).toEqual({ OWNER: 'PENDING' });
});

test('promotion or reinstatement revokes nothing and restores nothing', async () => {
  await graceJoins('ADMIN');
  const offers = await offersOfGrace('ADMIN');
  await updateGrace({ role: 'OWNER' });
  expect(new Set(Object.values(await statusesOf(offers)))).toEqual(new Set(['PENDING']));
  await updateGrace({ status: 'SUSPENDED' });
  await updateGrace({ status: 'ACTIVE' });
  expect(new Set(Object.values(await statusesOf(offers)))).toEqual(new Set(['REVOKED']));
});

test('an activity names 20 of the invitations, and counts all of them', async () => {
  await graceJoins('ADMIN');
  await Promise.all(
    times(25, () => makeOffer(api, grace, { teamId, email: someEmail(), role: 'VIEWER' })),
  );
  await removeGrace();
  const metadata = (await lastActivity('member.remove'))?.metadata;
  expect(metadata).toMatchObject({ revokedInvitations: 25 });
  expect(metadata?.['revokedInvitationIds']).toHaveLength(20);
});

test('an account suspended by the operator loses its invitations in all organizations, permanently', async () => {
  const eve = await newUser(api, 'eve');
  const other = await newTeam(api, ada);
  await joinTeam(api, teamId, eve, 'OWNER');
  await joinTeam(api, other.id, eve, 'ADMIN');
  const offers = [
    await makeOffer(api, eve, { teamId, email: guest.email, role: 'OWNER' }),
    await makeOffer(api, eve, { teamId: other.id, email: guest.email, role: 'ADMIN' }),
  ];
  const environment = { DATABASE_URL: api.config.DATABASE_URL };
  const suspended = await operate(['suspend', eve.email], environment);
  expect(suspended.stdout).toContain('Open invitations that it made: 2 revoked.');
  expect(await statusesOf(offers)).toEqual({ OWNER: 'REVOKED', ADMIN: 'REVOKED' });
  const [activity] = await api.db
    .select()
    .from(accountActivities)
    .where(
      and(eq(accountActivities.resourceId, eve.id), eq(accountActivities.action, 'user.suspend')),
    );
  expect(activity?.metadata).toEqual({ revokedInvitations: 2 });
  await operate(['reinstate', eve.email], environment);
  for (const offer of offers) expect((await takeOffer(api, guest, offer)).status).toBe(410);
});

describe('uploads under way', () => {
  const file = { fileName: 'a.txt', contentType: 'text/plain', content: Buffer.from('content') };

  async function uploadOfGrace() {
    await graceJoins('MEMBER');
    return uploadOf(grace);
  }

  async function uploadOf({ token }: TestUser) {
    const body = { title: 'Uploads' };
    const as = { token, organizationId: teamId };
    const collection = await call(api, 'collections.create', { ...as, body });
    const collectionId = String(collection.body.data.id);
    return initiate(api, { token }, file, { collectionId, organizationId: teamId });
  }

  test.each([
    ['is removed', () => removeGrace()],
    ['leaves', () => removeGrace(grace)],
    [
      'loses the organization',
      () =>
        call(api, 'organizations.remove', {
          token: ada.token,
          params: { id: teamId },
          query: { confirmName: 'Analytical Engines' },
        }),
    ],
  ])('are aborted when a member %s, and their addresses are invalid', async (_, end) => {
    const { uploadId, parts } = await uploadOfGrace();
    expect((await end()).status).toBe(200);
    const [row] = await api.db.select().from(uploads).where(eq(uploads.id, uploadId));
    expect(row?.status).toBe('ABORTED');
    await untilIdle(api);
    const put = await fetch(String(parts[0]?.url), { method: 'PUT', body: file.content });
    expect([put.status, await put.text()]).toEqual([404, expect.stringContaining('NoSuchUpload')]);
  });

  test('are recorded in the activity of the removal; those of others continue', async () => {
    const { uploadId } = await uploadOfGrace();
    const kept = await uploadOf(ada);
    await removeGrace();
    expect((await lastActivity('member.remove'))?.metadata).toMatchObject({ abortedUploads: 1 });
    const rows = await api.db
      .select()
      .from(uploads)
      .where(inArray(uploads.id, [uploadId, kept.uploadId]));
    expect(Object.fromEntries(rows.map(({ id, status }) => [id, status]))).toEqual({
      [uploadId]: 'ABORTED',
      [kept.uploadId]: 'ACTIVE',
    });
  });
});
