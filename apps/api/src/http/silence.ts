import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyRequest } from 'fastify';

/** Time after which the connection of a client that has stopped reading is closed, in milliseconds. Streams write more often. */
export const silentMs = 60_000;

/**
 * Limits the time of a response without a byte in either direction. Node's server closes a connection whose time is over,
 * and takes the limit off with the next request.
 */
export function limitSilence({ raw }: FastifyRequest, ms: number = silentMs): void {
  const socket: Duplex = raw.socket;
  // Set once more, it would begin anew. An injected request has no connection.
  if (socket instanceof Socket && socket.timeout !== ms) socket.setTimeout(ms);
}
