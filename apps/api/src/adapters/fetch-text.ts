/** The response is longer than the caller can use. */
export class ResponseTooLarge extends Error {
  override readonly name = 'ResponseTooLarge';
}

/**
 * Requests another service, with limits and without following redirects: they would forward secrets.
 *
 * @throws ResponseTooLarge; errors of `fetch`, such as a timeout
 */
export async function fetchText(
  address: string,
  init: RequestInit,
  { timeoutMs, maxBytes }: { timeoutMs: number; maxBytes: number },
): Promise<{ status: number; text: string }> {
  const response = await fetch(address, {
    ...init,
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
  return { status: response.status, text: await readBounded(response, maxBytes) };
}

async function readBounded({ body }: Response, maxBytes: number): Promise<string> {
  if (!body) return '';
  const stream: ReadableStream<Uint8Array> = body;
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of stream) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxBytes)
      throw new ResponseTooLarge('the service sent a response that is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
