const timeoutMs = 5_000;
const maxAnswerBytes = 256 * 1024;

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
  const { status, text } = await fetchText(address, init);
  if (status >= 500 || status === 429) throw new ProviderAway(`the provider answered ${status}`);
  try {
    return { status, body: JSON.parse(text) };
  } catch {
    throw new Error(`the provider answered ${status} without JSON`);
  }
}

class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

async function fetchText(address: string, init: RequestInit) {
  try {
    const response = await fetch(address, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, text: await readBounded(response) };
  } catch (error) {
    if (error instanceof AnswerTooLarge) throw error;
    throw new ProviderAway('the provider did not answer', { cause: error });
  }
}

async function readBounded({ body }: Response): Promise<string> {
  if (!body) return '';
  const stream: ReadableStream<Uint8Array> = body;
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of stream) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxAnswerBytes)
      throw new AnswerTooLarge('the provider answered beyond measure');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
