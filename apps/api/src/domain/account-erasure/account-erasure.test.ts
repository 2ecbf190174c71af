// @module-tag slow

import { eq, sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { catalogue, columnOf } from '../../db/catalogue.ts';
import { invitations, users } from '../../db/generated/schema.ts';
import { newUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { filledTeam } from '../../testing/filled-team.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { eraseReferences } from './queries.ts';
import { recordSubjects } from '../erased-text/erase.ts';

const api = await setUpApi();

/** Every column of the schema that refers to an account, with what its table declares. */
const references = catalogue.flatMap(({ table, name, onAccountErased }) =>
  Object.entries(onAccountErased).map(([column, fate]) => ({
    place: `${name}.${column}`,
    table,
    column: columnOf(table, column),
    fate,
  })),
);

/** Counts the rows that refer to an account, by table and column. */
async function referencesTo(userId: string): Promise<Record<string, number>> {
  const counts = references.map(
    ({ place, table, column }) =>
      sql`select ${place}::text as place, count(*)::int as count from ${table} where ${eq(column, userId)}`,
  );
  const rows = await api.db.execute<{ place: string; count: number }>(
    sql.join(counts, sql` union all `),
  );
  return Object.fromEntries(rows.map(({ place, count }) => [place, count]));
}

test('leaves in each table what the table declares, and nothing of others changes', async () => {
  const [owner, member, other] = await Promise.all(
    ['owner', 'member', 'other'].map((name) => newUser(api, name)),
  );
  if (!owner || !member || !other) throw new Error('the team has no members');
  const team = await filledTeam(api, { owner, member, mark: 'erased', times: 2 });
  const reviewed = await call(api, 'assets.review', {
    token: owner.token,
    organizationId: team.organizationId,
    params: { id: team.assetId },
    body: { status: 'APPROVED' },
  });
  expect(reviewed.status).toBe(200);
  // As if the owner had come with one.
  const inTeam = eq(invitations.organizationId, team.organizationId);
  await api.db.update(invitations).set({ accountId: owner.id }).where(inTeam);
  await filledTeam(api, { owner: other, member, mark: 'beside', times: 2 });
  await recordSubjects(api.db, owner, api.clock.now());
  const [before, otherBefore] = [await referencesTo(owner.id), await referencesTo(other.id)];
  const kept = references.filter(({ fate }) => fate === 'keep').map(({ place }) => place);
  expect(kept.filter((place) => before[place] === 0)).toEqual([]);
  expect(before['sessions.userId']).toBeGreaterThan(0);
  expect(before['memberships.userId']).toBeGreaterThan(0);

  await api.db.transaction((tx) => eraseReferences(tx, owner.id));
  const expected = references.map(({ place, fate }) => [
    place,
    fate === 'keep' ? before[place] : 0,
  ]);
  expect(await referencesTo(owner.id)).toEqual(Object.fromEntries(expected));
  expect(await referencesTo(other.id)).toEqual(otherBefore);
  expect(await api.db.$count(users, eq(users.id, owner.id))).toBe(1);
});
