import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { newUser, type TestUser } from '../../src/testing/accounts.ts';
import { call } from '../../src/testing/api.ts';
import { newCollection } from '../../src/testing/library.ts';
import { setUpApi } from '../../src/testing/set-up.ts';
import { runHere } from './testing/run.ts';

const api = await setUpApi();
let directory: string;
let user: TestUser;
let collectionId: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'atelier-share-'));
  user = await newUser(api);
  collectionId = await newCollection(api, user);
  await run(['login', '--email', user.email, '--password-stdin'], `${user.password}\n`);
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const run = (args: readonly string[], input = '') =>
  runHere(args, {
    input,
    environment: { ATELIER_CONFIG_DIR: join(directory, 'config'), ATELIER_URL: api.url },
  });

test('shares a collection with a password, lists the share and ends it', async () => {
  const added = await run(
    ['share', 'add', collectionId, '--label', 'For you', '--days', '7', '--password-stdin'],
    'printer 4711\n',
  );
  expect([added.exitCode, added.stderr]).toEqual([0, '']);
  const token = added.stdout.trim().split('#')[1];
  const opened = await call(api, 'shares.open', { body: { token, password: 'printer 4711' } });
  expect(opened.body.data.share.label).toBe('For you');

  const listed = await run(['share', 'ls']);
  expect(listed.stdout).toMatch(/ACTIVE {2}until \d{4}-\d\d-\d\d {2}1 openings {2}For you\n$/);
  const id = listed.stdout.split(' ')[0] ?? '';
  expect((await run(['share', 'end', id])).stdout).toBe('Ended.\n');
  expect((await run(['share', 'ls'])).stdout).toContain('REVOKED');
  const again = await call(api, 'shares.open', { body: { token, password: 'printer 4711' } });
  expect(again.body.code).toBe('share_not_found');
});

test('refuses days that are no number, and an unknown collection', async () => {
  const wrong = await run(['share', 'add', collectionId, '--days', 'ten']);
  expect([wrong.exitCode, wrong.stderr]).toEqual([
    2,
    '--days takes a whole number of days, not ten.\n',
  ]);
  const absent = await run(['share', 'add', user.id]);
  expect([absent.exitCode, absent.stdout]).toEqual([1, '']);
});

test('without a number of days, a share lasts as long as the organization allows, up to 30', async () => {
  const add = async () => {
    const { exitCode, stdout, stderr } = await run(['--json', 'share', 'add', collectionId]);
    expect([exitCode, stderr]).toEqual([0, '']);
    const share = JSON.parse(stdout) as { createdAt: string; expiresAt: string };
    return (Date.parse(share.expiresAt) - Date.parse(share.createdAt)) / (24 * 60 * 60 * 1000);
  };
  expect(await add()).toBeCloseTo(30, 3);
  const limited = await call(api, 'shares.updatePolicy', {
    token: user.token,
    params: { id: user.organizationId },
    body: { maxDays: 7 },
  });
  expect(limited.status).toBe(200);
  expect(await add()).toBeCloseTo(7, 3);
});

test('the most days that the organization allows are accepted from a machine whose clock is ahead', async () => {
  const limited = await call(api, 'shares.updatePolicy', {
    token: user.token,
    params: { id: user.organizationId },
    body: { maxDays: 7 },
  });
  expect(limited.status).toBe(200);
  const real = Date.now.bind(Date);
  const now = vi.spyOn(Date, 'now').mockImplementation(() => real() + 3_600_000);
  onTestFinished(() => now.mockRestore());
  // The service runs in this process, and keeps its time.
  api.clock.advance({ seconds: -3_600 });
  onTestFinished(() => api.clock.advance({ seconds: 3_600 }));
  const { exitCode, stderr } = await run(['share', 'add', collectionId, '--days', '7']);
  expect([exitCode, stderr]).toEqual([0, '']);
});
