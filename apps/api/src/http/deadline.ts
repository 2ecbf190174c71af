import type { FastifyInstance, FastifyReply } from 'fastify';
import { Failure } from '../kernel/errors.ts';
import { hasArrived } from './early-answers.ts';
import { operationOf } from './requests.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** Where it waits for its deadline, if it does. */
    waitingAt: number;
  }
}

interface Deadlines {
  /** From the head of a request to the end of its body. */
  readonly receivedWithinMs: number;
  /** From there on. Statements, storage and mails give up earlier; this is for what has no limit of its own. */
  readonly answeredWithinMs: number;
}

/** Time to answer, whoever asks. */
export const answeredWithinMs = 30_000;

/** How late an answer about a deadline may be, in milliseconds. */
export const lookEveryMs = 1_000;

/**
 * Answers 408 to a request that is too slow to arrive, which is its sender's affair, and 503 to one that has waited too
 * long since, which is ours. A stream takes as long as it takes.
 *
 * Fastify's `handlerTimeout` makes an abort controller, a timer and listeners for each request, which costs a small
 * answer a twentieth of its processor time. This looks at all that wait now and then.
 *
 * @param lookEvery - how often, in milliseconds
 */
export function addDeadline(
  app: FastifyInstance,
  deadlines: Deadlines,
  lookEvery: number = lookEveryMs,
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
      if (!reply.sent) reply.send(failure);
    }
  }, lookEvery).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}

/**
 * The replies that wait, each in a place of its own until it is taken out; places are used again.
 *
 * In a `Map` they would outlive their request: whenever one has to make room it leaves its old table behind, which refers to
 * the next and to all that was in it. A table that has become old keeps the requests of every later one until the whole heap
 * is collected.
 */
function createWaiting() {
  const replies: (FastifyReply | null)[] = [];
  const headsAt: number[] = [];
  /** When it was last seen that its request had not arrived; until then, when its head did. */
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
    /** Those that are out of time, with what is to be said of that. */
    late({ receivedWithinMs, answeredWithinMs }: Deadlines): LateReply[] {
      const now = performance.now();
      return replies.flatMap((reply, place): LateReply[] => {
        if (reply === null) return [];
        if (hasArrived(reply.request.raw)) {
          const isLate = now - (waitingSince[place] ?? now) >= answeredWithinMs;
          return isLate ? [{ reply, failure: answeredTooLate(answeredWithinMs) }] : [];
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

function answeredTooLate(withinMs: number): Failure {
  return new Failure('service_unavailable', {
    cause: new Error(`no answer within ${withinMs} ms`),
    headers: { 'retry-after': '5' },
  });
}
