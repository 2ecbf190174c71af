import type { FastifyInstance, FastifyReply } from 'fastify';
import { Failure } from '../kernel/errors.ts';
import { operationOf } from './requests.ts';

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
 * answer a twentieth of its processor time. This looks at the oldest calls now and then.
 */
export function addDeadline(app: FastifyInstance, deadline: Deadline = standing): void {
  // In the order of their arrival.
  const waiting = new Map<FastifyReply, number>();
  app.addHook('onRequest', (request, reply, done) => {
    if (!operationOf(request)?.success.isStream) waiting.set(reply, performance.now());
    done();
  });
  app.addHook('onResponse', (_request, reply, done) => {
    waiting.delete(reply);
    done();
  });

  const timer = setInterval(() => {
    const latest = performance.now() - deadline.answeredWithinMs;
    for (const [reply, since] of waiting) {
      if (since > latest) return;
      waiting.delete(reply);
      if (!reply.sent) reply.send(tooLate(deadline));
    }
  }, deadline.lookEveryMs).unref();
  app.addHook('onClose', async () => clearInterval(timer));
}

function tooLate({ answeredWithinMs }: Deadline): Failure {
  return new Failure('service_unavailable', {
    cause: new Error(`no answer within ${answeredWithinMs} ms`),
    headers: { 'retry-after': '5' },
  });
}
