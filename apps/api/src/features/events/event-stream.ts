import { Readable } from 'node:stream';
import { closedMessage, type CloseReason } from './messages.ts';

/** Maximum number of unread bytes before the next write. */
const maxWaitingBytes = 64 * 1024;
/** How long a client may take to read the last message. */
const partingMs = 2000;

/** The server side of one stream. */
export interface EventStream {
  readonly body: Readable;
  /** Writes on; ends the stream as `slow_reader` when the client hasn't read the earlier writes. */
  write(messages: string | Buffer): void;
  /** Sends the reason and ends the stream. Only the first call counts. */
  close(reason: CloseReason): void;
}

/** @param onClosed - called when the stream is closed, by either side */
export function createEventStream(onClosed: () => void): EventStream {
  const body = new Readable({ read() {} });
  let isOver = false;
  body.once('close', () => {
    isOver = true;
    onClosed();
  });
  // The client has disconnected; there is nothing else to do.
  body.on('error', () => {});

  function close(reason: CloseReason): void {
    if (isOver) return;
    isOver = true;
    body.push(closedMessage(reason));
    body.push(null);
    const timer = setTimeout(() => body.destroy(), partingMs);
    body.once('close', () => clearTimeout(timer));
  }

  return {
    body,
    close,
    write(messages) {
      if (isOver) return;
      if (body.readableLength > maxWaitingBytes) close('slow_reader');
      else body.push(messages);
    },
  };
}
