import { contract } from '@atelier/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { Failure } from '../kernel/errors.ts';
import { watchEventLoopDelay } from './event-loop-delay.ts';
import type { Refusal } from './refusals.ts';
import { operationOf } from './requests.ts';

/** `Retry-After` of a refused request, in seconds; a burst is over by then. */
const retryAfterSeconds = 2;

const probes: ReadonlySet<unknown> = new Set([
  contract.health.live.metadata,
  contract.health.ready.metadata,
]);

type PressureDeps = Pick<Deps, 'config' | 'databaseLoad'>;

/**
 * Refuses requests at once while this process is overloaded: work for a client that has timed out is wasted,
 * and delays the others. Probes are always served.
 *
 * @see docs/decisions/0039-overload-and-shutdown.md
 */
export function underPressure(app: FastifyInstance, deps: PressureDeps): Refusal {
  const delay = watchEventLoopDelay();
  app.addHook('onClose', async () => delay.stop());
  return (request) => {
    const message = overload(delay.sustainedMs(), deps);
    if (message === null || isProbe(request)) return null;
    return new Failure('service_unavailable', {
      message: 'The service has too much to do; try again shortly',
      headers: { 'retry-after': String(retryAfterSeconds) },
      cause: new Error(message),
    });
  };
}

/** Returns the reason for the overload, for the log; null when there is none. */
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
