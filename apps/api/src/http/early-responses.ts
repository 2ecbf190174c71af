import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isInjection } from 'light-my-request';

/** Limits on how long, and how far, a connection is read after a response that was sent before the request ended. */
export interface LingeringLimits {
  /** Total time for a client to receive the response and stop sending. */
  readonly forMs: number;
  /** Maximum idle time. */
  readonly silentMs: number;
  /** The total time of a client that was already too slow. */
  readonly lateMs: number;
  /** The total time during shutdown: it does not wait for clients that only send. */
  readonly whileStoppingMs: number;
  /** More than the buffers between two machines hold, and than most clients send before they check for a response. */
  readonly maxBytes: number;
  /** Maximum number of connections; one more evicts the connection that has been open longest. */
  readonly maxConnections: number;
}

const standing: LingeringLimits = {
  forMs: 30_000,
  silentMs: 5_000,
  lateMs: 2_000,
  whileStoppingMs: 1_000,
  maxBytes: 32 * 1024 ** 2,
  maxConnections: 500,
};

interface Last {
  leftMs: number;
  readonly maxBytesRead: number;
  bytesRead: number;
  /** Time since data was last read. */
  silentMs: number;
}

/**
 * Interval of the limit checks, in milliseconds. A listener for each chunk would take the connection from Node's
 * parser, which then doesn't resume the stream that it paused.
 */
const pollIntervalMs = 50;

/**
 * The most that one check adds to the times. After the process itself stood still, what clients have sent meanwhile
 * is not read yet.
 */
const maxStepMs = 250;

/**
 * Connections whose final response is sent, and that are read until their clients had time to receive it. Closing a
 * connection with unread bytes resets it, and a reset lets the client's side discard the response (RFC 9112,
 * section 9.6).
 *
 * @see docs/decisions/0037-hostile-input-and-early-refusals.md
 */
export interface LingeringConnections {
  /**
   * Marks the response as final, and keeps reading.
   *
   * @param status - of the final response: after 408 the client gets less time
   */
  add(socket: Duplex, status: number): void;
  has(socket: Duplex): boolean;
  /** The current number of connections. */
  count(): number;
  /** Shortens all waits to the limits of shutdown. */
  stop(): void;
}

export function createLingering(limits: LingeringLimits = standing): LingeringConnections {
  const lasts = new Map<Duplex, Last>();
  let forMs = limits.forMs;
  let looking: NodeJS.Timeout | undefined;
  let lookedAt = 0;

  function look(): void {
    const now = performance.now();
    const stepMs = Math.min(now - lookedAt, maxStepMs);
    lookedAt = now;
    for (const [socket, last] of lasts) {
      const bytesRead = bytesReadOf(socket);
      last.silentMs = bytesRead === last.bytesRead ? last.silentMs + stepMs : 0;
      last.leftMs -= stepMs;
      last.bytesRead = bytesRead;
      const isSilent = last.silentMs >= limits.silentMs;
      if (isSilent || last.leftMs <= 0 || bytesRead > last.maxBytesRead) socket.destroy();
    }
  }

  function startLooking(): void {
    lookedAt = performance.now();
    looking = setInterval(look, pollIntervalMs);
  }

  function makeRoom(): void {
    if (lasts.size < limits.maxConnections) return;
    // A map iterates in order of insertion.
    for (const [oldest] of lasts) {
      lasts.delete(oldest);
      oldest.destroy();
      return;
    }
  }

  return {
    add(socket, status) {
      if (socket.destroyed || lasts.has(socket)) return;
      makeRoom();
      const bytesRead = bytesReadOf(socket);
      const maxBytesRead = bytesRead + limits.maxBytes;
      const leftMs = status === 408 ? Math.min(forMs, limits.lateMs) : forMs;
      lasts.set(socket, { leftMs, maxBytesRead, bytesRead, silentMs: 0 });
      if (!looking) startLooking();
      socket.once('close', () => {
        lasts.delete(socket);
        if (lasts.size > 0) return;
        clearInterval(looking);
        looking = undefined;
      });
      socket.end();
      socket.resume();
    },
    has: (socket) => lasts.has(socket),
    count: () => lasts.size,
    stop() {
      forMs = Math.min(forMs, limits.whileStoppingMs);
      for (const last of lasts.values()) last.leftMs = Math.min(last.leftMs, forMs);
    },
  };
}

function bytesReadOf(socket: Duplex): number {
  return socket instanceof Socket ? socket.bytesRead : 0;
}

/**
 * Makes a response that is sent before its request has arrived the final one on its connection, and lets the request
 * arrive. A body that came along with its headers has arrived a turn later, and does not cost the connection.
 */
export function lingerAfterEarlyResponses(
  app: FastifyInstance,
  lingering: LingeringConnections,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    // Sent after a request that ends the connection; executing it would have an effect without a response.
    if (lingering.has(request.raw.socket)) reply.hijack();
    else done();
  });
  // oxlint-disable-next-line eslint/max-params -- what the framework calls it with
  app.addHook('onSend', (request, reply, payload, done) => {
    if (hasArrived(request.raw)) return done(null, payload);
    setImmediate(() => {
      closeAfterResponse(request, reply, lingering);
      done(null, payload);
    });
  });
  app.addHook('preClose', async () => lingering.stop());
}

/** Closes the connection after the response, unless the whole request has arrived. */
export function closeAfterResponse(
  { raw }: FastifyRequest,
  reply: FastifyReply,
  lingering: LingeringConnections,
): void {
  if (hasArrived(raw)) return;
  reply.header('connection', 'close');
  const { socket } = raw;
  // After the final response Node closes the connection, read or unread.
  socket.destroySoon = () => lingering.add(socket, reply.statusCode);
}

/**
 * Checks whether the whole request has arrived. A request without a body is complete even before its end event, and one of
 * the service itself, as for a tool, never says that it is.
 */
export function hasArrived(request: IncomingMessage): boolean {
  return request.complete || !announcesBody(request.headers) || isInjection(request);
}

function announcesBody(headers: IncomingMessage['headers']): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = headers;
  return coding !== undefined || (length !== undefined && length !== '0');
}
