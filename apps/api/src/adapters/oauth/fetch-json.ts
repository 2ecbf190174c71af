import { AnswerTooLarge, fetchText } from '../fetch-text.ts';

const bounds = { timeoutMs: 5_000, maxBytes: 256 * 1024 };

/** The provider did not answer, not in time, or only that it can't now. */
export class ProviderAway extends Error {
  override readonly name = 'ProviderAway';
}

/**
 * Asks a provider for JSON within 5 s and 256 KiB, without following redirects: they would carry secrets
 * elsewhere. Errors never quote the answer, which may hold a token.
 *
 * @throws ProviderAway when there is no answer to work with; Error when it is too large or no JSON
 */
export async function fetchJson(
  address: string,
  init: RequestInit = {},
): Promise<{ status: number; body: unknown }> {
  const { status, text } = await fetchBounded(address, init);
  if (status >= 500 || status === 429) throw new ProviderAway(`the provider answered ${status}`);
  try {
    return { status, body: JSON.parse(text) };
  } catch {
    throw new Error(`the provider answered ${status} without JSON`);
  }
}

async function fetchBounded(address: string, init: RequestInit) {
  try {
    return await fetchText(address, init, bounds);
  } catch (error) {
    if (error instanceof AnswerTooLarge) throw error;
    throw new ProviderAway('the provider did not answer', { cause: error });
  }
}
