import type { Transaction } from '../../db/executor.ts';
import { memberships, organizations } from '../../db/generated/schema.ts';
import { newId } from '../../kernel/ids.ts';

export interface NewOrganization {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly type: 'PERSONAL' | 'TEAM';
  readonly ownerId: string;
  readonly now: Date;
}

/**
 * Creates an organization on the default plan, with its owner as the only member.
 *
 * @returns null when the slug is taken; then nothing is stored
 */
export async function insertOrganization(
  tx: Transaction,
  { now, ...organization }: NewOrganization,
) {
  const [created] = await tx
    .insert(organizations)
    .values({ ...organization, createdAt: now, updatedAt: now })
    .onConflictDoNothing({ target: organizations.slug })
    .returning({ planCode: organizations.planCode });
  if (!created) return null;
  await tx.insert(memberships).values({
    id: newId(),
    organizationId: organization.id,
    userId: organization.ownerId,
    role: 'OWNER',
    joinedAt: now,
  });
  return created;
}
