import { and, eq, isNull, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Database } from '../db/executor.ts';
import { statement } from '../db/session/statement.ts';
import { memberships, organizations, sessions, users } from '../db/generated/schema.ts';
import { isOpenAt } from '../domain/authority/queries.ts';

const personal = alias(organizations, 'personal');

const account = {
  id: users.id,
  email: users.email,
  firstName: users.firstName,
  lastName: users.lastName,
  platformRole: users.platformRole,
  mailNotices: users.mailNotices,
  avatarKey: users.avatarKey,
  createdAt: users.createdAt,
  updatedAt: users.updatedAt,
};

/** What is read of the session beside its account. */
const session = { confirmedAt: sessions.confirmedAt };

const openSession = and(
  eq(sessions.id, sql.placeholder('sessionId')),
  eq(sessions.userId, sql.placeholder('userId')),
  isOpenAt(sql`${sql.param(sql.placeholder('now'), sessions.expiresAt)}`),
  eq(users.accountStatus, 'VERIFIED'),
);

const open = statement((db) =>
  db
    .select({ ...session, ...account, personalOrganizationId: personal.id })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .innerJoin(personal, and(eq(personal.ownerId, users.id), eq(personal.type, 'PERSONAL')))
    .where(openSession),
);

const openInOrganization = statement((db) =>
  db
    .select({
      ...session,
      ...account,
      organizationId: organizations.id,
      organizationType: organizations.type,
      role: memberships.role,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(
      organizations,
      and(eq(organizations.id, sql.placeholder('organizationId')), isNull(organizations.deletedAt)),
    )
    .leftJoin(
      memberships,
      and(
        eq(memberships.organizationId, sql.placeholder('organizationId')),
        eq(memberships.userId, users.id),
        eq(memberships.status, 'ACTIVE'),
      ),
    )
    .where(openSession),
);

/**
 * Load session and account with the personal organization, or with the organization of the request and the caller's
 * role in it, in one round trip each.
 */
export function sessionQueries(db: Database) {
  return {
    async findOpen(key: { sessionId: string; userId: string; now: Date }) {
      const [row] = await open(db, key);
      return row ?? null;
    },
    async findOpenInOrganization(key: {
      sessionId: string;
      userId: string;
      organizationId: string;
      now: Date;
    }) {
      const [row] = await openInOrganization(db, key);
      return row ?? null;
    },
  };
}

export type SessionQueries = ReturnType<typeof sessionQueries>;
