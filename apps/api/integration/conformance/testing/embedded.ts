import { inject } from 'vitest';
import { startTestApi } from '../../../src/testing/api.ts';
// Declares the type of what `inject` returns.
import type { Services } from '../../../src/testing/services.ts';

/** Starts the real service with embedded Postgres, storage, mail inbox and sign-in provider. */
export async function startEmbedded() {
  const api = await startTestApi();
  const { mail }: Services = inject('services');
  return { url: api.url, mailUrl: mail.url, close: () => api.close() };
}
