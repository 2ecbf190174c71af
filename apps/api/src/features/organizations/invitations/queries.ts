import type { InvitationStatus, Role } from '@atelier/contract';
import { and, count, desc, eq, gt, isNull, ne, sql, type Placeholder, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { z } from 'zod';
import { containing } from '../../../db/patterns.ts';
import type { Database, Executor, Transaction } from '../../../db/executor.ts';
import { statement } from '../../../db/session/statement.ts';
import {
  invitations,
  invitationTokens,
  memberships,
  organizations,
  users,
} from '../../../db/generated/schema.ts';

const inviter = alias(memberships, 'inviter');

type Status = z.infer<typeof InvitationStatus>;

/** The status at a timestamp: expiry is computed, not stored. */
function statusAt(now: SQL): SQL<Status> {
  return sql<Status>`case when ${invitations.status} = 'PENDING' and ${invitations.expiresAt} <= ${now} then 'EXPIRED' else ${invitations.status} end`;
}

function viewedAt(now: SQL) {
  return {
    id: invitations.id,
    organizationId: invitations.organizationId,
    organizationName: organizations.name,
    organizationDeletedAt: organizations.deletedAt,
    email: invitations.email,
    role: invitations.role,
    status: statusAt(now),
    expiresAt: invitations.expiresAt,
    invitedBy: {
      id: users.id,
      email: users.email,
      firstName: users.firstName,
      lastName: users.lastName,
    },
  };
}

const atNow = sql`${sql.param(sql.placeholder('now'), invitations.expiresAt)}`;

export interface InvitationFilter {
  readonly organizationId: string;
  readonly status?: Status | undefined;
  readonly emailContains?: string | undefined;
}

const byToken = statement((db) => selectByToken(db, atNow, sql.placeholder('tokenHash')));

const status = sql`${sql.placeholder('status')}::text`;
const emailPattern = sql`${sql.placeholder('emailPattern')}::text`;
const matching = and(
  eq(invitations.organizationId, sql.placeholder('organizationId')),
  sql`(${status} is null or ${statusAt(atNow)} = ${status})`,
  sql`(${emailPattern} is null or ${invitations.email} like ${emailPattern})`,
);
const page = statement((db) =>
  db
    .select(viewedAt(atNow))
    .from(invitations)
    .innerJoin(organizations, eq(organizations.id, invitations.organizationId))
    .innerJoin(users, eq(users.id, invitations.invitedBy))
    .where(matching)
    .orderBy(desc(invitations.createdAt), desc(invitations.id))
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset')),
);
const total = statement((db) => db.select({ total: count() }).from(invitations).where(matching));

export function invitationQueries(db: Database) {
  return {
    async findByToken(tokenHash: Buffer, now: Date) {
      const [row] = await byToken(db, { tokenHash, now });
      return row ?? null;
    },

    async list(
      filter: InvitationFilter,
      { now, ...window }: { limit: number; offset: number; now: Date },
    ) {
      const { organizationId, status: wanted = null, emailContains } = filter;
      const values = {
        organizationId,
        now,
        status: wanted,
        emailPattern: emailContains === undefined ? null : containing(emailContains.toLowerCase()),
      };
      const [rows, [counted]] = await Promise.all([
        page(db, { ...values, ...window }),
        total(db, values),
      ]);
      return { rows, total: counted?.total ?? 0 };
    },
  };
}

export type InvitationRow = Awaited<
  ReturnType<ReturnType<typeof invitationQueries>['list']>
>['rows'][number];

/** The invitation that a link belongs to, in any state. */
export async function findInvitationByToken(tx: Transaction, tokenHash: Buffer, now: Date) {
  const [row] = await selectByToken(tx, dateOf(now), tokenHash);
  return row ?? null;
}

function selectByToken(db: Executor, now: SQL, tokenHash: Buffer | Placeholder) {
  return db
    .select({ ...viewedAt(now), voidedAt: invitationTokens.voidedAt, inviterRole: inviter.role })
    .from(invitationTokens)
    .innerJoin(
      invitations,
      and(
        eq(invitations.organizationId, invitationTokens.organizationId),
        eq(invitations.id, invitationTokens.invitationId),
      ),
    )
    .innerJoin(organizations, eq(organizations.id, invitations.organizationId))
    .innerJoin(users, eq(users.id, invitations.invitedBy))
    .leftJoin(
      inviter,
      and(
        eq(inviter.organizationId, invitations.organizationId),
        eq(inviter.userId, invitations.invitedBy),
        eq(inviter.status, 'ACTIVE'),
        eq(users.accountStatus, 'VERIFIED'),
      ),
    )
    .where(eq(invitationTokens.tokenHash, tokenHash));
}

export async function findInvitation(
  tx: Transaction,
  key: { organizationId: string; id: string },
  now: Date,
): Promise<InvitationRow | null> {
  const [row] = await tx
    .select(viewedAt(dateOf(now)))
    .from(invitations)
    .innerJoin(organizations, eq(organizations.id, invitations.organizationId))
    .innerJoin(users, eq(users.id, invitations.invitedBy))
    .where(and(eq(invitations.organizationId, key.organizationId), eq(invitations.id, key.id)));
  return row ?? null;
}

/** The only invitation to an address that was neither accepted nor revoked; it may have expired. */
export async function findPendingInvitation(
  tx: Transaction,
  key: { organizationId: string; email: string },
) {
  const [row] = await tx
    .select({
      id: invitations.id,
      role: invitations.role,
      mailRequestedAt: invitations.mailRequestedAt,
    })
    .from(invitations)
    .where(
      and(
        eq(invitations.organizationId, key.organizationId),
        eq(invitations.email, key.email),
        eq(invitations.status, 'PENDING'),
      ),
    );
  return row ?? null;
}

interface Offer {
  readonly id: string;
  readonly organizationId: string;
  readonly email: string;
  readonly role: Role;
  readonly invitedBy: string;
  readonly expiresAt: Date;
}

export async function insertInvitation(
  tx: Transaction,
  { now, ...offer }: Offer & { now: Date },
): Promise<void> {
  await tx.insert(invitations).values({ ...offer, status: 'PENDING', createdAt: now });
}

/** Renews an invitation. Its mailed links stay unchanged. */
export async function renewInvitation(tx: Transaction, offer: Offer): Promise<void> {
  const { organizationId, id, role, invitedBy, expiresAt } = offer;
  await tx
    .update(invitations)
    // Its address may be another account's by now.
    .set({ role, invitedBy, expiresAt, accountId: null })
    .where(and(eq(invitations.organizationId, organizationId), eq(invitations.id, id)));
}

/** Records that a mail with a new link is enqueued, and voids the links that were mailed before. */
export async function replaceLinks(
  tx: Transaction,
  { organizationId, id }: { organizationId: string; id: string },
  now: Date,
): Promise<void> {
  // The row first: the job that mails it takes the same lock, so no earlier link escapes.
  await tx
    .update(invitations)
    .set({ mailRequestedAt: now })
    .where(and(eq(invitations.organizationId, organizationId), eq(invitations.id, id)));
  await tx
    .update(invitationTokens)
    .set({ voidedAt: now })
    .where(
      and(
        eq(invitationTokens.organizationId, organizationId),
        eq(invitationTokens.invitationId, id),
        isNull(invitationTokens.voidedAt),
      ),
    );
}

export async function closeInvitation(
  tx: Transaction,
  key: { organizationId: string; id: string },
  end: { status: 'ACCEPTED'; accountId: string } | { status: 'REVOKED' },
): Promise<void> {
  await tx
    .update(invitations)
    .set(end)
    .where(and(eq(invitations.organizationId, key.organizationId), eq(invitations.id, key.id)));
}

/** Whether an address belongs to a member, active or suspended. */
export async function isMember(
  tx: Transaction,
  key: { organizationId: string; email: string },
): Promise<boolean> {
  const [row] = await tx
    .select({ id: memberships.id })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.organizationId, key.organizationId), eq(users.email, key.email)));
  return row !== undefined;
}

/** Members of any status, without service accounts. */
export async function countMembers(tx: Transaction, organizationId: string): Promise<number> {
  const [row] = await tx
    .select({ members: count() })
    .from(memberships)
    .where(and(eq(memberships.organizationId, organizationId), eq(memberships.isService, false)));
  return row?.members ?? 0;
}

/** Invitations that others than `email` can still accept. */
export async function countOpenInvitationsOfOthers(
  tx: Transaction,
  { organizationId, email }: { organizationId: string; email: string },
  now: Date,
): Promise<number> {
  const [row] = await tx
    .select({ open: count() })
    .from(invitations)
    .where(
      and(
        eq(invitations.organizationId, organizationId),
        ne(invitations.email, email),
        eq(invitations.status, 'PENDING'),
        gt(invitations.expiresAt, now),
      ),
    );
  return row?.open ?? 0;
}

export async function insertMembership(
  tx: Transaction,
  row: { id: string; organizationId: string; userId: string; role: Role; joinedAt: Date },
): Promise<void> {
  await tx.insert(memberships).values(row);
}

function dateOf(now: Date): SQL {
  return sql`${sql.param(now, invitations.expiresAt)}`;
}
