import { afterAll } from 'vitest';
import { newUser, type TestUser } from './accounts.ts';
import { startTestApi, type TestApi } from './api.ts';

/**
 * Starts the API of a test file, and closes it after the file's tests. For the top level of the file.
 *
 * @see {@link startTestApi} for the parameters
 */
export async function setUpApi(...options: Parameters<typeof startTestApi>): Promise<TestApi> {
  const api = await startTestApi(...options);
  afterAll(() => api.close());
  return api;
}

/** Sets up the API of a test file with an authenticated user. @param overrides - of the variables */
export async function setUpApiWithUser(
  overrides: Record<string, string> = {},
): Promise<{ readonly api: TestApi; readonly user: TestUser }> {
  const api = await setUpApi(overrides);
  return { api, user: await newUser(api) };
}
