// @module-tag slow

import type { Role } from '@atelier/contract';
import { and, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { activities, invitations, memberships } from '../../../db/generated/schema.ts';
import { newUser, type TestUser } from '../../../testing/accounts.ts';
import {
  call,
  cloneDatabase,
  someEmail,
  type TestResponse,
  type TestApi,
} from '../../../testing/api.ts';
import { crowdVariables, times } from '../../../testing/crowd.ts';
import { makeOffer, takeOffer, type TestOffer } from '../../../testing/offers.ts';
import { joinTeam, newTeam } from '../../../testing/organizations.ts';
import { setUpApi } from '../../../testing/set-up.ts';
import { verifyDatabase } from '../../../domain/verify/verify.ts';

// 40 requests at once through two instances, five rounds of each race.
const rounds = 5;

const databaseUrl = await cloneDatabase();
const api = await setUpApi(crowdVariables, { databaseUrl });
const other = await setUpApi({ ...crowdVariables, JOBS: 'separate' }, { databaseUrl });
const [ada, grace] = await Promise.all([newUser(api, 'ada'), newUser(api, 'grace')]);
const guests = await Promise.all(times(12, (index) => newUser(api, `guest${index}`)));

interface Team {
  readonly id: string;
  /** Grace's membership. */
  readonly memberId: string;
}

/** Sends requests in parallel, alternating between both processes. */
type Move = (through: TestApi) => Promise<TestResponse>;

async function teamOf(role: Role = 'OWNER'): Promise<Team> {
  const { id } = await newTeam(api, ada);
  const { memberId } = await joinTeam(api, id, grace, role);
  return { id, memberId };
}

const invite =
  ({ id }: Team, role: Role): Move =>
  (through) =>
    call(through, 'organizations.invite', {
      token: grace.token,
      params: { id },
      body: { email: someEmail(), role },
    });
const update =
  ({ id, memberId }: Team, body: unknown): Move =>
  (through) =>
    call(through, 'organizations.updateMember', {
      token: ada.token,
      params: { id, memberId },
      body,
    });
const remove =
  ({ id, memberId }: Team, by: TestUser = ada): Move =>
  (through) =>
    call(through, 'organizations.removeMember', { token: by.token, params: { id, memberId } });
const revoke =
  ({ id }: Team, offer: TestOffer): Move =>
  (through) =>
    call(through, 'organizations.revokeInvitation', {
      token: grace.token,
      params: { id, invitationId: offer.id },
    });

async function atOnce(moves: readonly Move[]): Promise<TestResponse[]> {
  expect(moves).toHaveLength(40);
  const responses = await Promise.all(moves.map((move, index) => move(index % 2 ? api : other)));
  for (const { status } of responses) expect(status).toBeLessThan(500);
  return responses;
}

/** Inserts another move, later in each round. */
const among = (moves: readonly Move[], move: Move, round: number) =>
  moves.toSpliced(Math.floor((moves.length * round) / rounds), 0, move);

const openOf = (team: Team, inviter: TestUser) =>
  api.db
    .select({ role: invitations.role })
    .from(invitations)
    .where(
      and(
        eq(invitations.organizationId, team.id),
        eq(invitations.invitedBy, inviter.id),
        eq(invitations.status, 'PENDING'),
      ),
    );
const membersOf = (team: Team) =>
  api.db.select().from(memberships).where(eq(memberships.organizationId, team.id));

/** Checks that activities match successful requests one to one. */
async function expectRecorded(team: Team, responses: readonly TestResponse[], before: number) {
  const done = responses.filter(({ status }) => status < 300).length;
  expect(await api.db.$count(activities, eq(activities.organizationId, team.id))).toBe(
    before + done,
  );
}

/** The result of the operator's verify command; teams and members of these tests have no activities. */
async function expectNothingBroken() {
  const results = await verifyDatabase(api.db);
  const broken = results.filter(({ total }) => total > 0).map(({ name }) => name);
  expect(broken.filter((name) => name !== 'creations-are-recorded')).toEqual([]);
}

const lowerings: readonly (readonly [string, (team: Team) => Move])[] = [
  ['a removal', (team) => remove(team)],
  ['leaving', (team) => remove(team, grace)],
  ['a suspension', (team) => update(team, { status: 'SUSPENDED' })],
  ['a demotion', (team) => update(team, { role: 'MEMBER' })],
];

describe.each(lowerings)('39 invitations beside %s', (_, lower) => {
  test('leave no open invitation of the inviter', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const team = await teamOf();
      const responses = await atOnce(
        among(
          times(39, () => invite(team, 'OWNER')),
          lower(team),
          round,
        ),
      );
      expect(await openOf(team, grace)).toEqual([]);
      await expectRecorded(team, responses, 0);
      const late = await invite(team, 'VIEWER')(api);
      expect([403, 404]).toContain(late.status);
    }
    await expectNothingBroken();
  });
});

test('39 invitations in parallel with a demotion to ADMIN leave none for an owner', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const team = await teamOf();
    const invites = times(39, (index) => invite(team, index % 2 ? 'OWNER' : 'ADMIN'));
    const responses = await atOnce(among(invites, update(team, { role: 'ADMIN' }), round));
    const open = await openOf(team, grace);
    expect(open.filter(({ role }) => role !== 'ADMIN')).toEqual([]);
    // An ADMIN's own invitations were neither refused nor revoked.
    expect(open).toHaveLength(20);
    await expectRecorded(team, responses, 0);
  }
  await expectNothingBroken();
});

test('acceptances in parallel with the removal of their inviter: joined before it, or gone', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const team = await teamOf();
    const offers = await Promise.all(
      guests.map(({ email }) => makeOffer(api, grace, { teamId: team.id, email, role: 'OWNER' })),
    );
    const accepts = guests.flatMap((guest, index): Move[] =>
      times(
        3,
        () => (through) => takeOffer(through, guest, offers[index] ?? { id: '', token: '' }),
      ),
    );
    const fill = times(3, () => invite(team, 'OWNER'));
    const moves = among([...accepts, ...fill], remove(team), round);
    const responses = await atOnce(moves);

    const joined = new Set((await membersOf(team)).map(({ userId }) => userId));
    expect(joined.has(grace.id)).toBe(false);
    expect(joined.has(ada.id)).toBe(true);
    const accepted = responses.filter(({ body }) => body.data?.status === 'ACCEPTED');
    expect(joined.size).toBe(1 + accepted.length);
    expect(await openOf(team, grace)).toEqual([]);
    await expectRecorded(team, responses, guests.length);
    for (const [index, guest] of guests.entries()) {
      const again = await takeOffer(api, guest, offers[index] ?? { id: '', token: '' });
      expect(again.status).toBe(410);
    }
  }
  await expectNothingBroken();
});

test('inviting, revoking, accepting, demoting, promoting and removing in parallel stay consistent', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const team = await teamOf();
    const offers = await Promise.all(
      guests.map(({ email }, index) =>
        makeOffer(api, grace, {
          teamId: team.id,
          email,
          role: index % 2 ? 'OWNER' : 'MEMBER',
        }),
      ),
    );
    const offerOf = (index: number) => offers[index] ?? { id: '', token: '' };
    const accepts = guests.map(
      (guest, index): Move =>
        (through) =>
          takeOffer(through, guest, offerOf(index)),
    );
    const revokes = guests.map((_, index) => revoke(team, offerOf(index)));
    const changes = [
      update(team, { role: 'ADMIN' }),
      update(team, { role: 'OWNER' }),
      update(team, { status: 'SUSPENDED' }),
      update(team, { status: 'ACTIVE' }),
    ];
    const invites = times(11, (index) => invite(team, index % 2 ? 'OWNER' : 'VIEWER'));
    const mixed = [...invites, ...accepts, ...changes, ...revokes];
    const shuffled = mixed.map((_, index) => mixed[(index * 7 + round) % mixed.length] ?? mixed[0]);
    const moves = shuffled.filter((move) => move !== undefined);
    await atOnce(among(moves, remove(team), round));

    const members = await membersOf(team);
    expect(members.some(({ userId }) => userId === grace.id)).toBe(false);
    expect(await openOf(team, grace)).toEqual([]);
    const accepted = await api.db.$count(
      invitations,
      and(eq(invitations.organizationId, team.id), eq(invitations.status, 'ACCEPTED')),
    );
    expect(members).toHaveLength(1 + accepted);
  }
  await expectNothingBroken();
});

test('40 invitations in parallel with the deletion of the organization leave none open', async () => {
  const team = await teamOf();
  const deletion: Move = (through) =>
    call(through, 'organizations.remove', {
      token: ada.token,
      params: { id: team.id },
      query: { confirmName: 'Analytical Engines' },
    });
  await atOnce(
    among(
      times(39, () => invite(team, 'OWNER')),
      deletion,
      2,
    ),
  );
  expect(await openOf(team, grace)).toEqual([]);
  expect(await membersOf(team)).toEqual([]);
  await expectNothingBroken();
});
