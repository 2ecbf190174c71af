import type { Role } from '@atelier/contract';
import { memberships, organizations } from '../db/schema/index.ts';
import { newId } from '../kernel/ids.ts';
import type { TestUser } from './accounts.ts';
import type { TestApi } from './api.ts';

/** Where a test may write rows. */
type WithDatabase = Pick<TestApi, 'db'>;

/** A TEAM organization on the default plan, with `owner` as its only member. */
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

/** Makes somebody a member, without an invitation. @returns the id of the membership */
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
