import type { Random } from './random.ts';
import { steps, type StorageCall } from './services/storage-proxy.ts';
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
   */
  readonly strike: (stack: Stack, occasion: Occasion) => Promise<void>;
}

export interface Occasion {
  readonly random: Random;
  readonly hold: () => Promise<void>;
}

const seconds = (count: number) => new Promise((resolve) => setTimeout(resolve, count * 1_000));

/** Longest that a trap waits for what springs it, in seconds. */
const trapSeconds = 5;

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
    async strike({ database }, { hold }) {
      database.fillDisk();
      await hold();
      await hold();
      database.freeDisk();
      await seconds(1);
      // Where it could not even write its log, it has ended.
      await database.start();
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
    async strike({ storageWay }, { hold, random }) {
      storageWay.interfere = () => (random.next() < 0.4 ? random.pick(steps) : null);
      await hold();
      await hold();
      storageWay.interfere = null;
    },
  },
  {
    name: 'storage tells of errors in a 200',
    async strike({ storageWay }, { hold, random }) {
      const failing = ['error-in-success', 'error-after-success'] as const;
      storageWay.interfere = (call) =>
        call === 'join-parts' && random.next() < 0.7 ? random.pick(failing) : null;
      await hold();
      await hold();
      storageWay.interfere = null;
    },
  },
  {
    name: 'mail server away',
    async strike({ mail }, { hold }) {
      await mail.goAway();
      await hold();
      await mail.comeBack();
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
      await fallen(sprung);
      stack.trap = null;
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
      await fallen(sprung);
      storageWay.onAnswer = null;
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
  if (!isSprung) throw new Error('nobody came to the point where the API is killed');
}

function wrongClock(how: string, offsetSeconds: number): Fault {
  return {
    name: `clock of one API ${how}`,
    async strike({ apis: [, api] }, { hold }) {
      await api.stop();
      await api.start(offsetSeconds);
      await hold();
      await hold();
      await api.stop();
      await api.start();
    },
  };
}
