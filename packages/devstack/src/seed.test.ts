import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@atelier/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedDemo, type DemoAccount } from './seed.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'atelier-seed-'));
const stackFile = join(dataDir, 'stack.json');

interface Stack {
  api: string;
  mail: string;
  demo: DemoAccount;
}

let start: ChildProcess;
let exited: Promise<unknown[]>;
let stack: Stack;

/** The product as a newcomer starts it, but for the data directory. */
beforeAll(async () => {
  const appeared = new Promise<void>((resolve) => {
    const watcher = watch(dataDir, () => {
      if (!existsSync(stackFile)) return;
      watcher.close();
      resolve();
    });
  });
  // The test runner sets an address of its own.
  const { BASE_URL: _runners, ...inherited } = process.env;
  start = spawn(process.execPath, [join(import.meta.dirname, 'start.ts')], {
    env: { ...inherited, ATELIER_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  exited = once(start, 'exit');
  await Promise.race([
    appeared,
    exited.then(() => {
      throw new Error(`start ended with ${start.exitCode}`);
    }),
  ]);
  stack = JSON.parse(readFileSync(stackFile, 'utf8')) as Stack;
}, 60_000);

afterAll(async () => {
  start.kill('SIGINT');
  await exited;
  expect(start.exitCode).toBe(0);
  expect(existsSync(stackFile)).toBe(false);
  rmSync(dataDir, { recursive: true, force: true });
});

async function library() {
  const api = createClient({ baseUrl: stack.api });
  await api.auth.login({ body: stack.demo });
  const { items } = await api.collections.list({ query: { sort: 'title' } });
  return items.map(({ title, assetCount }) => `${title}: ${assetCount}`);
}

test('the first start makes a demo account with sample data', async () => {
  expect(await library()).toEqual(['Landscapes: 3', 'Notes: 1']);
});

test('seeding again adds nothing', async () => {
  await seedDemo({ apiUrl: stack.api, mailUrl: stack.mail, demo: stack.demo });
  expect(await library()).toEqual(['Landscapes: 3', 'Notes: 1']);
});

test('a seed that was interrupted after the registration goes on', async () => {
  const demo = { email: 'second@example.com', password: 'password of the second' };
  const api = createClient({ baseUrl: stack.api });
  await api.auth.register({ body: demo });
  await seedDemo({ apiUrl: stack.api, mailUrl: stack.mail, demo });
  expect((await api.auth.login({ body: demo })).user.email).toBe(demo.email);
});

test('a refused step says what was refused', async () => {
  const demo = { email: 'third@example.com', password: 'password' };
  const seeding = seedDemo({ apiUrl: stack.api, mailUrl: stack.mail, demo });
  await expect(seeding).rejects.toMatchObject({ operation: 'auth.register', status: 400 });
});
