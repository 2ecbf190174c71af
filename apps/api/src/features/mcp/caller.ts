import type { CurrentApiKey, ErrorCode } from '@atelier/contract';
import { Failure } from '../../kernel/errors.ts';
import type { CallApi } from './api.ts';

/** The API key behind an assistant, and what it may do. */
export type McpCaller = CurrentApiKey;

/**
 * Looks up the key of a request. A session is refused: what an assistant may do, its key says.
 *
 * @throws Failure `unauthenticated` (401), `rate_limited` (429), and what else the operation responds
 */
export async function identify(callApi: CallApi): Promise<McpCaller> {
  const { status, body, retryAfter } = await callApi({ operation: 'apiKeys.current' });
  if (status === 200) return body.data as McpCaller;
  if (status === 404) {
    throw new Failure('unauthenticated', { message: 'Expected an API key, not a session' });
  }
  const { code, message } = body as { code: ErrorCode; message: string };
  throw new Failure(code, {
    message,
    headers: retryAfter === null ? {} : { 'retry-after': retryAfter },
  });
}

/** Returns whether a key has a scope in at least one organization that it reaches. */
export function hasScope({ organizations }: McpCaller, scope: string): boolean {
  return organizations.some(({ effectiveScopes }) => effectiveScopes.some((own) => own === scope));
}
