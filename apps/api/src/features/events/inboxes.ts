import { unreadMessage } from './messages.ts';
import type { EventStream } from './event-stream.ts';

/** Minimum interval between two counts to the same person, in milliseconds. */
const pauseMs = 1_000;

interface Reader {
  readonly eventStream: EventStream;
}

/** Tells people how many of their notifications are unread, after each change, at most once a second. */
export function createInboxFeed({
  streamsOf,
  countUnread,
  onError,
}: {
  /** The open streams of a person. */
  readonly streamsOf: (userId: string) => readonly Reader[];
  readonly countUnread: (userId: string) => Promise<number>;
  readonly onError: (error: unknown) => void;
}) {
  /** People who were told within the last second, and whether their count has changed since. */
  const told = new Map<string, { isStale: boolean }>();

  async function tell(userId: string): Promise<void> {
    try {
      const message = unreadMessage(await countUnread(userId));
      for (const { eventStream } of streamsOf(userId)) eventStream.write(message);
    } catch (error) {
      // The next change tells it.
      onError(error);
    }
  }

  function wake(userId: string): void {
    if (streamsOf(userId).length === 0) return;
    const recent = told.get(userId);
    if (recent) {
      recent.isStale = true;
      return;
    }
    const state = { isStale: false };
    told.set(userId, state);
    setTimeout(() => {
      told.delete(userId);
      if (state.isStale) wake(userId);
    }, pauseMs).unref();
    void tell(userId);
  }

  return { wake };
}
