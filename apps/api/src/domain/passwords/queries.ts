import { eq, sql } from 'drizzle-orm';
import type { Executor } from '../../db/executor.ts';
import { users } from '../../db/generated/schema.ts';
import { statement } from '../../db/session/statement.ts';

const passwordOf = statement((db) =>
  db
    .select({ passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.id, sql.placeholder('userId'))),
);

/** @returns null for an account without a password */
export async function findPasswordHash(db: Executor, userId: string): Promise<string | null> {
  const [row] = await passwordOf(db, { userId });
  return row?.passwordHash ?? null;
}
