import { and, desc, eq } from 'drizzle-orm';
import type { Executor, Transaction } from '../../../db/executor.ts';
import { accountExports } from '../../../db/generated/schema.ts';

const columns = {
  id: accountExports.id,
  key: accountExports.key,
  sizeBytes: accountExports.sizeBytes,
  createdAt: accountExports.createdAt,
  readyAt: accountExports.readyAt,
};

export type ExportRow = Pick<typeof accountExports.$inferSelect, keyof typeof columns>;

/** Lists the newest exports of an account, the newest first. */
export async function listExports(
  db: Executor,
  userId: string,
  atMost: number,
): Promise<ExportRow[]> {
  return db
    .select(columns)
    .from(accountExports)
    .where(eq(accountExports.userId, userId))
    .orderBy(desc(accountExports.createdAt), desc(accountExports.id))
    .limit(atMost);
}

/** @returns null for an unknown one, and for one of another account */
export async function findExport(
  db: Executor,
  { userId, id }: { userId: string; id: string },
): Promise<ExportRow | null> {
  const [row] = await db
    .select(columns)
    .from(accountExports)
    .where(and(eq(accountExports.userId, userId), eq(accountExports.id, id)));
  return row ?? null;
}

export async function insertExport(
  tx: Transaction,
  { id, userId, createdAt }: { id: string; userId: string; createdAt: Date },
): Promise<ExportRow> {
  await tx.insert(accountExports).values({ id, userId, createdAt });
  return { id, createdAt, key: null, sizeBytes: null, readyAt: null };
}
