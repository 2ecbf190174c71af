import { ResponseTooLarge, fetchText } from '../fetch-text.ts';

const bounds = { timeoutMs: 5_000, maxBytes: 256 * 1024 };

/** The provider did not respond, not in time, or only that it is unavailable. */
export class ProviderAway extends Error {
  override readonly name = 'ProviderAway';
}

/**
 * Fetches JSON from a provider within 5 s and 256 KiB, without following redirects: they would forward
 * secrets. Errors never quote the response, which may contain a token.
 *
 * @throws ProviderAway without a usable response; Error if it is too large or not JSON
 */
export async function fetchJson(
  address: string,
  init: RequestInit = {},
): Promise<{ status: number; body: unknown }> {
  const { status, text } = await fetchBounded(address, init);
  if (status >= 500 || status === 429) throw new ProviderAway(`the provider responded ${status}`);
  try {
    return { status, body: JSON.parse(text) };
  } catch {
    throw new Error(`the provider responded ${status} without JSON`);
  }
}

async function fetchBounded(address: string, init: RequestInit) {
  try {
    return await fetchText(address, init, bounds);
  } catch (error) {
    if (error instanceof ResponseTooLarge) throw error;
    throw new ProviderAway('the provider did not respond', { cause: error });
  }
}
