import { TransportError } from './errors.ts';

/** A message of an event stream. */
export interface StreamMessage {
  readonly event: string;
  readonly data: string;
  /** Null if the message has none. */
  readonly id: string | null;
}

/**
 * Parses the subset of Server-Sent Events that the service uses: one `data` line each, LF as line end.
 *
 * @param onBytes - called for any bytes, also those of a heartbeat comment
 * @throws TransportError when the connection breaks
 */
export async function* messagesOf(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<StreamMessage, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        // Runtimes differ in its class.
        throw new TransportError('network', 1, { cause });
      });
      if (done) return;
      onBytes();
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const message = messageIn(block);
        if (message) yield message;
      }
    }
  } finally {
    // Not awaited: it would hang with a stalled connection.
    void reader.cancel().catch(() => {});
  }
}

function messageIn(block: string): StreamMessage | null {
  // Not `.` and the flag `m`: for them, U+2028 and U+2029 end a line, too.
  const fieldOf = (name: string) =>
    new RegExp(`(?:^|\\n)${name}: ?([^\\n]*)`).exec(block)?.[1] ?? null;
  const data = fieldOf('data');
  return data === null ? null : { event: fieldOf('event') ?? 'message', data, id: fieldOf('id') };
}
