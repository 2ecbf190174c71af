import type { FastifyInstance, FastifyReply } from 'fastify';
import { Failure } from '../kernel/errors.ts';
import { hasArrived } from './early-responses.ts';
import { operationOf } from './requests.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** The slot that tracks the deadline, if the reply has one. */
    waitingAt: number;
  }
}

interface Deadlines {
  /** From the request headers to the end of the body. */
  readonly receivedWithinMs: number;
  /** From the end of the body. Statements, storage and mails time out earlier; this covers work without its own limit. */
  readonly respondedWithinMs: number;
}

/** Time limits for responses, the same for every caller. */
export const respondedWithinMs = 30_000;

/** Maximum delay of a response to a missed deadline, in milliseconds. */
export const pollIntervalMs = 1_000;

/**
 * Responds 408 to a request that arrives too slowly (the client's fault), and 503 to one that takes too long after it has
 * arrived (the service's fault). Streams have no deadline, and a response that has begun has met its own.
 *
 * Fastify's `handlerTimeout` creates an abort controller, a timer and listeners for each request, which costs a small
 * response a twentieth of its processor time. This checks all pending replies periodically.
 *
 * @param lookEvery - interval of the check, in milliseconds
 */
export function addDeadline(
  app: FastifyInstance,
  deadlines: Deadlines,
  pollInterval: number = pollIntervalMs,
): void {
  const waiting = createWaiting();
  app.decorateReply('waitingAt', nowhere);
  app.addHook('onRequest', (request, reply, done) => {
    if (!operationOf(request)?.success.isStream) waiting.add(reply);
    done();
  });
  app.addHook('onResponse', (_request, reply, done) => {
    waiting.remove(reply);
    done();
  });

  const timer = setInterval(() => {
    for (const { reply, failure } of waiting.late(deadlines)) {
      waiting.remove(reply);
      if (isAwaited(reply)) reply.send(failure);
    }
  }, pollInterval).unref();
  app.addHook('onClose', async () => clearInterval(timer));
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
    /** Returns the replies past their deadline, with the error to send. */
    late({ receivedWithinMs, respondedWithinMs }: Deadlines): LateReply[] {
      const now = performance.now();
      return replies.flatMap((reply, place): LateReply[] => {
        if (reply === null) return [];
        if (hasArrived(reply.request.raw)) {
          const isLate = now - (waitingSince[place] ?? now) >= respondedWithinMs;
          return isLate ? [{ reply, failure: respondedTooLate(respondedWithinMs) }] : [];
        }
        waitingSince[place] = now;
        const isLate = now - (headsAt[place] ?? now) >= receivedWithinMs;
        return isLate ? [{ reply, failure: new Failure('request_timeout') }] : [];
      });
    },
  };
}

interface LateReply {
  readonly reply: FastifyReply;
  readonly failure: Failure;
}

const nowhere = -1;

/** Whether no byte of the response has been sent, and there is a client to send it to. */
function isAwaited({ sent, raw, request }: FastifyReply): boolean {
  return !sent && !raw.headersSent && !request.raw.socket.destroyed;
}

function respondedTooLate(withinMs: number): Failure {
  return new Failure('service_unavailable', {
    cause: new Error(`no response within ${withinMs} ms`),
    headers: { 'retry-after': '5' },
  });
}
