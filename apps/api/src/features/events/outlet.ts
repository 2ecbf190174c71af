import { Readable } from 'node:stream';
import { closedMessage, type CloseReason } from './messages.ts';

/** Bytes that may wait for a reader when more are to be written. */
const mostWaitingBytes = 64 * 1024;
/** How long a reader may take for the last message. */
const partingMs = 2000;

/** The service's end of one stream. */
export interface Outlet {
  readonly body: Readable;
  /** Writes on; ends the stream as `slow_reader` when its reader hasn't taken what was written before. */
  write(messages: string | Buffer): void;
  /** Says why, and ends the stream. Only the first call counts. */
  close(reason: CloseReason): void;
}

/** @param onClosed - the stream is over, whoever ended it */
export function createOutlet(onClosed: () => void): Outlet {
  const body = new Readable({ read() {} });
  let isOver = false;
  body.once('close', () => {
    isOver = true;
    onClosed();
  });
  // Whoever hung up is gone; there is nothing else to do about it.
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
      if (body.readableLength > mostWaitingBytes) close('slow_reader');
      else body.push(messages);
    },
  };
}
