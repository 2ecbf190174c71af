import { and, eq, isNotNull, isNull } from 'drizzle-orm';
import type { Executor } from '../../db/executor.ts';
import { memberships, organizations, users } from '../../db/generated/schema.ts';
import type { Jobs } from '../../ports/jobs.ts';

/** @returns null if the organization requires no second factor (any more), or the member has one or is none */
export async function findUnenrolled(
  db: Executor,
  { organizationId, userId }: Jobs['send_enrollment_notice'],
) {
  const [row] = await db
    .select({
      email: users.email,
      organizationName: organizations.name,
      from: organizations.secondFactorRequiredFrom,
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(organizations, eq(organizations.id, organizationId))
    .where(
      and(
        eq(memberships.organizationId, organizationId),
        eq(memberships.userId, userId),
        eq(memberships.status, 'ACTIVE'),
        eq(users.accountStatus, 'VERIFIED'),
        eq(users.hasSecondFactor, false),
        isNull(organizations.deletedAt),
        isNotNull(organizations.secondFactorRequiredFrom),
      ),
    );
  return row?.from ? { ...row, from: row.from } : null;
}
