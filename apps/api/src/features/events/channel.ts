import { activityMessage, readyMessage, resetMessage, type ResetReason } from './messages.ts';
import type { EventStream } from './event-stream.ts';
import { maySee, type Viewer } from '../../domain/activity-view/audience.ts';
import { changesAccess } from './policy.ts';
import {
  isUnknown,
  type DatabaseSnapshot,
  type Position,
  type PositionCodec,
} from './positions.ts';
import { maxChanges, type Change, type EventQueries, type Standing } from './queries.ts';

/** A member that reads the stream. The role follows the membership. */
export interface Subscriber extends Standing, Viewer {
  role: Viewer['role'];
  readonly eventStream: EventStream;
  /** When the access token or the key expires; null for a key without an expiry. */
  readonly expiresAt: Date | null;
  /** False once its stream ends. */
  isPresent: boolean;
}

interface Joining {
  readonly subscriber: Subscriber;
  /** Null starts at the present. */
  readonly after: Position | null;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

interface ChannelDependencies {
  readonly queries: EventQueries;
  readonly positions: PositionCodec;
  /** Updates the roles, and ends the streams that have lost access. */
  readonly review: (subscribers: readonly Subscriber[]) => Promise<void>;
  /** A poll for changes failed; another one follows. */
  readonly onError: (error: unknown) => void;
}

/** The streams of one organization. Each change is read once for all of them. */
export interface Channel {
  /** The snapshot that its streams have reached; null before the first one. */
  readonly seen: DatabaseSnapshot | null;
  readonly isEmpty: boolean;
  /** Signals that a transaction may have committed. */
  wake(): void;
  /** Resolves when all changes so far are written to the stream and no later one can be missed. */
  join(subscriber: Subscriber, after: Position | null): Promise<void>;
  leave(subscriber: Subscriber): void;
}

export function createChannel(
  organizationId: string,
  { queries, positions, review, onError }: ChannelDependencies,
): Channel {
  const subscribers = new Set<Subscriber>();
  let joining: Joining[] = [];
  let seen: DatabaseSnapshot | null = null;
  let isStale = false;
  let isAtWork = false;

  const idOf = (position: Position) => positions.encode(organizationId, position);
  const idAt = (current: DatabaseSnapshot) => idOf(positionAt(current));

  /** Messages of changes that all lie between two snapshots. The last one has the id of the second. */
  function messagesOf(
    changes: readonly Change[],
    { epoch, from, to }: { epoch: string; from: string; to: string },
  ): string[] {
    return changes.map((change, index) => {
      const { transactionId, id } = change;
      const isLast = index === changes.length - 1;
      const within = isLast ? null : { batch: to, transactionId, id };
      const position = { epoch, seen: isLast ? to : from, within };
      return activityMessage(idOf(position), organizationId, change);
    });
  }

  /** One at a time, so that a stream that joins is exactly at the position of the others. */
  async function work(): Promise<void> {
    if (isAtWork) return;
    isAtWork = true;
    while (isStale || joining.length > 0) {
      const waiting = joining;
      joining = [];
      isStale = false;
      try {
        const now = await advance();
        await admit(waiting, now);
      } catch (error) {
        // The streams keep their position; the next poll continues from there.
        for (const { reject } of waiting) reject(error);
        if (waiting.length === 0) onError(error);
      }
    }
    isAtWork = false;
  }

  /** Sends all streams what was committed since. @returns the snapshot that they have reached */
  async function advance(): Promise<DatabaseSnapshot> {
    const from = seen;
    if (from === null) {
      seen = await queries.currentSnapshot(organizationId);
      return seen;
    }
    const { current, changes } = await queries.changesSince(organizationId, from.snapshot);
    const isOtherHistory = isUnknown(positionAt(from), current);
    // Before a client receives what it may no longer see.
    if (isOtherHistory || changes.some(changesAccess)) await review([...subscribers]);
    seen = current;
    if (isOtherHistory) {
      resetAll(current, 'unknown_position');
    } else if (changes.length > maxChanges) {
      resetAll(current, 'too_many_changes');
    } else if (changes.length > 0) {
      const { epoch, snapshot } = current;
      show(changes, messagesOf(changes, { epoch, from: from.snapshot, to: snapshot }));
    }
    return current;
  }

  function resetAll(current: DatabaseSnapshot, reason: ResetReason): void {
    const message = Buffer.from(resetMessage(idAt(current), reason));
    for (const { eventStream } of subscribers) eventStream.write(message);
  }

  function show(changes: readonly Change[], messages: readonly string[]): void {
    // Members with the same access share the bytes.
    const written = new Map<string, Buffer>();
    for (const subscriber of subscribers) {
      const visible = changes.map((change) => maySee(subscriber, change));
      const key = visible.map(Number).join('');
      const bytes =
        written.get(key) ?? Buffer.from(messages.filter((_, index) => visible[index]).join(''));
      written.set(key, bytes);
      if (bytes.length > 0) subscriber.eventStream.write(bytes);
    }
  }

  async function admit(waiting: readonly Joining[], now: DatabaseSnapshot): Promise<void> {
    if (waiting.length === 0) return;
    // The request was authorized earlier; only other subscribers heard about sessions that ended since.
    await review(waiting.map(({ subscriber }) => subscriber));
    for (const { subscriber, after, resolve } of waiting) {
      const messages = after
        ? await messagesAfter(after, subscriber, now)
        : readyMessage(organizationId, idAt(now));
      subscriber.eventStream.write(messages);
      if (subscriber.isPresent) subscribers.add(subscriber);
      resolve();
    }
  }

  async function messagesAfter(
    after: Position,
    viewer: Viewer,
    now: DatabaseSnapshot,
  ): Promise<string> {
    if (isUnknown(after, now)) {
      return readyMessage(organizationId, null) + resetMessage(idAt(now), 'unknown_position');
    }
    const missed = await queries.changesBetween(organizationId, after, now.snapshot);
    if (missed.length > maxChanges) {
      return readyMessage(organizationId, null) + resetMessage(idAt(now), 'too_many_changes');
    }
    const { epoch, snapshot } = now;
    const batch = after.within?.batch ?? after.seen;
    const rest = missed.filter(({ isOfBatch }) => isOfBatch);
    const later = missed.filter(({ isOfBatch }) => !isOfBatch);
    const messages = [
      ...continued(messagesOf(rest, { epoch, from: after.seen, to: batch }), rest, viewer),
      ...continued(messagesOf(later, { epoch, from: batch, to: snapshot }), later, viewer),
    ];
    // An id of its own where no message follows: that of the request ends with the key that sealed it.
    const id = messages.length === 0 ? idAt(now) : null;
    return readyMessage(organizationId, id) + messages.join('');
  }

  function continued(messages: string[], changes: readonly Change[], viewer: Viewer): string[] {
    return messages.filter((_, index) => {
      const change = changes[index];
      return change !== undefined && maySee(viewer, change);
    });
  }

  return {
    get seen() {
      return seen;
    },
    get isEmpty() {
      return subscribers.size === 0 && joining.length === 0 && !isAtWork;
    },
    wake() {
      isStale = true;
      void work();
    },
    join(subscriber, after) {
      return new Promise((resolve, reject) => {
        joining.push({ subscriber, after, resolve, reject });
        void work();
      });
    },
    leave(subscriber) {
      subscribers.delete(subscriber);
    },
  };
}

function positionAt({ epoch, snapshot }: DatabaseSnapshot): Position {
  return { epoch, seen: snapshot, within: null };
}
