import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../kernel/errors.ts';
import { hasArrived } from './early-responses.ts';
import { operationOf } from './requests.ts';
import { limitSilence } from './silence.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether a response is complete and still on its way to a slow reader. */
    isStillSending: () => boolean;
  }
  interface FastifyReply {
    /** The slot that tracks the reply, until its response has ended. */
    waitingAt: number;
  }
}

interface Deadlines {
  /** From the request headers to the end of the body. */
  readonly receivedWithinMs: number;
  /** From the end of the body. Statements, storage and mails time out earlier; this covers work without its own limit. */
  readonly respondedWithinMs: number;
  /** Of a response that has begun, without a byte in either direction. */
  readonly silentMs: number;
}

/** Called for a reply whose client has disconnected, once its response would have been sent. */
type OnDisconnected = (request: FastifyRequest, reply: FastifyReply) => void;

/** Time limits for responses, the same for every caller. */
export const respondedWithinMs = 30_000;

/** Maximum delay of a response to a missed deadline, in milliseconds. */
export const pollIntervalMs = 1_000;

/**
 * Responds 408 to a request that arrives too slowly (the client's fault), and 503 to one that takes too long after it has
 * arrived (the service's fault). Streams have no deadline, and a response that has begun has met its own: only a client that
 * stops reading it loses its connection. Node has a timeout for that, which each read and each write of every connection
 * would start anew; here only that of a response has it that takes longer than until the next check.
 *
 * Fastify's `handlerTimeout` creates an abort controller, a timer and listeners for each request, which costs a small
 * response a twentieth of its processor time. This checks all pending replies periodically. That also finds those whose
 * clients have disconnected: the framework calls `onResponse` only for a response that has been sent.
 *
 * @param pollInterval - interval of the check, in milliseconds
 */
export function addDeadline(
  app: FastifyInstance,
  { onDisconnected, ...deadlines }: Deadlines & { readonly onDisconnected: OnDisconnected },
  pollInterval: number = pollIntervalMs,
): void {
  const waiting = createWaiting();
  app.decorate('isStillSending', () => waiting.someAreBeingSent());
  app.decorateReply('waitingAt', nowhere);
  app.addHook('onRequest', (_request, reply, done) => {
    waiting.add(reply);
    done();
  });
  app.addHook('onResponse', (_request, reply, done) => {
    waiting.remove(reply);
    done();
  });

  const look = () => {
    for (const { reply, failure } of waiting.due(deadlines)) {
      waiting.remove(reply);
      if (failure === null) {
        onDisconnected(reply.request, reply);
      } else {
        reply.send(failure);
        limitSilence(reply.request, deadlines.silentMs);
      }
    }
    for (const reply of waiting.begun()) limitSilence(reply.request, deadlines.silentMs);
  };
  const timer = setInterval(look, pollInterval).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    // Handlers that have just ended respond within this turn.
    await nextTurn();
    look();
  });
}

/**
 * Pending replies, each in a slot that is reused after removal.
 *
 * In a `Map` they would outlive their request: whenever a map grows it leaves its old table behind, which refers to
 * the next one and to its entries. A table in the old generation keeps the requests of every later one until a full
 * garbage collection.
 */
function createWaiting() {
  const replies: (FastifyReply | null)[] = [];
  const headsAt: number[] = [];
  /** When the request was last seen incomplete; initially, when its headers arrived. */
  const waitingSince: number[] = [];
  const free: number[] = [];
  return {
    add(reply: FastifyReply): void {
      const place = free.pop() ?? replies.length;
      replies[place] = reply;
      headsAt[place] = waitingSince[place] = performance.now();
      reply.waitingAt = place;
    },
    remove(reply: FastifyReply): void {
      const place = reply.waitingAt;
      if (place === nowhere) return;
      replies[place] = null;
      free.push(place);
      reply.waitingAt = nowhere;
    },
    /** Whether a response has its last byte, but its client has not. */
    someAreBeingSent(): boolean {
      return replies.some(
        (reply) => reply?.raw.writableEnded === true && !reply.request.raw.socket.destroyed,
      );
    },
    /** Returns the replies whose response is on its way. */
    begun(): FastifyReply[] {
      return replies.flatMap((reply) => (reply !== null && hasBegun(reply) ? [reply] : []));
    },
    /** Returns the replies past their deadline, and those whose client has disconnected and that are over. */
    due({ receivedWithinMs, respondedWithinMs }: Deadlines): DueReply[] {
      const now = performance.now();
      return replies.flatMap((reply, place): DueReply[] => {
        if (reply === null) return [];
        const isBegun = hasBegun(reply);
        const isLate = now - (waitingSince[place] ?? now) >= respondedWithinMs;
        const { raw } = reply.request;
        if (raw.socket.destroyed) return isBegun || isLate ? [{ reply, failure: null }] : [];
        if (isBegun || operationOf(reply.request)?.success.isStream) return [];
        if (hasArrived(raw)) {
          return isLate ? [{ reply, failure: respondedTooLate(respondedWithinMs) }] : [];
        }
        waitingSince[place] = now;
        const isTooSlow = now - (headsAt[place] ?? now) >= receivedWithinMs;
        return isTooSlow ? [{ reply, failure: new Failure('request_timeout') }] : [];
      });
    },
  };
}

interface DueReply {
  readonly reply: FastifyReply;
  /** The error to send; null if the client has disconnected. */
  readonly failure: Failure | null;
}

const nowhere = -1;

function hasBegun(reply: FastifyReply): boolean {
  return reply.sent || reply.raw.headersSent;
}

function respondedTooLate(withinMs: number): Failure {
  return new Failure('service_unavailable', {
    cause: new Error(`no response within ${withinMs} ms`),
    headers: { 'retry-after': '5' },
  });
}
