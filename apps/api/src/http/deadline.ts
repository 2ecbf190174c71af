import type { FastifyInstance, FastifyReply } from 'fastify';
import { Failure } from '../kernel/errors.ts';
import { operationOf } from './requests.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** Where it waits for its deadline, if it does. */
    waitingAt: number;
  }
}

interface Deadline {
  readonly answeredWithinMs: number;
  /** How late it may be. */
  readonly lookEveryMs: number;
}

/** Statements, storage and mails give up earlier; this is for what has no limit of its own. */
const standing: Deadline = { answeredWithinMs: 30_000, lookEveryMs: 1_000 };

/**
 * Answers 503 to whoever has waited for too long. A stream takes as long as it takes.
 *
 * Fastify's `handlerTimeout` makes an abort controller, a timer and listeners for each request, which costs a small
 * answer a twentieth of its processor time. This looks at all that wait now and then.
 */
export function addDeadline(app: FastifyInstance, deadline: Deadline = standing): void {
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
    for (const reply of waiting.since(performance.now() - deadline.answeredWithinMs)) {
      waiting.remove(reply);
      if (!reply.sent) reply.send(tooLate(deadline));
    }
  }, deadline.lookEveryMs).unref();
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
  const arrivals: number[] = [];
  const free: number[] = [];
  return {
    add(reply: FastifyReply): void {
      const place = free.pop() ?? replies.length;
      replies[place] = reply;
      arrivals[place] = performance.now();
      reply.waitingAt = place;
    },
    remove(reply: FastifyReply): void {
      const place = reply.waitingAt;
      if (place === nowhere) return;
      replies[place] = null;
      free.push(place);
      reply.waitingAt = nowhere;
    },
    /** Those that came no later than that. */
    since(latest: number): FastifyReply[] {
      return replies.filter(
        (reply, place): reply is FastifyReply => reply !== null && (arrivals[place] ?? 0) <= latest,
      );
    },
  };
}

const nowhere = -1;

function tooLate({ answeredWithinMs }: Deadline): Failure {
  return new Failure('service_unavailable', {
    cause: new Error(`no answer within ${answeredWithinMs} ms`),
    headers: { 'retry-after': '5' },
  });
}
