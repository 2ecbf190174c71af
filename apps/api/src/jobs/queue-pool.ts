import { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { Pool, type PoolClient } from 'pg';

/** Idle time after which the system asks whether the other side is there, in milliseconds. */
const keepAliveMs = 10_000;

/**
 * Opens the connections of the job queue. One that gets no response in time is destroyed, and its statements fail. The
 * driver's own `query_timeout` would only fail the statement: the connection stays in the pool and never works again.
 *
 * @param responseTimeoutMs - after which a connection, or the wait for one, fails, in milliseconds
 * @see https://github.com/brianc/node-postgres/issues/3399
 */
export function openQueuePool({
  databaseUrl,
  maxConnections,
  responseTimeoutMs,
  log,
}: {
  databaseUrl: string;
  maxConnections: number;
  responseTimeoutMs: number;
  log: FastifyBaseLogger;
}): Pool {
  const pool = new QueuePool({
    connectionString: databaseUrl,
    max: maxConnections,
    connectionTimeoutMillis: responseTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
  });
  const onError = (err: Error) => log.warn({ err }, 'a connection of the job queue was lost');
  pool.on('error', onError);
  pool.on('connect', (client) => {
    client.on('error', onError);
    endWhenSilent(client, responseTimeoutMs);
  });
  return pool;
}

type Connected = Parameters<Pool['connect']>[0];

/**
 * Lets a connection be released twice. When a runner stops while its listener fails, graphile-worker 0.18.0 releases the
 * listener's connection both times, without a handler: the second one would end the process.
 */
class QueuePool extends Pool {
  override connect(): Promise<PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<PoolClient> | void {
    if (!callback) return super.connect();
    super.connect((error, client, release) => {
      let isReleased = false;
      callback(error, client, (reason) => {
        if (isReleased) return;
        isReleased = true;
        release(reason);
      });
    });
  }
}

/** Destroys a connection on which something was sent and nothing came back. An idle one may wait, as for notifications. */
function endWhenSilent(client: PoolClient, responseTimeoutMs: number): void {
  const { stream } = client.connection;
  // Every stream of the driver is one.
  if (!(stream instanceof Socket)) return;
  let respondedTo = stream.bytesWritten;
  client.on('drain', () => {
    respondedTo = stream.bytesWritten;
  });
  stream.setTimeout(responseTimeoutMs, () => {
    if (stream.bytesWritten === respondedTo) return;
    stream.destroy(new Error(`The database did not respond within ${responseTimeoutMs} ms.`));
  });
}
