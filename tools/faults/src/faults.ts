import type { Sql } from 'postgres';
import type { Random } from './random.ts';
import { steps, type Step, type StorageCall, type StorageProxy } from './services/storage-proxy.ts';
import type { Stack } from './stack.ts';

/** Something that happens to the services while they are used. */
export interface Fault {
  readonly name: string;
  /** Why it can't happen here. */
  readonly whyNot?: (stack: Stack) => string | null;
  /**
   * Breaks something, waits, and mends it.
   *
   * @param hold - resolves after the time that the seed gives the fault
   * @returns what it was seen to do, where that is not plain
   * @throws Error when it did nothing
   */
  readonly strike: (stack: Stack, occasion: Occasion) => Promise<string | void>;
}

export interface Occasion {
  readonly random: Random;
  readonly hold: () => Promise<void>;
}

const seconds = (count: number) => new Promise((resolve) => setTimeout(resolve, count * 1_000));

/** Longest that a trap waits for what springs it, in seconds. */
const trapSeconds = 20;

export const faults: readonly Fault[] = [
  {
    name: 'Postgres killed',
    async strike({ database }, { hold }) {
      await database.kill();
      await hold();
      await database.start();
    },
  },
  {
    name: 'Postgres restarted at once',
    async strike({ database }) {
      await database.stopAtOnce();
      await database.start();
    },
  },
  {
    name: 'Postgres paused',
    async strike({ database }, { hold }) {
      database.pause();
      await hold();
      database.resume();
    },
  },
  {
    name: 'disk of Postgres full',
    whyNot: ({ database }) => database.whyNotFull,
    async strike({ database, sql }, { hold }) {
      database.fillDisk();
      const failure = await failureToStore(sql);
      await hold();
      await hold();
      database.freeDisk();
      await seconds(1);
      // Where it could not even write its log, it has ended.
      await database.start();
      return failure;
    },
  },
  {
    name: 'PgBouncer restarted',
    whyNot: ({ bouncer }) => (typeof bouncer === 'string' ? bouncer : null),
    async strike({ bouncer }) {
      if (typeof bouncer !== 'string') await bouncer.restart();
    },
  },
  {
    name: 'connections to Postgres cut',
    async strike({ databaseWays }, { hold }) {
      for (const way of databaseWays) way.cut();
      await hold();
      for (const way of databaseWays) way.restore();
    },
  },
  {
    name: 'connections to Postgres silent',
    async strike({ databaseWays: [way] }, { hold }) {
      way.stall();
      await hold();
      way.restore();
    },
  },
  {
    name: 'storage killed',
    async strike({ storage }, { hold }) {
      await storage.kill();
      await hold();
      await storage.start();
    },
  },
  {
    name: 'storage paused',
    async strike({ storage }, { hold }) {
      storage.pause();
      await hold();
      storage.resume();
    },
  },
  {
    name: 'storage cut at steps of its protocol',
    async strike({ storageWay }, { random }) {
      const seen: string[] = [];
      for (const call of random.shuffled(callsOfUpload)) {
        for (const step of random.shuffled(steps)) {
          // Without a body there is nothing to be within.
          if (step === 'within-request' && !callsWithBody.has(call)) continue;
          await strikeCalls(storageWay, (called) => (called === call ? step : null));
          seen.push(`${call} ${step}`);
        }
      }
      return seen.join(', ');
    },
  },
  {
    name: 'storage tells of errors in a 200',
    async strike({ storageWay }, { random }) {
      const failing = random.shuffled(['error-in-success', 'error-after-success'] as const);
      for (const step of failing) {
        await strikeCalls(storageWay, (call) => (call === 'join-parts' ? step : null));
      }
      return failing.join(', ');
    },
  },
  {
    name: 'mail server away',
    async strike({ mail, sql }) {
      await mail.goAway();
      const refused = until('somebody is not mailed', () => isSomebodyNotMailed(sql));
      await refused.finally(() => mail.comeBack());
    },
  },
  apiKilledAtDatabase('before a commit', 'request', /commit\0/i),
  apiKilledAtDatabase('after a commit', 'answer', /commit\0/i),
  apiKilledAtDatabase(
    'with an idempotency key in hand',
    'answer',
    /insert into "idempotency_keys"/,
  ),
  apiKilledAtDatabase('amid an upload being saved', 'answer', /insert into "stored_objects"/),
  // What is given to the statement that saves one, among it the job that it enqueues.
  apiKilledAtDatabase('after an upload was saved', 'answer', /inspect_content\0.*storedObjectId/s),
  apiKilledAtDatabase('with a job in hand', 'answer', /graphile_worker.*locked_by/s),
  apiKilledAtStorage('after the storage opened an upload', 'open-upload'),
  apiKilledAtStorage('after the storage joined the parts', 'join-parts'),
  {
    name: 'one of two APIs killed',
    async strike({ apis: [, victim] }, { hold }) {
      victim.kill();
      await victim.ended();
      await hold();
      await victim.start();
    },
  },
  {
    name: 'an API stopped in good order',
    async strike({ apis: [api] }) {
      const code = await api.stop();
      await api.start();
      if (code !== 0) throw new Error(`it ended with ${code}`);
    },
  },
  wrongClock('ten minutes ahead', 600),
  wrongClock('ten minutes behind', -600),
];

function apiKilledAtDatabase(point: string, on: 'request' | 'answer', pattern: RegExp): Fault {
  return {
    name: `API killed ${point}`,
    async strike(stack, { hold }) {
      const [api] = stack.apis;
      const [way] = stack.databaseWays;
      // Statements show their text only once on each connection.
      way.cut();
      way.restore();
      const sprung = new Promise<void>((resolve) => {
        stack.trap = {
          on,
          pattern,
          strike() {
            api.kill();
            resolve();
          },
        };
      });
      await fallen(sprung).finally(() => (stack.trap = null));
      await api.ended();
      await hold();
      await api.start();
    },
  };
}

function apiKilledAtStorage(point: string, call: StorageCall): Fault {
  return {
    name: `API killed ${point}`,
    async strike({ apis, storageWay }, { hold }) {
      const sprung = new Promise<void>((resolve) => {
        storageWay.onAnswer = (answered) => {
          if (answered !== call) return 'pass';
          // Whichever of them asked.
          for (const api of apis) api.kill();
          resolve();
          return 'lose';
        };
      });
      await fallen(sprung).finally(() => (storageWay.onAnswer = null));
      await Promise.all(apis.map((api) => api.ended()));
      await hold();
      await Promise.all(apis.map((api) => api.start()));
    },
  };
}

async function fallen(sprung: Promise<void>): Promise<void> {
  const isSprung = await Promise.race([
    sprung.then(() => true),
    seconds(trapSeconds).then(() => false),
  ]);
  if (!isSprung) throw new Error('nobody came to the point where it strikes');
}

/** What every upload asks the storage for. */
const callsOfUpload = ['open-upload', 'store-part', 'join-parts', 'stat'] as const;
const callsWithBody: ReadonlySet<StorageCall> = new Set(['store-part', 'join-parts']);

/** How often the same is done to a call of the storage: some calls are made again at once. */
const strikesOfStep = 2;

/** Does something to the next calls of the storage. */
async function strikeCalls(
  storageWay: StorageProxy,
  stepOf: (call: StorageCall) => Step | null,
): Promise<void> {
  let struck = 0;
  const enough = new Promise<void>((resolve) => {
    storageWay.interfere = (call) => {
      const step = stepOf(call);
      if (step !== null) struck += 1;
      if (struck >= strikesOfStep) resolve();
      return step;
    };
  });
  await fallen(enough).finally(() => (storageWay.interfere = null));
}

/** @throws Error when it does not come about in time */
async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + trapSeconds * 1_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`it did not come about that ${what}`);
    await seconds(0.1);
  }
}

async function isSomebodyNotMailed(sql: Sql): Promise<boolean> {
  const jobs = await sql`
    select from graphile_worker.jobs where last_error like '%ECONNREFUSED%' limit 1`;
  return jobs.length > 0;
}

/** How Postgres refuses some megabytes more. */
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

function wrongClock(how: string, offsetSeconds: number): Fault {
  return {
    name: `clock of one API ${how}`,
    async strike({ apis: [, api], sql }, { hold }) {
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
      await until('somebody wrote at the wrong time', async () => (await writes()) > 0);
      const count = await writes();
      await api.stop();
      await api.start();
      return `${count} writes at that time`;
    },
  };
}
