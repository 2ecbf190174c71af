import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../../db/executor.ts';
import { everywhere, type Scopes } from '../../../db/scopes.ts';
import { insertViews, type NewView } from './queries.ts';

/** Interval of the writes, in milliseconds. */
const writtenEveryMs = 5_000;
/** Views that are kept until the next write, of all shares and of one; those past them are lost. */
const maxKept = 10_000;
const maxKeptOfShare = 1_000;

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
  let views = new Map<NewView['id'], NewView>();
  let countOfShare = new Map<NewView['shareId'], number>();
  let timer: NodeJS.Timeout | null = null;

  async function write(): Promise<void> {
    const written = Map.groupBy(views.values(), ({ organizationId }) => organizationId);
    views = new Map();
    countOfShare = new Map();
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
      const { id, shareId } = view;
      const count = countOfShare.get(shareId) ?? 0;
      if (views.size === maxKept || count === maxKeptOfShare || views.has(id)) return;
      views.set(id, view);
      countOfShare.set(shareId, count + 1);
      timer ??= setInterval(() => void write(), writtenEveryMs).unref();
    },
    write,
    async stop() {
      if (timer) clearInterval(timer);
      await write();
    },
  };
}
