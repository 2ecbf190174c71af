import http from 'node:http';
import https from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'minio';
import { Failure } from '../../kernel/errors.ts';

export interface S3Settings {
  readonly endpoint: string;
  /** The same storage at its public address; presigned URLs use it. */
  readonly publicEndpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Maximum silence of the storage; a request times out after {@link patience} times that. */
  readonly timeoutMs: number;
}

/** Multiple of the timeout for a whole request: a storage that joins many parts sends keep-alive bytes. */
const patience = 3;

/** Maximum number of retries after the storage reported overload. */
const maxRetries = 2;

export class StorageClient extends Client {
  // The library lists parts only for its own resumable uploads.
  storedParts(bucket: string, key: string, uploadId: string) {
    return this.listParts(bucket, key, uploadId);
  }
}

export function connect(endpoint: string, settings: S3Settings): StorageClient {
  const { hostname, port, protocol } = new URL(endpoint);
  const useSSL = protocol === 'https:';
  return new StorageClient({
    endPoint: hostname,
    useSSL,
    ...(port !== '' && { port: Number(port) }),
    accessKey: settings.accessKey,
    secretKey: settings.secretKey,
    // Without a region, presigning would request it from the storage.
    region: settings.region,
    transport: withTimeout(useSSL ? https : http, settings.timeoutMs),
    transportAgent: useSSL
      ? new https.Agent({ keepAlive: true })
      : new http.Agent({ keepAlive: true }),
    retryOptions: { maximumRetryCount: maxRetries, baseDelayMs: 50, maximumDelayMs: 500 },
  });
}

type OnResponse = (response: http.IncomingMessage) => void;

/** Statuses after which the client asks again, or gives up, without reading the response. */
const retriedStatuses: ReadonlySet<number | undefined> = new Set([
  408, 429, 499, 500, 502, 503, 504, 520,
]);

/** Reads what the client leaves: its connection would be held until the timeout, while the storage is overloaded. */
function discardRetried(response: http.IncomingMessage): void {
  if (retriedStatuses.has(response.statusCode)) response.resume();
}

/** Applies timeouts, which the client lacks. */
function withTimeout(transport: Pick<typeof http, 'request'>, timeoutMs: number) {
  function request(
    options: http.RequestOptions | string | URL,
    done?: OnResponse,
  ): http.ClientRequest;
  function request(
    url: string | URL,
    options: http.RequestOptions,
    done?: OnResponse,
  ): http.ClientRequest;
  function request(
    target: http.RequestOptions | string | URL,
    second?: http.RequestOptions | OnResponse,
    done?: OnResponse,
  ): http.ClientRequest {
    const outgoing =
      typeof second === 'object'
        ? transport.request(target as string | URL, second, done)
        : transport.request(target, second);
    const giveUp = (limitMs: number) => () =>
      outgoing.destroy(new Error(`The storage did not respond within ${limitMs} ms`));
    const limit = setTimeout(giveUp(patience * timeoutMs), patience * timeoutMs);
    return outgoing
      .setTimeout(timeoutMs, giveUp(timeoutMs))
      .once('response', discardRetried)
      .once('close', () => clearTimeout(limit));
  }
  return { request };
}

/**
 * Sends a request to the storage; retries once if the connection was cut, which happens to
 * kept-alive connections. Every request here is safe to repeat.
 *
 * @throws Failure `storage_unavailable` (503)
 */
export async function withRetry<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call().catch((error: unknown) => {
      if (!wasCut(error)) throw error;
      return call();
    });
  } catch (cause) {
    throw new Failure('storage_unavailable', { cause, headers: { 'retry-after': '5' } });
  }
}

function wasCut(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE'].includes(codeOf(error));
}

/** Ceph's code for an upload that another request is completing or aborting. */
const taken = 'BucketAlreadyExists';
const takenTries = 10;
const takenPauseMs = 100;

/** Retries while another request holds the upload. */
export async function whileTaken<T>(call: () => Promise<T>): Promise<T> {
  for (let left = takenTries; ; left -= 1) {
    try {
      return await call();
    } catch (error) {
      if (left === 0 || codeOf(error) !== taken) throw error;
      await delay(takenPauseMs);
    }
  }
}

export function ignoring(...codes: readonly string[]) {
  return (error: unknown): undefined => {
    if (codes.includes(codeOf(error))) return undefined;
    throw error;
  };
}

/** Returns the code of S3, or of the system if the request did not get that far; empty if there is neither. */
export function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  if ('code' in error) return String(error.code);
  // An error with status 200: the library throws its document as it is.
  return 'Code' in error ? String(error.Code) : '';
}
