import { sql } from 'drizzle-orm';
import type { Database } from './executor.ts';
import { statement } from './session/statement.ts';

/** Whether the server has Citus, and rows of organizations may be on others. */
export const hasCitus = sql<boolean>`current_setting('citus.multi_shard_modify_mode', true) is not null`;

const ofServer = statement((db) =>
  db.select({ isDistributed: hasCitus }).from(sql`(values (1)) as once`),
);

/** Asks the server at the first call, and once more after a failure. */
export function distributionProbe(db: Database): () => Promise<boolean> {
  let asked: Promise<boolean> | null = null;
  return () => {
    asked ??= ofServer(db).then(
      ([row]) => row?.isDistributed ?? true,
      (error: unknown) => {
        asked = null;
        throw error;
      },
    );
    return asked;
  };
}
