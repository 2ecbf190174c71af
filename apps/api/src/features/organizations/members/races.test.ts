// @module-tag slow

import type { Role } from '@atelier/contract';
import { and, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { activities, collections, memberships } from '../../../db/generated/schema.ts';
import { lockMemberExclusively } from '../../../domain/authority/queries.ts';
import { newUser, type TestUser } from '../../../testing/accounts.ts';
import { call, type TestResponse } from '../../../testing/api.ts';
import { untilWaiting } from '../../../testing/crowd.ts';
import { joinTeam, newTeam, whileLocked } from '../../../testing/organizations.ts';
import { setUpApi } from '../../../testing/set-up.ts';

const api = await setUpApi();
const [ada, grace, linus] = await Promise.all([
  newUser(api, 'ada'),
  newUser(api, 'grace'),
  newUser(api, 'linus'),
]);

interface Member {
  readonly user: TestUser;
  readonly memberId: string;
}

const update = (id: string, by: Member, whom: Member, body: unknown) =>
  call(api, 'organizations.updateMember', {
    token: by.user.token,
    params: { id, memberId: whom.memberId },
    body,
  });
const remove = (id: string, by: Member, whom: Member) =>
  call(api, 'organizations.removeMember', {
    token: by.user.token,
    params: { id, memberId: whom.memberId },
  });

/** A team with two members; only the first one's role is always OWNER. */
async function teamOfTwo(role: Role = 'OWNER') {
  const { id } = await newTeam(api, ada);
  const [first] = await api.db
    .select({ memberId: memberships.id })
    .from(memberships)
    .where(eq(memberships.organizationId, id));
  const { memberId } = await joinTeam(api, id, grace, role);
  const a: Member = { user: ada, memberId: String(first?.memberId) };
  return { id, a, b: { user: grace, memberId } satisfies Member };
}

const activeOwnersOf = (id: string) =>
  api.db.$count(
    memberships,
    and(
      eq(memberships.organizationId, id),
      eq(memberships.role, 'OWNER'),
      eq(memberships.status, 'ACTIVE'),
    ),
  );
const activityCountOf = (id: string) =>
  api.db.$count(activities, eq(activities.organizationId, id));

type Team = Awaited<ReturnType<typeof teamOfTwo>>;

const duels = [
  [
    'demoting each other',
    ({ id, a, b }: Team) => [
      () => update(id, a, b, { role: 'ADMIN' }),
      () => update(id, b, a, { role: 'ADMIN' }),
    ],
  ],
  [
    'suspending each other',
    ({ id, a, b }: Team) => [
      () => update(id, a, b, { status: 'SUSPENDED' }),
      () => update(id, b, a, { status: 'SUSPENDED' }),
    ],
  ],
  ['removing each other', ({ id, a, b }: Team) => [() => remove(id, a, b), () => remove(id, b, a)]],
  ['leaving at once', ({ id, a, b }: Team) => [() => remove(id, a, a), () => remove(id, b, b)]],
  [
    'demoting and leaving',
    ({ id, a, b }: Team) => [() => update(id, a, a, { role: 'MEMBER' }), () => remove(id, b, b)],
  ],
  [
    'suspending and removing',
    ({ id, a, b }: Team) => [
      () => update(id, a, b, { status: 'SUSPENDED' }),
      () => remove(id, b, a),
    ],
  ],
] as const;

describe.each(duels)('two owners %s', (_, movesOf) => {
  test('exactly one succeeds and an active owner stays, 10 times', async () => {
    for (let round = 1; round <= 10; round += 1) {
      const team = await teamOfTwo();
      const moves = movesOf(team);
      const responses = await whileLocked(api, team.id, round % 2 ? moves : moves.toReversed());
      const refused = responses.filter(({ status }) => status !== 200);
      expect(refused).toHaveLength(1);
      // The second one is no longer an owner or a member, or is the last owner.
      expect(['permission_denied', 'not_found', 'last_owner']).toContain(refused[0]?.body.code);
      expect(await activeOwnersOf(team.id)).toBe(1);
      expect(await activityCountOf(team.id)).toBe(1);
    }
  });

  test('the same holds without a common start, 10 times', async () => {
    for (let round = 1; round <= 10; round += 1) {
      const team = await teamOfTwo();
      const responses = await Promise.all(movesOf(team).map((move) => move()));
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const { status } of responses) expect(status).toBeLessThan(500);
      expect(await activeOwnersOf(team.id)).toBe(1);
    }
  });
});

test.each(duels.slice(0, 3))(
  'of two owners %s exactly one succeeds even if a third remains',
  async (_, movesOf) => {
    const team = await teamOfTwo();
    await joinTeam(api, team.id, linus, 'OWNER');
    const responses = await whileLocked(api, team.id, movesOf(team));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await activeOwnersOf(team.id)).toBe(2);
    expect(await activityCountOf(team.id)).toBe(1);
  },
);

test('20 removals of one member in parallel remove once', async () => {
  const { id, a, b } = await teamOfTwo('MEMBER');
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) => remove(id, index % 2 ? a : b, b)),
  );
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(404)]);
  expect(await activityCountOf(id)).toBe(1);
});

test('a rename by a member whose role was revoked while it waited is refused', async () => {
  const { id, a, b } = await teamOfTwo('ADMIN');
  const rename = () =>
    call(api, 'organizations.rename', {
      token: b.user.token,
      params: { id },
      body: { name: 'Taken over' },
    });
  const { underWay } = await api.db.transaction(async (tx) => {
    // Same as a change of members; the rename has checked its role already, and checks it again.
    await lockMemberExclusively(tx, { organizationId: id, id: b.memberId });
    const underWay = rename();
    await untilWaiting(tx, 1);
    await tx.update(memberships).set({ role: 'VIEWER' }).where(eq(memberships.id, b.memberId));
    return { underWay };
  });
  const response = await underWay;
  expect([response.status, response.body.code]).toEqual([403, 'permission_denied']);
  const read = await call(api, 'organizations.get', { token: a.user.token, params: { id } });
  expect(read.body.data.name).not.toBe('Taken over');
});

describe.each([
  ['removed', ({ id, a, b }: Team) => remove(id, a, b)],
  ['suspended', ({ id, a, b }: Team) => update(id, a, b, { status: 'SUSPENDED' })],
] as const)('a member who is %s while they write', (_, end) => {
  test('is refused from the response on, and successful responses match the stored rows', async () => {
    const team = await teamOfTwo('MEMBER');
    const written = new Set<string>();
    const afterwards: TestResponse[] = [];
    let isOver = false;
    const create = () =>
      call(api, 'collections.create', {
        token: grace.token,
        organizationId: team.id,
        body: { title: 'Written' },
      });
    const writeOn = async () => {
      for (let call = 1; afterwards.length < 20; call += 1) {
        const beganAfterwards = isOver;
        const response = await create();
        expect([201, 403]).toContain(response.status);
        if (response.status === 201) written.add(response.body.data.id);
        if (beganAfterwards) afterwards.push(response);
      }
    };
    const writers = [writeOn(), writeOn(), writeOn()];
    await expect.poll(() => written.size).toBeGreaterThan(10);
    expect((await end(team)).status).toBe(200);
    isOver = true;
    await Promise.all(writers);

    for (const { status, body } of afterwards) {
      expect([status, body.code]).toEqual([403, 'organization_access_denied']);
    }
    const stored = await api.db
      .select({ id: collections.id, createdBy: collections.createdBy })
      .from(collections)
      .where(eq(collections.organizationId, team.id));
    expect(new Set(stored.map(({ id }) => id))).toEqual(written);
    expect(new Set(stored.map(({ createdBy }) => createdBy))).toEqual(new Set([grace.id]));
    // One for each collection, and one for the end.
    expect(await activityCountOf(team.id)).toBe(written.size + 1);
  });
});
