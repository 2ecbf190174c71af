import { contract } from '@atelier/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { Failure } from '../kernel/errors.ts';
import { watchEventLoopDelay } from './event-loop-delay.ts';
import { operationOf } from './requests.ts';

/** Time that a refused caller waits at least, in seconds; a burst is over by then. */
const retryAfterSeconds = 2;

const probes: ReadonlySet<unknown> = new Set([
  contract.health.live.metadata,
  contract.health.ready.metadata,
]);

type PressureDeps = Pick<Deps, 'config' | 'databaseLoad'>;

/**
 * Refuses calls at once while this process is not up to those it has: what waits for longer than its caller
 * does is work for nobody, and makes the others wait too. Probes are answered all the same.
 *
 * @see docs/decisions/0039-overload-and-shutdown.md
 */
export function refuseUnderPressure(app: FastifyInstance, deps: PressureDeps): void {
  const delay = watchEventLoopDelay();
  app.addHook('onClose', async () => delay.stop());
  app.addHook('onRequest', (request, _reply, done) => {
    const message = overload(delay.sustainedMs(), deps);
    if (message === null || isProbe(request)) return done();
    done(
      new Failure('service_unavailable', {
        message: 'The service has too much to do; try again shortly',
        headers: { 'retry-after': String(retryAfterSeconds) },
        cause: new Error(message),
      }),
    );
  });
}

/** What is too much, for the log; null when nothing is. */
function overload(delayMs: number, { config, databaseLoad }: PressureDeps): string | null {
  const { MAX_EVENT_LOOP_DELAY_MS: maxDelayMs, MAX_WAITING_STATEMENTS: maxWaiting } = config;
  if (maxDelayMs > 0 && delayMs > maxDelayMs) {
    return `The event loop is ${Math.round(delayMs)} ms late`;
  }
  const { underWay, maxConnections } = databaseLoad();
  const waiting = underWay - maxConnections;
  if (maxWaiting > 0 && waiting > maxWaiting) return `${waiting} statements wait for a connection`;
  return null;
}

function isProbe(request: FastifyRequest): boolean {
  return probes.has(operationOf(request));
}
