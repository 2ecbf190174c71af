import { sql } from 'drizzle-orm';
import type { Database } from './executor.ts';
import { readOnItsServer } from './session/on-its-server.ts';
import { oneServer, type Servers } from './session/session.ts';
import { statement } from './session/statement.ts';

/** Whether the server has Citus, and rows of organizations may be on others. */
export const hasCitus = sql<boolean>`current_setting('citus.multi_shard_modify_mode', true) is not null`;

const ofServer = statement((db) =>
  db
    .select({
      isDistributed: hasCitus,
      hasTables: sql<boolean>`to_regclass('pg_dist_partition') is not null`,
      serversPrepare: sql<boolean>`exists (select from pg_proc where proname = ${readOnItsServer.name})`,
    })
    .from(sql`(values (1)) as once`),
);

/** Tables of every server have a single shard, without a column that decides. */
const copiesOnServer = statement((db) =>
  db
    .select({
      table: sql<string>`relname::text`,
      copy: sql<string>`relname || '_' || shardid`,
    })
    .from(
      sql`pg_dist_partition
        join pg_class on pg_class.oid = logicalrelid
        join pg_dist_shard using (logicalrelid)
        join pg_dist_placement using (shardid)
        join pg_dist_local_group using (groupid)`,
    )
    .where(sql`partmethod = 'n'`),
);

/** What a server tells of the others, if there are any. */
export interface DistributionProbe {
  isDistributed(): Promise<boolean>;
  /** What statements may make use of; nothing until the server has told. */
  servers(): Servers;
}

/** Asks the server at the first call, and once more after a failure. */
export function distributionProbe(db: () => Database): DistributionProbe {
  let asking: ReturnType<typeof ask> | null = null;
  let servers = oneServer;

  async function ask(): Promise<boolean> {
    const [row] = await ofServer(db());
    // A server that could have them asks of the database itself only if that has Citus, too.
    if (!row?.hasTables) return row?.isDistributed ?? true;
    const copies = await copiesOnServer(db());
    servers = {
      prepare: row?.serversPrepare ?? false,
      copies: new Map(copies.map(({ table, copy }) => [table, copy])),
    };
    return true;
  }

  function isDistributed(): Promise<boolean> {
    asking ??= ask().catch((error: unknown) => {
      asking = null;
      throw error;
    });
    return asking;
  }

  return {
    isDistributed,
    servers() {
      if (asking === null) void isDistributed().catch(() => {});
      return servers;
    },
  };
}
