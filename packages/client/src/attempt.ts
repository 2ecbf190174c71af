import { TransportError } from './errors.ts';
import type { Attempt, CallOptions, ClientOptions, Middleware } from './types.ts';

/** An answer with its body read, unless it is for the caller to read. */
export interface Answer {
  readonly response: Response;
  readonly text: string;
  /** Headers of the request. */
  readonly sent: Headers;
}

interface Trial {
  readonly client: ClientOptions;
  readonly attempt: Attempt;
  readonly options: CallOptions;
  readonly wantsRaw: () => boolean;
}

/**
 * One attempt: its answer, or the reason why there is none.
 *
 * @throws the reason of the signal, and whatever middleware throws
 */
export async function attemptOnce(trial: Trial): Promise<Answer | TransportError> {
  const { client, attempt, options, wantsRaw } = trial;
  const { signal } = options;
  const timeoutMs = options.timeoutMs ?? client.timeoutMs ?? 30_000;
  const controller = new AbortController();
  let kind: 'network' | 'timeout' = 'network';
  const stop = () => controller.abort(signal?.reason);
  const expire = () => {
    kind = 'timeout';
    controller.abort();
  };
  const timer = timeoutMs > 0 ? setTimeout(expire, timeoutMs) : undefined;
  signal?.addEventListener('abort', stop);
  /** What the web throws becomes ours; only middleware's own errors pass as they are. */
  async function translated<T>(reading: () => Promise<T>): Promise<T> {
    try {
      return await reading();
    } catch (cause) {
      signal?.throwIfAborted();
      throw new TransportError(kind, attempt.number, { cause });
    }
  }

  try {
    signal?.throwIfAborted();
    // Called without a receiver: browsers refuse a fetch that is called as a method.
    const { fetch: call = fetch } = client;
    const response = await passThrough(client.middleware ?? [], attempt, () => {
      const { url, headers, init } = attempt;
      return translated(() => call(url, { ...init, headers, signal: controller.signal }));
    });
    const text = wantsRaw() ? '' : await translated(() => response.text());
    return { response, text, sent: attempt.headers };
  } catch (error) {
    if (error instanceof TransportError) return error;
    throw error;
  } finally {
    clearTimeout(timer);
    // A raw answer is still to be read, and the signal ends that too.
    if (!wantsRaw()) signal?.removeEventListener('abort', stop);
  }
}

function passThrough(
  [first, ...rest]: readonly Middleware[],
  attempt: Attempt,
  fetchIt: () => Promise<Response>,
): Promise<Response> {
  return first ? first(attempt, () => passThrough(rest, attempt, fetchIt)) : fetchIt();
}
