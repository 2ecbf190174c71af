import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import type { Pool } from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { cloneDatabase } from '../testing/api.ts';
import { inTime } from '../testing/in-time.ts';
import { startProxyTo, type Fate, type TcpProxy } from '../testing/tcp-proxy.ts';
import { openQueuePool } from './queue-pool.ts';

const responseTimeoutMs = 1_000;

/** A pool whose path to the database leads through a proxy. */
async function stage(
  onResponse?: (request: string) => Fate,
): Promise<{ pool: Pool; proxy: TcpProxy }> {
  const { proxy, url } = await startProxyTo(await cloneDatabase(), onResponse && { onResponse });
  const log = pino({ level: 'silent' });
  const pool = openQueuePool({ databaseUrl: url, maxConnections: 2, responseTimeoutMs, log });
  onTestFinished(async () => {
    await pool.end();
    await proxy.close();
  });
  return { pool, proxy };
}

/** Uses a connection as the queue does: it releases it without saying whether it still works. */
async function use(pool: Pool, statement: string): Promise<unknown[]> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(statement);
    return rows.flatMap((row) => Object.values(row));
  } finally {
    client.release();
  }
}

const backend = 'select pg_backend_pid()';
const silent = 'The database did not respond within 1000 ms.';

test('a connection that fell silent fails its statement in time, and is not used again', async () => {
  const { pool, proxy } = await stage();
  const [before] = await use(pool, backend);
  expect(await use(pool, backend)).toEqual([before]);
  proxy.silence();
  const lost = inTime(2 * responseTimeoutMs, use(pool, backend));
  await expect(lost).rejects.toThrow(silent);
  for (let count = 0; count < 3; count += 1) expect(await use(pool, backend)).not.toContain(before);
});

test('a response that stops in the middle is no response', async () => {
  let chunks = 0;
  const { pool } = await stage((request) => {
    if (!request.includes('repeat(')) return 'pass';
    chunks += 1;
    return chunks === 1 ? 'pass' : 'swallow';
  });
  const long = "select repeat('x', 1000) from generate_series(1, 20000)";
  await expect(use(pool, long)).rejects.toThrow(silent);
  expect(chunks).toBeGreaterThan(1);
  expect(await use(pool, 'select 1')).toEqual([1]);
});

test('on a silent path, a connection can not be opened, and the next attempt may succeed', async () => {
  const { pool, proxy } = await stage();
  proxy.stall();
  const attempts = await inTime(
    2 * responseTimeoutMs,
    Promise.allSettled([1, 2, 3].map(() => use(pool, backend))),
  );
  expect(attempts.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  proxy.restore();
  expect(await use(pool, 'select 1')).toEqual([1]);
});

test('an idle connection waits for notifications, and a slow server is not a silent one', async () => {
  const { pool } = await stage();
  const listener = await pool.connect();
  try {
    const received: string[] = [];
    listener.on('notification', ({ channel }) => received.push(channel));
    await listener.query('listen jobs');
    const [before] = await use(pool, backend);
    for (let count = 0; count < 3; count += 1) {
      await use(pool, 'select 1 from pg_sleep(0.5)');
      await delay(200);
    }
    await use(pool, 'notify jobs');
    await expect.poll(() => received).toEqual(['jobs']);
    expect(await use(pool, backend)).toEqual([before]);
  } finally {
    listener.release();
  }
});

test('a connection that is released twice, as by a runner that stops while its listener fails, is released once', async () => {
  const { pool } = await stage();
  const released = vi.fn();
  pool.on('release', released);
  const release = await new Promise<(reason?: Error) => void>((resolve, reject) => {
    pool.connect((error, _client, done) => (error ? reject(error) : resolve(done)));
  });
  release(new Error('lost'));
  release();
  expect(released).toHaveBeenCalledTimes(1);
  expect(pool.totalCount).toBe(0);
  expect(await use(pool, 'select 1')).toEqual([1]);
});
