import { sql, type SQL } from 'drizzle-orm';
import type postgres from 'postgres';

/**
 * The topic of a change: something recorded in an organization, its jobs on their way to the queue, a user's account and
 * access, or a user's inbox.
 */
export type Topic =
  | `organization:${string}`
  | `jobs:${string}`
  | `user:${string}`
  | `inbox:${string}`;

const channel = 'changes';
/** Minimum interval between NOTIFY statements; changes in between share the next one. */
const pauseMs = 10;

/** Notifies every listening process of committed changes. A lost notification only costs time. */
export interface Announcements {
  announce(topics: Iterable<Topic>): void;
  /** Sends the pending notifications. */
  flush(): Promise<void>;
}

/**
 * Runs after the commit, never in the transaction: a NOTIFY there takes a database-wide lock until
 * the commit is on disk, so that no two transactions commit at once.
 *
 * @see docs/decisions/0027-live-updates.md
 */
export function createAnnouncements(client: postgres.Sql): Announcements {
  const waiting = new Set<Topic>();
  let sending: Promise<void> | null = null;

  async function sendAll(): Promise<void> {
    while (waiting.size > 0) {
      const topics = [...waiting];
      waiting.clear();
      try {
        await client`select pg_notify(${channel}, topic) from unnest(${topics}::text[]) as topic`;
      } catch {
        // Streams find the change at their next check anyway.
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    sending = null;
  }

  return {
    announce(topics) {
      for (const topic of topics) waiting.add(topic);
      sending ??= sendAll();
    },
    async flush() {
      await sending;
    },
  };
}

/**
 * Returns an announcement as part of a statement, which the database makes at its commit. Use it only for statements that
 * enqueue a job: they take the lock of a NOTIFY anyway.
 *
 * @param topic - text
 */
export function announcement(topic: SQL): SQL {
  return sql`pg_notify(${channel}::text, ${topic})`;
}

export interface ChangeListener {
  readonly onTopic: (topic: Topic) => void;
  /** Called at the start, and after each loss of the connection: notifications may have been missed. */
  readonly onListening: () => void;
}

/** Listens for notifications on its own connection, which reconnects automatically. */
export async function listenToAnnouncements(
  client: postgres.Sql,
  { onTopic, onListening }: ChangeListener,
): Promise<void> {
  await client.listen(
    channel,
    (payload) => {
      // Only the statement above writes to the channel.
      onTopic(payload as Topic);
    },
    onListening,
  );
}
