import { logIn, type TestUser } from './accounts.ts';
import { call, type TestApi } from './api.ts';

/** Makes a key, as its person does in a session that was just confirmed. */
export async function makeKey(
  api: TestApi,
  person: TestUser,
  body: Readonly<Record<string, unknown>>,
): Promise<{ id: string; key: string }> {
  const { token } = await logIn(api, person);
  const made = await call(api, 'apiKeys.create', { token, body: { name: 'Test', ...body } });
  if (made.status !== 201) throw new Error(`no key was made: ${made.text}`);
  return made.body.data;
}
