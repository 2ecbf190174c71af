import { sql, type SQL } from 'drizzle-orm';
import type postgres from 'postgres';
import type { Executor } from './executor.ts';

/** What changed: something recorded in an organization, or who a user is to the service. */
export type Topic = `organization:${string}` | `user:${string}`;

const channel = 'changes';
/** Least time between two statements that announce; what changes meanwhile shares the next one. */
const pauseMs = 10;

/** Tells every process that listens what was committed. A lost announcement costs time only. */
export interface Announcements {
  announce(topics: Iterable<Topic>): void;
  /** Sends what is still waiting. */
  flush(): Promise<void>;
}

/**
 * After the commit, never in the transaction: a NOTIFY in it takes one lock for the whole database until
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
        // Streams find out at their next look by themselves.
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

/** Where the topics of a transaction are kept until its commit, or go at once without one. */
const sinks = new WeakMap<Executor, (topic: Topic) => void>();

/** Announces a topic when the transaction is committed; never when it is rolled back. */
export function announceAfterCommit(tx: Executor, topic: Topic): void {
  sinks.get(tx)?.(topic);
}

/**
 * The same as a part of a statement, which the database announces when it commits. Only for what enqueues a
 * job: that takes the lock of a NOTIFY anyway.
 *
 * @param topic - text
 */
export function announcement(topic: SQL): SQL {
  return sql`pg_notify(${channel}::text, ${topic})`;
}

/** Gives the statements of an executor a place to announce at. */
export function collectTopics(executor: Executor, sink: (topic: Topic) => void): void {
  sinks.set(executor, sink);
}

export interface ChangeListener {
  readonly onTopic: (topic: Topic) => void;
  /** Now, and after each loss of the connection: anything may have been missed. */
  readonly onListening: () => void;
}

/** Hears announcements on a connection of its own, which comes back by itself when it is lost. */
export async function listenToAnnouncements(
  client: postgres.Sql,
  { onTopic, onListening }: ChangeListener,
): Promise<void> {
  await client.listen(
    channel,
    (payload) => {
      // The one statement that writes to the channel is above.
      onTopic(payload as Topic);
    },
    onListening,
  );
}
