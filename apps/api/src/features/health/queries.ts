import { sql } from 'drizzle-orm';
import type { Database } from '../../db/executor.ts';

/** Resolves when the database responds. */
export async function pingDatabase(db: Database): Promise<void> {
  await db.execute(sql`select 1`);
}
