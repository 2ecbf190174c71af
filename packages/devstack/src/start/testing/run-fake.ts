// Runs the start command for tests, with options as JSON in the first argument.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runStart } from '../run.ts';

const given: unknown = JSON.parse(process.argv[2] ?? '{}');
const at = (name: string): unknown =>
  typeof given === 'object' && given !== null ? Reflect.get(given, name) : undefined;
const base = Number(at('basePort'));

process.exitCode = await runStart({
  dataDir: String(at('dataDir')),
  apiEntry: join(import.meta.dirname, 'fake-api.ts'),
  env: process.env,
  webApp: null,
  ports: { storage: base + 1, smtp: base + 2, mail: base + 3, identity: base + 4 },
  seed: {
    account: async () => {
      if (process.env['FAKE_SEED'] === 'fails') throw new Error('seed failed');
    },
    samples: async ({ signal }) => {
      if (process.env['FAKE_SAMPLES'] === 'fail') throw new Error('samples failed');
      if (process.env['FAKE_SAMPLES'] !== 'hang') return;
      // It ends only when it is told to, and then takes a while.
      const hours = delay(10 * 3_600_000, undefined, { signal });
      await hours.catch(() => delay(1_500));
      const isLocked = existsSync(join(String(at('dataDir')), 'lock.json'));
      console.log(`samples ended ${isLocked ? 'before' : 'after'} the services`);
      signal.throwIfAborted();
    },
  },
  print: (text) => console.log(text),
});
