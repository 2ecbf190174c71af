// @module-tag slow

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { call, startTestApi, type TestApi } from '../../testing/api.ts';
import { sentStatements } from '../../testing/recorded-statements.ts';

vi.mock('postgres', async (original) => {
  const { recordingDriver } = await import('../../testing/recorded-statements.ts');
  return recordingDriver(original);
});

let api: TestApi;
let user: TestUser;
beforeAll(async () => {
  const before = await startTestApi();
  user = await newUser(before);
  await before.close();
  const { clock, config } = before;
  // Jobs run elsewhere: their statements don't count.
  api = await startTestApi({ JOBS: 'separate' }, { clock, databaseUrl: config.DATABASE_URL });
});
afterAll(() => api.close());

/** Refreshes. @returns the statements of the service, and the next token */
async function refresh(refreshToken: string, headers: Record<string, string>) {
  sentStatements.length = 0;
  const { status, body } = await call(api, 'auth.refresh', { body: { refreshToken }, headers });
  expect(status).toBe(200);
  const texts = sentStatements.map(({ text }) => text.trim());
  return { next: body.data.refreshToken as string, texts };
}

test('a refresh is one statement, with a key and without', async () => {
  const headers = { 'idempotency-key': randomBytes(16).toString('hex') };
  const keyless = await refresh(user.refreshToken, {});
  const keyed = await refresh(keyless.next, headers);
  expect(keyless.texts).toHaveLength(1);
  expect(keyed.texts).toEqual(keyless.texts);
});
