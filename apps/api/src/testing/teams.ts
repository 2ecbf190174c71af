import type { Role } from '@atelier/contract';
import { eq } from 'drizzle-orm';
import { memberships, organizations, users } from '../db/generated/schema.ts';
import { newId } from '../kernel/ids.ts';
import type { TestUser } from './accounts.ts';
import type { TestApi } from './api.ts';

/** Inserts a team with its members directly into the database. @returns its id */
export async function storeTeam(
  api: Pick<TestApi, 'db'>,
  owner: Pick<TestUser, 'id'>,
  members: readonly { user: Pick<TestUser, 'id'>; role: Role }[] = [],
): Promise<string> {
  const id = newId();
  const now = new Date();
  await api.db.insert(organizations).values({
    id,
    name: 'Team',
    slug: `team-${id}`,
    type: 'TEAM',
    ownerId: owner.id,
    createdAt: now,
    updatedAt: now,
  });
  await api.db.insert(memberships).values(
    [{ user: owner, role: 'OWNER' as const }, ...members].map(({ user, role }) => ({
      id: newId(),
      organizationId: id,
      userId: user.id,
      role,
      status: 'ACTIVE' as const,
      joinedAt: now,
    })),
  );
  return id;
}

/** Makes an account a platform administrator, directly in the database. */
export async function makePlatformAdministrator(
  api: Pick<TestApi, 'db'>,
  user: Pick<TestUser, 'id'>,
): Promise<void> {
  await api.db.update(users).set({ platformRole: 'ADMIN' }).where(eq(users.id, user.id));
}
