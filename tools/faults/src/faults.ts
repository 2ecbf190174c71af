import type { Sql } from 'postgres';
import type { Random } from './random.ts';
import {
  steps,
  type Step,
  type StorageOperation,
  type StorageProxy,
} from './services/storage-proxy.ts';
import type { Stack } from './stack.ts';

/** A failure of the services while they are in use. */
export interface Fault {
  readonly name: string;
  /** Says why this machine can't inject it; null if it can. */
  readonly skipReason?: (stack: Stack) => string | null;
  /**
   * Breaks something, waits, and restores it.
   *
   * @returns the observed effect, if it isn't obvious
   * @throws Error if it had no effect
   */
  readonly inject: (stack: Stack, context: FaultContext) => Promise<string | void>;
}

export interface FaultContext {
  readonly random: Random;
  /** Waits for the time that the seed gives the fault. */
  readonly hold: () => Promise<void>;
}

const seconds = (count: number) => new Promise((resolve) => setTimeout(resolve, count * 1_000));

/** In the parameters of the statement that saves an upload and enqueues its inspection. */
const savedUpload = /inspect_content\0.*storedObjectId/s;

/** How long a fault waits for the request that triggers it. */
const triggerSeconds = 20;

export const faults: readonly Fault[] = [
  {
    name: 'Postgres killed',
    async inject({ database }, { hold }) {
      await database.kill();
      await hold();
      await database.start();
    },
  },
  {
    name: 'Postgres restarted immediately',
    async inject({ database }) {
      await database.abort();
      await database.start();
    },
  },
  {
    name: 'Postgres paused',
    async inject({ database }, { hold }) {
      database.pause();
      await hold();
      database.resume();
    },
  },
  {
    name: 'disk of Postgres full',
    skipReason: ({ database }) => database.fillSkipReason,
    async inject({ database, sql }, { hold }) {
      database.fillDisk();
      const failure = await failureToStore(sql);
      await hold();
      await hold();
      database.freeDisk();
      await seconds(1);
      // Postgres exits if it can't write its log.
      await database.start();
      return failure;
    },
  },
  {
    name: 'PgBouncer restarted',
    skipReason: ({ bouncer }) => (typeof bouncer === 'string' ? bouncer : null),
    async inject({ bouncer }) {
      if (typeof bouncer !== 'string') await bouncer.restart();
    },
  },
  {
    name: 'connections to Postgres cut',
    async inject({ databaseProxies }, { hold }) {
      for (const proxy of databaseProxies) proxy.cut();
      await hold();
      for (const proxy of databaseProxies) proxy.restore();
    },
  },
  {
    name: 'connections to Postgres stalled',
    async inject({ databaseProxies: [proxy] }, { hold }) {
      proxy.stall();
      await hold();
      proxy.restore();
    },
  },
  {
    name: 'storage killed',
    async inject({ storage }, { hold }) {
      await storage.kill();
      await hold();
      await storage.start();
    },
  },
  {
    name: 'storage paused',
    async inject({ storage }, { hold }) {
      storage.pause();
      await hold();
      storage.resume();
    },
  },
  {
    name: 'storage cut at steps of its protocol',
    async inject({ storageProxy }, { random }) {
      const effects: string[] = [];
      for (const operation of random.shuffled(uploadOperations)) {
        for (const step of random.shuffled(steps)) {
          // Without a body, a request can't break off within it.
          if (step === 'within-request' && !operationsWithBody.has(operation)) continue;
          await interfereWith(storageProxy, (requested) => (requested === operation ? step : null));
          effects.push(`${operation} ${step}`);
        }
      }
      return effects.join(', ');
    },
  },
  {
    name: 'storage reports errors in a 200',
    async inject({ storageProxy }, { random }) {
      const failing = random.shuffled(['error-in-success', 'error-after-success'] as const);
      for (const step of failing) {
        await interfereWith(storageProxy, (operation) =>
          operation === 'join-parts' ? step : null,
        );
      }
      return failing.join(', ');
    },
  },
  {
    name: 'mail server down',
    async inject({ mail, sql }) {
      await mail.shutDown();
      const refused = until('a mail is refused', () => isMailPending(sql));
      await refused.finally(() => mail.restart());
    },
  },
  apiKilledAtDatabase('before a commit', 'request', /commit\0/i),
  apiKilledAtDatabase('after a commit', 'response', /commit\0/i),
  apiKilledAtDatabase('holding an idempotency key', 'response', /insert into "idempotency_keys"/),
  apiKilledAtDatabase('before an upload is saved', 'request', savedUpload),
  apiKilledAtDatabase('after an upload was saved', 'response', savedUpload),
  apiKilledAtDatabase('while running a job', 'response', /graphile_worker.*locked_by/s),
  apiKilledAtStorage('after the storage opened an upload', 'open-upload'),
  apiKilledAtStorage('after the storage joined the parts', 'join-parts'),
  {
    name: 'one of two APIs killed',
    async inject({ apis: [, victim] }, { hold }) {
      victim.kill();
      await victim.ended();
      await hold();
      await victim.start();
    },
  },
  {
    name: 'an API stopped gracefully',
    async inject({ apis: [api] }) {
      const code = await api.stop();
      await api.start();
      if (code !== 0) throw new Error(`it exited with ${code}`);
    },
  },
  shiftedClock('ten minutes ahead', 600),
  shiftedClock('ten minutes behind', -600),
];

function apiKilledAtDatabase(point: string, on: 'request' | 'response', pattern: RegExp): Fault {
  return {
    name: `API killed ${point}`,
    async inject(stack, { hold }) {
      const [api] = stack.apis;
      const [proxy] = stack.databaseProxies;
      // A connection sends the text of a statement only once.
      proxy.cut();
      proxy.restore();
      const triggered = new Promise<void>((resolve) => {
        stack.trap = {
          on,
          pattern,
          onTrigger() {
            api.kill();
            resolve();
          },
        };
      });
      await untilTriggered(triggered).finally(() => (stack.trap = null));
      await api.ended();
      await hold();
      await api.start();
    },
  };
}

function apiKilledAtStorage(point: string, operation: StorageOperation): Fault {
  return {
    name: `API killed ${point}`,
    async inject({ apis, storageProxy }, { hold }) {
      const triggered = new Promise<void>((resolve) => {
        storageProxy.onResponse = (responded) => {
          if (responded !== operation) return 'pass';
          // Either API may have sent the request.
          for (const api of apis) api.kill();
          resolve();
          return 'lose';
        };
      });
      await untilTriggered(triggered).finally(() => (storageProxy.onResponse = null));
      await Promise.all(apis.map((api) => api.ended()));
      await hold();
      await Promise.all(apis.map((api) => api.start()));
    },
  };
}

async function untilTriggered(triggered: Promise<void>): Promise<void> {
  const isTriggered = await Promise.race([
    triggered.then(() => true),
    seconds(triggerSeconds).then(() => false),
  ]);
  if (!isTriggered) throw new Error('no request triggered it');
}

/** The storage operations of every upload. */
const uploadOperations = ['open-upload', 'store-part', 'join-parts', 'stat'] as const;
const operationsWithBody: ReadonlySet<StorageOperation> = new Set(['store-part', 'join-parts']);

/** How many requests each step breaks, since the API retries some at once. */
const repeatsOfStep = 2;

/** Interferes with the next requests to the storage. */
async function interfereWith(
  storageProxy: StorageProxy,
  stepOf: (operation: StorageOperation) => Step | null,
): Promise<void> {
  let count = 0;
  const enough = new Promise<void>((resolve) => {
    storageProxy.interfere = (operation) => {
      const step = stepOf(operation);
      if (step !== null) count += 1;
      if (count >= repeatsOfStep) resolve();
      return step;
    };
  });
  await untilTriggered(enough).finally(() => (storageProxy.interfere = null));
}

/** Waits for a condition. @throws Error if it doesn't hold in time */
async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + triggerSeconds * 1_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`not in time: ${what}`);
    await seconds(0.1);
  }
}

async function isMailPending(sql: Sql): Promise<boolean> {
  const jobs = await sql`
    select from graphile_worker.jobs where last_error like '%ECONNREFUSED%' limit 1`;
  return jobs.length > 0;
}

/** Returns the error code with which Postgres rejects some more megabytes. */
async function failureToStore(sql: Sql): Promise<string> {
  try {
    await sql`create table overflow as
      select repeat('x', 1000) from generate_series(1, 50000)`;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
  await sql`drop table overflow`;
  throw new Error('there was room on the disk');
}

function shiftedClock(how: string, offsetSeconds: number): Fault {
  return {
    name: `clock of one API ${how}`,
    async inject({ apis: [, api], sql }, { hold }) {
      const [before] = await sql<{ transaction: string }[]>`
        select pg_current_xact_id()::text as transaction`;
      const writes = async () => {
        const [made] = await sql<{ count: number }[]>`
          select count(*)::int as count from activities
          where transaction_id::text::numeric > ${before?.transaction ?? ''}::numeric
            and abs(extract(epoch from created_at - now()) - ${offsetSeconds}) < 120`;
        return made?.count ?? 0;
      };
      await api.stop();
      await api.start(offsetSeconds);
      await hold();
      await until('a write has a wrong timestamp', async () => (await writes()) > 0);
      const count = await writes();
      await api.stop();
      await api.start();
      return `${count} writes with its timestamps`;
    },
  };
}
