import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';

/** The part of `SHUTDOWN_TIMEOUT_MS` until the process stops listening, if complete responses are still being sent. */
const sendingPart = 1 / 2;
/** The part until connections are closed that are still open. Stopping the jobs and closing the database takes the rest. */
const connectionsPart = 3 / 4;
const pollIntervalMs = 20;

/**
 * Lets slow readers receive the whole response while the server closes, and limits how long a client that doesn't read can
 * hold up the shutdown. Node closes the connections whose response is complete, whether it has been sent or not.
 *
 * Register it last: the hooks of features end their streams before.
 */
export function limitClosing(
  app: FastifyInstance,
  { SHUTDOWN_TIMEOUT_MS: timeoutMs }: Pick<Config, 'SHUTDOWN_TIMEOUT_MS'>,
): void {
  let timer: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    timer = setTimeout(() => app.server.closeAllConnections(), timeoutMs * connectionsPart);
    const until = performance.now() + timeoutMs * sendingPart;
    while (app.isStillSending() && performance.now() < until) await delay(pollIntervalMs);
  });
  app.addHook('onClose', async () => clearTimeout(timer));
}
