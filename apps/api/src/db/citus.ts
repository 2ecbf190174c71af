import { sql } from 'drizzle-orm';
import type { Database } from './executor.ts';
import { readOnItsServer } from './session/on-its-server.ts';
import { statement } from './session/statement.ts';

/** Whether the server has Citus, and rows of organizations may be on others. */
export const hasCitus = sql<boolean>`current_setting('citus.multi_shard_modify_mode', true) is not null`;

const ofServer = statement((db) =>
  db
    .select({
      isDistributed: hasCitus,
      serversPrepare: sql<boolean>`exists (select from pg_proc where proname = ${readOnItsServer.name})`,
    })
    .from(sql`(values (1)) as once`),
);

/** What a server tells of the others, if there are any. */
export interface DistributionProbe {
  isDistributed(): Promise<boolean>;
  /** Whether the servers of organizations prepare reads; false until the server has told. */
  serversPrepare(): boolean;
}

/** Asks the server at the first call, and once more after a failure. */
export function distributionProbe(db: () => Database): DistributionProbe {
  let asking: ReturnType<typeof ask> | null = null;
  let serversPrepare = false;

  async function ask(): Promise<boolean> {
    const [row] = await ofServer(db());
    serversPrepare = row?.serversPrepare ?? false;
    return row?.isDistributed ?? true;
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
    serversPrepare() {
      if (asking === null) void isDistributed().catch(() => {});
      return serversPrepare;
    },
  };
}
