import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** How long, and how far, a connection is read on after an answer that came before the end of its request. */
export interface LingeringLimits {
  /** Time for a caller to take the answer and stop, however it sends. */
  readonly forMs: number;
  /** How long it may send nothing. */
  readonly silentMs: number;
  /** The same for a caller that was too slow already. */
  readonly lateMs: number;
  /** The same while the process stops: it waits for nobody who only sends. */
  readonly whileStoppingMs: number;
  /** More than the buffers between two machines hold, and than most callers send before they look for an answer. */
  readonly maxBytes: number;
  /** Connections at a time; whoever is one too many takes the place of the one that had the most time. */
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
  until: number;
  readonly maxBytesRead: number;
  bytesRead: number;
  /** When more was read for the last time. */
  heardAt: number;
}

/**
 * How often the limits are looked at, in milliseconds. A listener for each chunk would take the connection from Node's
 * parser, which then doesn't start again what it had paused.
 */
const lookEveryMs = 50;

/**
 * Connections whose last answer is given, and that are read on until their callers had time to take it. Closed
 * with bytes unread, a connection is reset, and a reset lets the caller's side throw away the answer (RFC 9112,
 * section 9.6).
 *
 * @see docs/decisions/0037-hostile-input-and-early-refusals.md
 */
export interface LingeringConnections {
  /**
   * Says that nothing more is going to be answered, and reads on.
   *
   * @param status - of the last answer: whoever is told 408 had their time
   */
  add(socket: Duplex, status: number): void;
  has(socket: Duplex): boolean;
  /** How many there are at this moment. */
  count(): number;
  /** From now on nobody is waited for longer than while stopping. */
  stop(): void;
}

export function createLingering(limits: LingeringLimits = standing): LingeringConnections {
  const lasts = new Map<Duplex, Last>();
  let forMs = limits.forMs;
  let looking: NodeJS.Timeout | undefined;

  function look(): void {
    const now = performance.now();
    for (const [socket, last] of lasts) {
      const bytesRead = bytesReadOf(socket);
      if (bytesRead !== last.bytesRead) last.heardAt = now;
      last.bytesRead = bytesRead;
      const isSilent = now - last.heardAt >= limits.silentMs;
      if (isSilent || now >= last.until || bytesRead > last.maxBytesRead) socket.destroy();
    }
  }

  function makeRoom(): void {
    if (lasts.size < limits.maxConnections) return;
    // A map is in the order of arrival.
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
      const heardAt = performance.now();
      const maxBytesRead = bytesRead + limits.maxBytes;
      const until = heardAt + (status === 408 ? Math.min(forMs, limits.lateMs) : forMs);
      lasts.set(socket, { until, maxBytesRead, bytesRead, heardAt });
      looking ??= setInterval(look, lookEveryMs);
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
      const until = performance.now() + forMs;
      for (const last of lasts.values()) last.until = Math.min(last.until, until);
    },
  };
}

function bytesReadOf(socket: Duplex): number {
  return socket instanceof Socket ? socket.bytesRead : 0;
}

/**
 * Makes an answer that is given before its request has arrived the last one on its connection, and lets it arrive.
 * A body that came along with its head has arrived a turn later, and costs nobody a connection.
 */
export function lingerAfterEarlyAnswers(
  app: FastifyInstance,
  lingering: LingeringConnections,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    // Sent after a request that said where the connection ends; to act on it would be to act in secret.
    if (lingering.has(request.raw.socket)) reply.hijack();
    else done();
  });
  // oxlint-disable-next-line eslint/max-params -- what the framework calls it with
  app.addHook('onSend', (request, reply, payload, done) => {
    if (hasArrived(request.raw)) return done(null, payload);
    setImmediate(() => {
      closeAfterAnswer(request, reply, lingering);
      done(null, payload);
    });
  });
  app.addHook('preClose', async () => lingering.stop());
}

/** Has the connection closed after the answer, unless the whole request has arrived. */
export function closeAfterAnswer(
  { raw }: FastifyRequest,
  reply: FastifyReply,
  lingering: LingeringConnections,
): void {
  if (hasArrived(raw)) return;
  reply.header('connection', 'close');
  const { socket } = raw;
  // What Node does with a connection after its last answer is to close it, read or unread.
  socket.destroySoon = () => lingering.add(socket, reply.statusCode);
}

/** Whether nothing of it is still to come. Before its end was seen, a request without a body is complete as well. */
export function hasArrived({ complete, headers }: IncomingMessage): boolean {
  return complete || !announcesBody(headers);
}

function announcesBody(headers: IncomingMessage['headers']): boolean {
  const { 'content-length': length, 'transfer-encoding': coding } = headers;
  return coding !== undefined || (length !== undefined && length !== '0');
}
