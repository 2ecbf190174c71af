import type { MailContent, PublicLinks } from '@atelier/contract';
import { and, asc, desc, eq, gt, isNull, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Database, Transaction } from '../../db/executor.ts';
import { statement, statementByShape } from '../../db/session/statement.ts';
import { containing } from '../../db/patterns.ts';
import { activities, memberships, organizations, users } from '../../db/generated/schema.ts';
import { organizationsOfKey } from '../../domain/authority/queries.ts';
import { enqueueJobs, enqueueJobsOnce } from '../../domain/job-queue.ts';
import { publicLinks } from '../../domain/public-links/queries.ts';
import { dayMs } from '../../kernel/durations.ts';

const mine = alias(memberships, 'mine');

/** @param id - of the organization: its placeholder, or a column for all that are listed */
function viewOf(id: SQLWrapper) {
  return {
    id: organizations.id,
    name: organizations.name,
    slug: organizations.slug,
    type: organizations.type,
    ownerId: organizations.ownerId,
    planCode: organizations.planCode,
    memberCount: sql<number>`(select count(*)::int from ${memberships} where ${memberships.organizationId} = ${id} and not ${memberships.isService})`,
    myRole: mine.role,
    publicLinks,
    mailContent: organizations.mailContent,
    secondFactorRequiredFrom: organizations.secondFactorRequiredFrom,
    createdAt: organizations.createdAt,
    updatedAt: organizations.updatedAt,
  };
}

function membershipOf(id: SQLWrapper) {
  return and(
    eq(mine.organizationId, id),
    eq(mine.userId, sql.placeholder('viewerId')),
    eq(mine.status, 'ACTIVE'),
  );
}

const orders = {
  name: [asc(sql`lower(${organizations.name})`), asc(organizations.id)],
  '-name': [desc(sql`lower(${organizations.name})`), desc(organizations.id)],
  createdAt: [asc(organizations.createdAt), asc(organizations.id)],
  '-createdAt': [desc(organizations.createdAt), desc(organizations.id)],
} satisfies Record<string, SQL[]>;

export type OrganizationSort = keyof typeof orders;

// A user has too few organizations for a filter to need an index: one statement serves every combination.
const matching = and(
  isNull(organizations.deletedAt),
  sql`(${sql.placeholder('type')}::text is null or ${organizations.type} = ${sql.placeholder('type')})`,
  sql`(${sql.placeholder('reachedIds')}::uuid[] is null or ${organizations.id} = any(${sql.placeholder('reachedIds')}::uuid[]))`,
  sql`(${sql.placeholder('namePattern')}::text is null or ${organizations.name} ilike ${sql.placeholder('namePattern')})`,
);

const anyId = sql.placeholder('id');

const organizationOfMember = statement((db) =>
  db
    .select(viewOf(anyId))
    .from(organizations)
    .innerJoin(mine, membershipOf(anyId))
    .where(and(eq(organizations.id, anyId), isNull(organizations.deletedAt))),
);

const pageOfOrganizations = statementByShape((db, sort: OrganizationSort) =>
  db
    .select(viewOf(mine.organizationId))
    .from(organizations)
    .innerJoin(mine, membershipOf(organizations.id))
    .where(matching)
    .orderBy(...orders[sort])
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset')),
);

const organizationCount = statement((db) =>
  db
    .select({ total: sql<number>`count(*)::int` })
    .from(organizations)
    .innerJoin(mine, membershipOf(organizations.id))
    .where(matching),
);

interface OrganizationFilter {
  readonly viewerId: string;
  readonly type: 'PERSONAL' | 'TEAM' | null;
  readonly nameContains: string | null;
  /** The API key of the request, which reaches only some; null for a session. */
  readonly apiKeyId: string | null;
  readonly now: Date;
}

/** Organizations as their active members see them; invisible to others. */
export function organizationQueries(db: Database) {
  return {
    async find(key: { id: string; viewerId: string }): Promise<OrganizationRow | null> {
      const [row] = await organizationOfMember(db, key);
      return row ?? null;
    },

    async list(
      filter: OrganizationFilter,
      sort: OrganizationSort,
      window: { limit: number; offset: number },
    ) {
      const { nameContains, apiKeyId, now, ...rest } = filter;
      const namePattern = nameContains === null ? null : containing(nameContains);
      const reachedIds = apiKeyId === null ? null : await organizationsOfKey(db, { apiKeyId, now });
      const parameters = { ...rest, namePattern, reachedIds };
      const [rows, [counted]] = await Promise.all([
        pageOfOrganizations(db, sort, { ...parameters, ...window }),
        organizationCount(db, parameters),
      ]);
      return { rows, total: counted?.total ?? 0 };
    },
  };
}

export type OrganizationRow = Awaited<ReturnType<typeof organizationOfMember>>[number];

/** An organization as the transaction sees it. */
export async function findOrganization(
  tx: Transaction,
  key: { id: string; viewerId: string },
): Promise<OrganizationRow | null> {
  const [row] = await organizationOfMember(tx, key);
  return row ?? null;
}

/** Counts the teams on a plan that an account created and that still exist. Only under `lockAccountRow`. */
export async function countTeamsOf(
  tx: Transaction,
  { ownerId, planCode }: Pick<OrganizationRow, 'ownerId' | 'planCode'>,
): Promise<number> {
  return tx.$count(
    organizations,
    and(
      eq(organizations.ownerId, ownerId),
      eq(organizations.type, 'TEAM'),
      eq(organizations.planCode, planCode),
      isNull(organizations.deletedAt),
    ),
  );
}

export async function updateOrganization(
  tx: Transaction,
  {
    id,
    ...changed
  }: {
    id: string;
    name: string;
    publicLinks?: PublicLinks;
    mailContent: MailContent;
    updatedAt: Date;
  },
): Promise<void> {
  await tx.update(organizations).set(changed).where(eq(organizations.id, id));
}

/** @param from - null: members need no second factor */
export async function updateSecondFactorRequirement(
  tx: Transaction,
  { id, from, now }: { id: string; from: Date | null; now: Date },
): Promise<void> {
  await tx
    .update(organizations)
    .set({ secondFactorRequiredFrom: from, updatedAt: now })
    .where(eq(organizations.id, id));
}

/**
 * Enqueues a mail to each member who has no second factor. An organization that has decided within the last day has it
 * sent a day later, once however often it decides until then.
 */
export async function enqueueEnrollmentNotices(
  tx: Transaction,
  organizationId: string,
  now: Date,
): Promise<void> {
  const members = await tx
    .select({ organizationId: memberships.organizationId, userId: memberships.userId })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.organizationId, organizationId),
        eq(memberships.status, 'ACTIVE'),
        eq(memberships.isService, false),
        eq(users.hasSecondFactor, false),
      ),
    );
  const name = 'send_enrollment_notice';
  const recent = await tx.$count(
    activities,
    and(
      eq(activities.organizationId, organizationId),
      eq(activities.action, 'organization.change_security_policy'),
      gt(activities.createdAt, new Date(now.getTime() - dayMs)),
    ),
  );
  if (recent === 0) return enqueueJobs(tx, name, members);
  await enqueueJobsOnce(tx, new Date(now.getTime() + dayMs), {
    name,
    jobs: members.map((member) => ({
      key: `${name}:${organizationId}:${member.userId}`,
      payload: member,
    })),
  });
}
