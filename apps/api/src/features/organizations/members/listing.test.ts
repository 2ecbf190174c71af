import { and, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { memberships, users } from '../../../db/generated/schema.ts';
import { newUser, type TestUser } from '../../../testing/accounts.ts';
import { call, type CallOptions } from '../../../testing/api.ts';
import { joinTeam, newTeam } from '../../../testing/organizations.ts';
import { setUpApi } from '../../../testing/set-up.ts';

const api = await setUpApi();
const [owner, ada, grace, stranger] = await Promise.all([
  newUser(api, 'owner'),
  newUser(api, 'ada'),
  newUser(api, 'grace'),
  newUser(api, 'stranger'),
]);

const list = (id: string, query: NonNullable<CallOptions['query']> = {}, as = owner) =>
  call(api, 'organizations.listMembers', { token: as.token, params: { id }, query });

/** A team of `owner` with one more member. */
async function teamWith(user: TestUser, role: 'ADMIN' | 'MEMBER' | 'VIEWER') {
  const { id } = await newTeam(api, owner);
  return { id, ...(await joinTeam(api, id, user, role)) };
}

/** Two who join within one millisecond would be sorted by id. */
async function joinedInOrder(organizationId: string, people: readonly TestUser[]) {
  for (const [index, { id }] of people.entries()) {
    await api.db
      .update(memberships)
      .set({ joinedAt: new Date(Date.UTC(2026, 0, 1 + index)) })
      .where(and(eq(memberships.organizationId, organizationId), eq(memberships.userId, id)));
  }
}

describe('listing members', () => {
  test('shows them to active members only', async () => {
    const team = await teamWith(ada, 'VIEWER');
    await joinTeam(api, team.id, grace, 'ADMIN', 'SUSPENDED');
    await newTeam(api, stranger);
    await joinedInOrder(team.id, [owner, ada, grace]);
    const { status, body } = await list(team.id, {}, ada);
    expect([status, body.message]).toEqual([200, 'Members retrieved']);
    expect(body.data.pagination.total).toBe(3);
    expect(body.data.items.map(({ userId }: { userId: string }) => userId)).toEqual([
      owner.id,
      ada.id,
      grace.id,
    ]);
    expect(body.data.items[1]).toEqual({
      id: team.memberId,
      userId: ada.id,
      user: {
        id: ada.id,
        displayName: ada.email.split('@')[0],
        email: ada.email,
        avatarUrl: null,
      },
      role: 'VIEWER',
      status: 'ACTIVE',
      joinedAt: '2026-01-02T00:00:00.000Z',
    });
    for (const as of [grace, stranger]) {
      const response = await list(team.id, {}, as);
      expect([response.status, response.body.code]).toEqual([404, 'not_found']);
    }
  });

  test('filters by role, status, name and email, with literal text', async () => {
    const team = await teamWith(ada, 'ADMIN');
    await joinTeam(api, team.id, grace, 'MEMBER', 'SUSPENDED');
    await api.db
      .update(users)
      .set({ firstName: 'Grace', lastName: 'Murray Hopper 100%' })
      .where(eq(users.id, grace.id));
    const found = async (query: NonNullable<CallOptions['query']>) => {
      const { data } = (await list(team.id, query)).body;
      expect(data.pagination.total).toBe(data.items.length);
      return data.items.map(({ user }: { user: { email: string } }) => user.email);
    };
    expect(await found({ role: 'ADMIN' })).toEqual([ada.email]);
    expect(await found({ status: 'SUSPENDED' })).toEqual([grace.email]);
    expect(await found({ status: 'ACTIVE', role: 'MEMBER' })).toEqual([]);
    expect(await found({ q: 'e MURRAY h' })).toEqual([grace.email]);
    expect(await found({ q: ada.email.toUpperCase() })).toEqual([ada.email]);
    expect(await found({ q: '0%' })).toEqual([grace.email]);
    expect(await found({ q: '_' })).toEqual([]);
    expect(await found({ q: stranger.email })).toEqual([]);
    expect(await found({ q: '@example.com', sort: 'name' })).toEqual([
      ada.email,
      grace.email,
      owner.email,
    ]);
  });

  test('pages through each order without gaps or repeats, and keeps the total past the end', async () => {
    const team = await teamWith(ada, 'MEMBER');
    await joinTeam(api, team.id, grace, 'MEMBER');
    await joinTeam(api, team.id, stranger, 'MEMBER');
    await joinedInOrder(team.id, [owner, ada, grace, stranger]);
    const walk = async (sort: string) => {
      const ids: string[] = [];
      for (const page of [1, 2, 3]) {
        const { data } = (await list(team.id, { sort, limit: 3, page })).body;
        const counts = { page, limit: 3, total: 4, totalPages: 2, hasNext: page < 2 };
        expect(data.pagination).toEqual(counts);
        ids.push(...data.items.map(({ userId }: { userId: string }) => userId));
      }
      return ids;
    };
    expect(await walk('joinedAt')).toEqual([owner.id, ada.id, grace.id, stranger.id]);
    expect(await walk('-joinedAt')).toEqual([stranger.id, grace.id, ada.id, owner.id]);
    expect(await walk('name')).toEqual([ada.id, grace.id, owner.id, stranger.id]);
    expect(await walk('-name')).toEqual([stranger.id, owner.id, grace.id, ada.id]);
  });

  test.each([
    ['role', 'KING'],
    ['status', 'PENDING'],
    ['sort', 'email'],
    ['limit', '0'],
    ['q', 'x'.repeat(201)],
  ])('refuses %s=%s', async (field, value) => {
    const { status, body } = await list((await newTeam(api, owner)).id, { [field]: value });
    expect([status, body.errors[0].path]).toEqual([400, [field]]);
  });
});
