import type { Role } from '@atelier/contract';
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import type { Transaction } from '../db/executor.ts';
import { memberships, organizations } from '../db/generated/schema.ts';
import { newId } from '../kernel/ids.ts';
import type { TestUser } from './accounts.ts';
import type { TestApi } from './api.ts';

/** A database for test data. */
type WithDatabase = Pick<TestApi, 'db'>;

/** Creates a TEAM organization on the default plan, with `owner` as its only member. */
export async function newTeam(
  api: WithDatabase,
  owner: Pick<TestUser, 'id'>,
  name = 'Analytical Engines',
): Promise<{ id: string }> {
  const id = newId();
  const now = new Date();
  await api.db.insert(organizations).values({
    id,
    name,
    slug: `team-${id}`,
    type: 'TEAM',
    ownerId: owner.id,
    createdAt: now,
    updatedAt: now,
  });
  await joinTeam(api, id, owner, 'OWNER');
  return { id };
}

/** Creates a team. @returns the options of requests that its owner sends to it */
export async function newTeamOf(
  api: WithDatabase,
  owner: Pick<TestUser, 'id' | 'token'>,
): Promise<{ token: string; organizationId: string }> {
  const { id } = await newTeam(api, owner);
  return { token: owner.token, organizationId: id };
}

/** Adds a member without an invitation. @returns the id of the membership */
export async function joinTeam(
  api: WithDatabase,
  teamId: string,
  user: Pick<TestUser, 'id'>,
  role: Role,
  status: 'ACTIVE' | 'SUSPENDED' = 'ACTIVE',
): Promise<{ memberId: string }> {
  const memberId = newId();
  await api.db.insert(memberships).values({
    id: memberId,
    organizationId: teamId,
    userId: user.id,
    role,
    status,
    joinedAt: new Date(),
  });
  return { memberId };
}

/** Counts the transactions that wait for a lock. */
export async function waitingIn(tx: Transaction): Promise<number> {
  await tx.execute(sql`select pg_stat_clear_snapshot()`);
  const [found] = await tx.execute<{ count: number }>(sql`
    select count(*)::int from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`);
  return found?.count ?? 0;
}

/**
 * Starts requests while an organization is locked, so that none gets its lock before all of them
 * wait for one.
 *
 * @param attempts - requests that lock something of the organization
 * @param meanwhile - a change that is committed before the first of them continues
 */
export async function whileLocked<Result>(
  api: WithDatabase,
  organizationId: string,
  attempts: readonly (() => Promise<Result>)[],
  meanwhile: (tx: Transaction) => Promise<unknown> = async () => {},
): Promise<Result[]> {
  const { underWay } = await api.db.transaction(async (tx) => {
    await tx.execute(sql`
      select pg_advisory_xact_lock(authority_lock('organization row', id))
      from organizations where id = ${organizationId} for update`);
    const underWay = Promise.all(attempts.map((attempt) => attempt()));
    await expect.poll(() => waitingIn(tx), { timeout: 10_000, interval: 5 }).toBe(attempts.length);
    await meanwhile(tx);
    // Wrapped, so that the transaction ends before the requests do.
    return { underWay };
  });
  return underWay;
}
