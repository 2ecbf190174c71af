import { and, asc, desc, eq, sql, type SQL } from 'drizzle-orm';
import type { Database, Executor, Transaction } from '../../../db/executor.ts';
import { statement, statementByShape } from '../../../db/session/statement.ts';
import { containing } from '../../../db/patterns.ts';
import { memberships, users } from '../../../db/generated/schema.ts';

const view = {
  id: memberships.id,
  userId: memberships.userId,
  email: users.email,
  firstName: users.firstName,
  lastName: users.lastName,
  avatarKey: users.avatarKey,
  role: memberships.role,
  status: memberships.status,
  joinedAt: memberships.joinedAt,
  isService: memberships.isService,
};

// Matches `displayNameOf`.
const displayName = sql`coalesce(nullif(concat_ws(' ', ${users.firstName}, ${users.lastName}), ''), split_part(${users.email}, '@', 1))`;

const orders = {
  joinedAt: [asc(memberships.joinedAt), asc(memberships.id)],
  '-joinedAt': [desc(memberships.joinedAt), desc(memberships.id)],
  name: [asc(sql`lower(${displayName})`), asc(memberships.id)],
  '-name': [desc(sql`lower(${displayName})`), desc(memberships.id)],
} satisfies Record<string, SQL[]>;

export type MemberSort = keyof typeof orders;

// Every query reads all members of one organization: one statement serves every combination of filters.
const matching = and(
  eq(memberships.organizationId, sql.placeholder('organizationId')),
  sql`(${sql.placeholder('role')}::text is null or ${memberships.role} = ${sql.placeholder('role')})`,
  sql`(${sql.placeholder('status')}::text is null or ${memberships.status} = ${sql.placeholder('status')})`,
  sql`(${sql.placeholder('pattern')}::text is null or ${users.email} ilike ${sql.placeholder('pattern')} or ${displayName} ilike ${sql.placeholder('pattern')})`,
);

interface MemberFilter {
  readonly organizationId: string;
  readonly role: MemberRow['role'] | null;
  readonly status: MemberRow['status'] | null;
  readonly nameOrEmailContains: string | null;
}

const pageOfMembers = statementByShape((db, sort: MemberSort) =>
  db
    .select(view)
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(matching)
    .orderBy(...orders[sort])
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset')),
);

const memberCount = statement((db) =>
  db
    .select({ total: sql<number>`count(*)::int` })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(matching),
);

export function memberQueries(db: Database) {
  return {
    async list(filter: MemberFilter, sort: MemberSort, window: { limit: number; offset: number }) {
      const { organizationId, role, status, nameOrEmailContains } = filter;
      const pattern = nameOrEmailContains === null ? null : containing(nameOrEmailContains);
      const parameters = { organizationId, role, status, pattern };
      const [rows, [counted]] = await Promise.all([
        pageOfMembers(db, sort, { ...parameters, ...window }),
        memberCount(db, parameters),
      ]);
      return { rows, total: counted?.total ?? 0 };
    },
  };
}

function inOrganization(db: Executor, organizationId: string, which: SQL | undefined) {
  return db
    .select(view)
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.organizationId, organizationId), which));
}

export type MemberRow = Awaited<ReturnType<typeof inOrganization>>[number];

export async function findMember(
  tx: Transaction,
  key: { organizationId: string; id: string },
): Promise<MemberRow | null> {
  const [row] = await inOrganization(tx, key.organizationId, eq(memberships.id, key.id));
  return row ?? null;
}

export async function updateMember(
  tx: Transaction,
  member: { organizationId: string } & Pick<MemberRow, 'id' | 'role' | 'status'>,
): Promise<void> {
  const { organizationId, id, role, status } = member;
  await tx
    .update(memberships)
    .set({ role, status })
    .where(and(eq(memberships.organizationId, organizationId), eq(memberships.id, id)));
}
