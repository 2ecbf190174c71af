// What every bundle runs: a list, and an error of the contract by its code.
import { ApiError, createClient, memoryTokens } from '@atelier/client';
import { errorCatalogue } from '@atelier/contract/errors';

/** @param {string} baseUrl - where the mock is */
export async function checkTasks(baseUrl) {
  const tokens = memoryTokens({ accessToken: 'token', refreshToken: 'refresh' });
  const api = createClient({ baseUrl, tokens });
  const { items } = await api.tasks.list({ query: { limit: 2 } });
  const error = await api.tasks.get({ params: { id: 'not-an-id' } }).catch((error) => error);
  if (!(error instanceof ApiError)) throw new Error('The error is missing', { cause: error });
  const seen = `${items.length} tasks, ${error.code} is ${errorCatalogue[error.code].status}`;
  const wanted = '2 tasks, validation_failed is 400';
  if (seen !== wanted) throw new Error(`Expected ${wanted}, got ${seen}`);
}
