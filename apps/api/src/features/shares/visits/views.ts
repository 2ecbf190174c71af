import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../../db/executor.ts';
import { everywhere, type Scopes } from '../../../db/scopes.ts';
import { insertViews, type NewView } from './queries.ts';

/** Interval of the writes, in milliseconds. */
const writtenEveryMs = 5_000;
/** Views that are kept until the next write; those past them are lost. */
const mostKept = 10_000;

/** What visitors did in this process. */
export interface ViewLog {
  note(view: NewView): void;
  /** Writes what is new. Never throws. */
  write(): Promise<void>;
  stop(): Promise<void>;
}

/** Views are kept in memory and written together, so that no request waits for them. */
export function createViewLog({
  db,
  scopes,
  log,
}: {
  db: Database;
  scopes: Scopes | null;
  log: FastifyBaseLogger;
}): ViewLog {
  let views: NewView[] = [];
  let timer: NodeJS.Timeout | null = null;

  async function write(): Promise<void> {
    const written = Map.groupBy(views, ({ organizationId }) => organizationId);
    views = [];
    for (const [organizationId, ofOrganization] of written) {
      try {
        await everywhere(scopes, () => insertViews(db, organizationId, ofOrganization));
      } catch (err) {
        log.warn({ err }, 'what visitors of shares did could not be written');
      }
    }
  }

  return {
    note(view) {
      if (views.length === mostKept) return;
      views.push(view);
      timer ??= setInterval(() => void write(), writtenEveryMs).unref();
    },
    write,
    async stop() {
      if (timer) clearInterval(timer);
      await write();
    },
  };
}
