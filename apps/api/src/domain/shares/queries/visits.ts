import { and, eq, gt, isNull, or, sql, type SQL } from 'drizzle-orm';
import type { Executor, Transaction } from '../../../db/executor.ts';
import { statement } from '../../../db/session/statement.ts';
import {
  assets,
  collections,
  organizations,
  shares,
  shareTickets,
  users,
} from '../../../db/generated/schema.ts';

const now = sql`${sql.param(sql.placeholder('now'), shares.expiresAt)}::timestamptz`;

/** Whether a share can be visited: it has not ended, and its target is there. */
const isLiving = sql<boolean>`(${shares.revokedAt} is null
  and (${shares.expiresAt} is null or ${shares.expiresAt} > ${now})
  and ${organizations.deletedAt} is null and ${organizations.sharesAllowed}
  and case ${shares.targetType}
    when 'ASSET' then ${assets.id} is not null
    else ${collections.id} is not null end)`;

/** Whether a share has not ended by a time. */
export function isOpenAt(now: Date): SQL | undefined {
  return and(isNull(shares.revokedAt), or(isNull(shares.expiresAt), gt(shares.expiresAt, now)));
}

/** What is read of a share for its visitors. */
const visited = {
  organizationId: shares.organizationId,
  id: shares.id,
  targetType: shares.targetType,
  targetId: shares.targetId,
  title: sql<string>`coalesce(${assets.name}, ${collections.title}, '')`,
  label: shares.label,
  revision: shares.revision,
  expiresAt: shares.expiresAt,
  allowDownload: shares.allowDownload,
  allowComments: shares.allowComments,
  versions: shares.versions,
  watermark: shares.watermark,
  organizationName: organizations.name,
  isPersonal: sql<boolean>`${organizations.type} = 'PERSONAL'`,
  sharer: {
    id: users.id,
    firstName: users.firstName,
    lastName: users.lastName,
    email: users.email,
  },
  isLiving,
};

// The row of the share decides about the organization: neither a link nor a ticket names one.
const ofAsset = and(
  eq(assets.organizationId, shares.organizationId),
  eq(shares.targetType, 'ASSET'),
  eq(assets.id, shares.targetId),
  isNull(assets.deletedAt),
);
const ofCollection = and(
  eq(collections.organizationId, shares.organizationId),
  eq(shares.targetType, 'COLLECTION'),
  eq(collections.id, shares.targetId),
  isNull(collections.deletedAt),
);

const byTicket = statement((db) =>
  db
    .select({
      ...visited,
      ticketHash: shareTickets.ticketHash,
      visitorName: shareTickets.visitorName,
      isOfRevision: sql<boolean>`${shareTickets.shareRevision} = ${shares.revision}`,
    })
    .from(shareTickets)
    .innerJoin(
      shares,
      and(
        eq(shares.organizationId, shareTickets.organizationId),
        eq(shares.id, shareTickets.shareId),
      ),
    )
    .innerJoin(organizations, eq(organizations.id, shares.organizationId))
    .innerJoin(users, eq(users.id, shares.createdBy))
    .leftJoin(assets, ofAsset)
    .leftJoin(collections, ofCollection)
    .where(
      and(
        eq(shareTickets.ticketHash, sql.placeholder('ticketHash')),
        sql`${shareTickets.expiresAt} > ${now}`,
      ),
    ),
);

const byToken = statement((db) =>
  db
    .select({
      ...visited,
      passwordHash: shares.passwordHash,
      isUsedUp: sql<boolean>`coalesce(${shares.openingCount} >= ${shares.maxOpenings}, false)`,
    })
    .from(shares)
    .innerJoin(organizations, eq(organizations.id, shares.organizationId))
    .innerJoin(users, eq(users.id, shares.createdBy))
    .leftJoin(assets, ofAsset)
    .leftJoin(collections, ofCollection)
    .where(eq(shares.tokenHash, sql.placeholder('tokenHash'))),
);

/** @returns the visited share, ended or not; null for a ticket that is unknown or has expired */
export async function findVisit(db: Executor, key: { ticketHash: Buffer; now: Date }) {
  const [row] = await byTicket(db, key);
  return row ?? null;
}

/** Locks the share of a visit against changes until the transaction ends. @returns like {@link findVisit} */
export async function lockVisit(
  tx: Transaction,
  { organizationId, id, ticketHash }: { organizationId: string; id: string; ticketHash: Buffer },
  now: Date,
) {
  await tx
    .select({ id: shares.id })
    .from(shares)
    .where(and(eq(shares.organizationId, organizationId), eq(shares.id, id)))
    .for('share');
  return findVisit(tx, { ticketHash, now });
}

/** @returns the share of a link, ended or not */
export async function findShareOfToken(db: Executor, key: { tokenHash: Buffer; now: Date }) {
  const [row] = await byToken(db, key);
  return row ?? null;
}

export type LinkedShare = NonNullable<Awaited<ReturnType<typeof findShareOfToken>>>;

/**
 * Counts an opening, unless the share has ended, changed or been used up since it was read.
 *
 * @returns which opening it is; null if it is none
 */
export async function countOpening(
  tx: Transaction,
  { organizationId, id, revision }: Pick<LinkedShare, 'organizationId' | 'id' | 'revision'>,
  at: Date,
): Promise<number | null> {
  const [opened] = await tx
    .update(shares)
    .set({ openingCount: sql`${shares.openingCount} + 1`, lastOpenedAt: at })
    .where(
      and(
        eq(shares.organizationId, organizationId),
        eq(shares.id, id),
        eq(shares.revision, revision),
        isOpenAt(at),
        sql`(${shares.maxOpenings} is null or ${shares.openingCount} < ${shares.maxOpenings})`,
      ),
    )
    .returning({ openingCount: shares.openingCount });
  return opened?.openingCount ?? null;
}

export async function insertTicket(
  tx: Transaction,
  ticket: typeof shareTickets.$inferInsert,
): Promise<void> {
  await tx.insert(shareTickets).values(ticket);
}

/** Notes that the sharer is told of guesses. @returns false if they were told before */
export async function noteGuessing(
  tx: Transaction,
  { organizationId, id }: Pick<LinkedShare, 'organizationId' | 'id'>,
  at: Date,
): Promise<boolean> {
  const noted = await tx
    .update(shares)
    .set({ guessingNoticedAt: at })
    .where(
      and(
        eq(shares.organizationId, organizationId),
        eq(shares.id, id),
        isNull(shares.guessingNoticedAt),
      ),
    )
    .returning({ id: shares.id });
  return noted.length > 0;
}
