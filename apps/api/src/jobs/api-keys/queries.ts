import { and, eq, sql } from 'drizzle-orm';
import type { Database, Transaction } from '../../db/executor.ts';
import { apiKeys, memberships, organizations, users } from '../../db/generated/schema.ts';

/** Steps of {@link raiseExpiryNotices}, in their order. */
const notices = ['WEEK', 'DAY', 'EXPIRED'] as const;

export type ExpiryNotice = (typeof notices)[number];

/**
 * Counts the mails about its expiry that each key is due for now, of a limited number of keys, in the order of their people.
 * Of several that are due, only the latest is mailed; what has a successor gets none.
 */
export async function raiseExpiryNotices(
  tx: Transaction,
  { now, limit }: { now: Date; limit: number },
): Promise<{ apiKeyId: string; notice: ExpiryNotice }[]> {
  const at = sql`${sql.param(now, apiKeys.expiresAt)}::timestamptz`;
  const due = sql`case when expires_at <= ${at} then 3
    when expires_at <= ${at} + interval '1 day' then 2 else 1 end`;
  const raised = await tx.execute<{ id: string; step: number }>(sql`
    update ${apiKeys} set expiry_notices = ${due}
    where id in (
      select id from ${apiKeys}
      where revoked_at is null and replaced_by is null
        and expires_at <= ${at} + interval '7 days' and expires_at > ${at} - interval '7 days'
        and expiry_notices < ${due}
      order by user_id, id limit ${limit}
      for no key update skip locked)
    returning id, expiry_notices as step`);
  return raised.flatMap(({ id, step }) => {
    const notice = notices[step - 1];
    return notice ? [{ apiKeyId: id, notice }] : [];
  });
}

/** @returns null if the key or its account is gone, or may not sign in any more */
export async function findNoticed(db: Database, apiKeyId: string) {
  const [row] = await db
    .select({
      kind: apiKeys.kind,
      userId: apiKeys.userId,
      personalId: organizations.id,
      name: apiKeys.name,
      account: { email: users.email, firstName: users.firstName, lastName: users.lastName },
      serviceOf: memberships.organizationId,
    })
    .from(apiKeys)
    .innerJoin(users, and(eq(users.id, apiKeys.userId), eq(users.accountStatus, 'VERIFIED')))
    .leftJoin(memberships, and(eq(memberships.userId, users.id), eq(memberships.isService, true)))
    .leftJoin(
      organizations,
      and(eq(organizations.ownerId, users.id), eq(organizations.type, 'PERSONAL')),
    )
    .where(eq(apiKeys.id, apiKeyId));
  return row ?? null;
}

export async function findOrganizationName(db: Database, id: string): Promise<string | null> {
  const [row] = await db
    .select({ name: organizations.name })
    .from(organizations)
    .where(eq(organizations.id, id));
  return row?.name ?? null;
}
