import type { CallOptions } from './call-options.ts';
import { TransportError } from './errors.ts';
import type { Attempt, ClientOptions } from './types.ts';

/** A response; its body is read unless the caller reads it. */
export interface ReceivedResponse {
  readonly response: Response;
  readonly text: string;
  /** Headers of the request. */
  readonly sent: Headers;
}

interface AttemptInput {
  readonly client: ClientOptions;
  readonly attempt: Attempt;
  readonly options: Pick<CallOptions, 'signal' | 'timeoutMs'>;
  readonly wantsRaw: () => boolean;
}

/**
 * Makes one attempt.
 *
 * @returns the response, or the error of the connection
 * @throws the reason of the signal, and errors of middleware
 */
export async function attemptOnce(input: AttemptInput): Promise<ReceivedResponse | TransportError> {
  const { client, attempt, options, wantsRaw } = input;
  const { signal } = options;
  const timeoutMs = options.timeoutMs ?? client.timeoutMs ?? 30_000;
  const controller = new AbortController();
  const stop = () => controller.abort(signal?.reason);
  const timer = timeoutMs > 0 ? setTimeout(() => controller.abort(), timeoutMs) : undefined;
  signal?.addEventListener('abort', stop);
  /** Wraps errors of `fetch`; errors of middleware pass unchanged. */
  async function translated<T>(reading: () => Promise<T>): Promise<T> {
    try {
      return await reading();
    } catch (cause) {
      signal?.throwIfAborted();
      const kind = controller.signal.aborted ? 'timeout' : 'network';
      throw new TransportError(kind, attempt.number, { cause });
    }
  }

  try {
    signal?.throwIfAborted();
    // Called without a receiver: browsers reject a `fetch` that is called as a method.
    const { fetch: call = fetch } = client;
    const fetchIt = () => {
      const { url, headers, init } = attempt;
      return translated(() => call(url, { ...init, headers, signal: controller.signal }));
    };
    const { middleware = [] } = client;
    const wrapped = middleware.reduceRight<() => Promise<Response>>(
      (next, wrap) => () => wrap(attempt, next),
      fetchIt,
    );
    const response = await wrapped();
    const text = wantsRaw() ? '' : await translated(() => response.text());
    return { response, text, sent: attempt.headers };
  } catch (error) {
    if (error instanceof TransportError) return error;
    throw error;
  } finally {
    clearTimeout(timer);
    // The caller still reads a raw response, and the signal aborts that too.
    if (!wantsRaw()) signal?.removeEventListener('abort', stop);
  }
}
