import type { FastifyBaseLogger } from 'fastify';
import type { Topic } from '../../db/announcements.ts';
import { eachEverywhere } from '../../db/scopes.ts';
import type { Deps } from '../../deps.ts';
import { Failure } from '../../kernel/errors.ts';
import { createChannel, type Channel, type Subscriber } from './channel.ts';
import { createInboxFeed } from './inboxes.ts';
import { heartbeat, type CloseReason } from './messages.ts';
import { createEventStream, type EventStream } from './event-stream.ts';
import { positionCodec, type DatabaseSnapshot, type Position } from './positions.ts';
import { eventQueries } from './queries.ts';

/** Maximum number of streams of one user in one process. */
const maxStreamsOfUser = 20;

const beatMs = 1000;
/** Interval between two polls for changes and revoked access without a notification. */
const pollIntervalMs = 10_000;
const heartbeatIntervalMs = 15_000;

type Caller = Omit<Subscriber, 'isPresent' | 'eventStream'>;

/** Every stream of this process. */
export interface Hub {
  /**
   * Opens a stream.
   *
   * @param after - where another stream ended; null starts now
   * @throws Failure `rate_limited` (429) for a user with too many streams
   */
  subscribe(caller: Caller, after: Position | null): Promise<EventStream>;
  /** Ends every stream as `shutting_down`, and refuses new ones. */
  close(): void;
}

export function createHub(
  deps: Pick<Deps, 'db' | 'scopes' | 'clock' | 'eventPositions' | 'listenToChanges'> & {
    log: FastifyBaseLogger;
  },
): Hub {
  const { clock, log } = deps;
  // Streams of several organizations share the results of each poll.
  const queries = eachEverywhere(deps.scopes, eventQueries(deps.db));
  const positions = positionCodec(deps.eventPositions);
  const channels = new Map<string, Channel>();
  const subscribers = new Set<Subscriber>();
  let listening: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;
  let lookedAt = 0;
  let heartbeatAt = 0;

  function onTopic(topic: Topic): void {
    const [kind, id = ''] = topic.split(':');
    if (kind === 'organization') channels.get(id)?.wake();
    else if (kind === 'inbox') inboxFeed.wake(id);
    else if (kind === 'user') void attempt(() => review(streamsOf(id)));
  }

  async function start(): Promise<void> {
    timer ??= setInterval(beat, beatMs).unref();
    // Once only: a listener whose connection fails, even the first time, reconnects by itself; until
    // then streams are late.
    listening ??= attempt(() =>
      deps.listenToChanges({ onTopic, onListening: () => void attempt(look) }),
    );
    await listening;
  }

  const streamsOf = (userId: string) => [...subscribers].filter((one) => one.userId === userId);

  const inboxFeed = createInboxFeed({
    // No key reads an inbox.
    streamsOf: (userId) => streamsOf(userId).filter(({ scopes }) => scopes === null),
    countUnread: (userId) => queries.countUnread(userId, clock.now()),
    onError,
  });

  async function review(streams: readonly Subscriber[]): Promise<void> {
    if (streams.length === 0) return;
    const standings = await queries.standings(streams, clock.now());
    for (const [index, subscriber] of streams.entries()) {
      const standing = standings[index];
      if (!standing?.isOpen) end(subscriber, 'session_ended');
      else if (standing.role === null) end(subscriber, 'access_ended');
      else subscriber.role = standing.role;
    }
  }

  function end(subscriber: Subscriber, reason: CloseReason): void {
    forget(subscriber);
    subscriber.eventStream.close(reason);
  }

  function forget(subscriber: Subscriber): void {
    subscriber.isPresent = false;
    subscribers.delete(subscriber);
    const channel = channels.get(subscriber.organizationId);
    channel?.leave(subscriber);
    if (channel?.isEmpty) channels.delete(subscriber.organizationId);
  }

  /** Does the periodic work. */
  function beat(): void {
    const now = clock.now().getTime();
    for (const subscriber of subscribers) {
      if (subscriber.expiresAt === null) continue;
      if (subscriber.expiresAt.getTime() <= now) end(subscriber, 'token_expired');
    }
    if (hasPassed(heartbeatIntervalMs, heartbeatAt, now)) {
      heartbeatAt = now;
      for (const { eventStream } of subscribers) eventStream.write(heartbeat);
    }
    if (hasPassed(pollIntervalMs, lookedAt, now)) {
      lookedAt = now;
      void attempt(look);
    }
  }

  /** Finds changes without a notification: one was lost, or the listener's connection was. */
  async function look(): Promise<void> {
    for (const [id, channel] of channels) if (channel.isEmpty) channels.delete(id);
    const known = new Map<string, DatabaseSnapshot>();
    for (const [id, { seen }] of channels) if (seen !== null) known.set(id, seen);
    if (known.size === 0) return;
    for (const id of await queries.changedAmong(known)) channels.get(id)?.wake();
    await review([...subscribers]);
  }

  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      onError(error);
    }
  }

  function onError(error: unknown): void {
    // The next poll tries again; until then streams are late, not wrong.
    log.warn({ err: error }, 'live updates could not be read');
  }

  function channelOf(organizationId: string): Channel {
    const known = channels.get(organizationId);
    if (known) return known;
    const channel = createChannel(organizationId, { queries, positions, review, onError });
    channels.set(organizationId, channel);
    return channel;
  }

  return {
    async subscribe(caller, after) {
      if (isClosed) throw new Failure('service_unavailable', { headers: { 'retry-after': '1' } });
      if (streamsOf(caller.userId).length >= maxStreamsOfUser) {
        throw new Failure('rate_limited', {
          message: `You have ${maxStreamsOfUser} streams open; close one first`,
          headers: { 'retry-after': '60' },
        });
      }
      const subscriber: Subscriber = {
        ...caller,
        isPresent: true,
        eventStream: createEventStream(() => forget(subscriber)),
      };
      subscribers.add(subscriber);
      try {
        await start();
        await channelOf(caller.organizationId).join(subscriber, after);
      } catch (error) {
        forget(subscriber);
        throw error;
      }
      return subscriber.eventStream;
    },
    close() {
      isClosed = true;
      if (timer) clearInterval(timer);
      for (const subscriber of subscribers) end(subscriber, 'shutting_down');
    },
  };
}

/** Whether the interval has passed; also after the clock was set back. */
function hasPassed(intervalMs: number, since: number, now: number): boolean {
  return Math.abs(now - since) >= intervalMs;
}
