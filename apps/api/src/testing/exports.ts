import { expect } from 'vitest';
import type { TestUser } from './accounts.ts';
import { call, type TestApi } from './api.ts';
import { untilIdle } from './library.ts';

/** Requests an export, and waits until the service has made it. @returns its id */
export async function exportOf(api: TestApi, user: Pick<TestUser, 'token'>): Promise<string> {
  const { token } = user;
  const { status, body } = await call(api, 'account.requestExport', { token });
  expect([status, body.code]).toEqual([201, undefined]);
  await untilIdle(api);
  return body.data.id;
}

/** Downloads an export in a confirmed session. @returns the bytes of its file */
export async function downloadExport(
  api: TestApi,
  { token }: Pick<TestUser, 'token'>,
  id: string,
): Promise<Buffer> {
  const { body } = await call(api, 'account.getExport', { token, params: { id } });
  expect(body.data).toMatchObject({ status: 'READY', url: expect.any(String) });
  const response = await fetch(body.data.url);
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

/** Lists the objects of exports in the storage. @returns their keys */
export async function storedExports({ deps }: Pick<TestApi, 'deps'>): Promise<string[]> {
  const keys: string[] = [];
  for await (const page of deps.store.listObjects('export/'))
    keys.push(...page.map(({ key }) => key));
  return keys;
}
