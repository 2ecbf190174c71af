import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@atelier/client';
import { subscribe } from '@atelier/client/events';
import type postgres from 'postgres';
import type { Findings } from '../findings.ts';

/** A subscription to the changes of a personal organization. */
export interface WatchedStream {
  /** Compares what arrived with what is stored. Waits for latecomers. @returns how many changes arrived */
  check(): Promise<number>;
  /** How often the stream said that changes are missing. */
  resets(): number;
  stop(): Promise<void>;
}

const arrivalSeconds = 10;

/** Subscribes with the client. Resolves when every later change has to arrive. */
export async function watchStream(
  { client, email }: { client: Client; email: string },
  { sql, findings }: { sql: postgres.Sql; findings: Findings },
): Promise<WatchedStream> {
  const received = new Map<string, number>();
  const ready = Promise.withResolvers<string>();
  const ending = new AbortController();
  let resets = 0;
  let lastReset = new Date(0);
  const reading = (async () => {
    for await (const { event, data } of subscribe(client, { signal: ending.signal })) {
      if (event === 'ready') ready.resolve(data.organizationId);
      if (event === 'activity') received.set(data.id, (received.get(data.id) ?? 0) + 1);
      if (event === 'reset') {
        resets += 1;
        lastReset = new Date();
      }
    }
    findings.add(`the stream of ${email} was closed`);
  })().catch((error: unknown) => {
    ready.reject(error);
    if (!ending.signal.aborted) findings.add(`the stream of ${email} failed: ${String(error)}`);
  });
  const organizationId = await ready.promise;
  const stored = () => sql<{ id: string; action: string; createdAt: Date }[]>`
    select id, action, created_at as "createdAt" from activities
    where organization_id = ${organizationId} order by created_at`;
  const before = new Set((await stored()).map(({ id }) => id));

  /** Changes that should have arrived. After a reset, the client reads everything again. */
  const missing = async () =>
    (await stored()).filter(
      ({ id, createdAt }) => !before.has(id) && !received.has(id) && createdAt > lastReset,
    );

  return {
    resets: () => resets,
    async check() {
      const deadline = performance.now() + arrivalSeconds * 1_000;
      let missed = await missing();
      while (missed.length > 0 && performance.now() < deadline) {
        await delay(200);
        missed = await missing();
      }
      for (const { id, action, createdAt } of missed) {
        findings.add(`${email} missed ${action} ${id} of ${createdAt.toISOString()}`);
        before.add(id);
      }
      for (const [id, times] of received) {
        if (times > 1) findings.add(`${email} got ${id} ${times} times`);
        received.set(id, 1);
      }
      return received.size;
    },
    async stop() {
      ending.abort();
      await reading;
    },
  };
}
