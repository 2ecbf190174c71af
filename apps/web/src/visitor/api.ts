import { createClient, memoryTokens } from '@atelier/client';

/** The API, without the session that a member may have in this browser. */
export const api = createClient({
  baseUrl: import.meta.env.VITE_API_URL ?? location.origin,
  tokens: memoryTokens(),
});
