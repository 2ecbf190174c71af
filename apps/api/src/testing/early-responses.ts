import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** A request whose body is never read to its end. */
export interface RefusedRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyBytes: number;
  /** Whether it has a Content-Length; by default it is chunked. */
  readonly isDeclared: boolean;
}

/** The code in the body, or the error that prevented reading it. */
export type Outcome = `${number} ${string}`;

type Sender = (url: string, request: RefusedRequest) => Promise<Outcome>;

const piece = Buffer.alloc(64 * 1024, 'x');
const most = Buffer.alloc(32 * 1024 ** 2, 'x');

function* piecesOf(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= piece.length) yield piece.subarray(0, left);
}

function outcomeOf(status: number, body: string): Outcome {
  return `${status} ${String((JSON.parse(body) as { code?: unknown }).code)}`;
}

function failureOf(error: unknown): Outcome {
  let innermost = error;
  while (innermost instanceof Error && innermost.cause) innermost = innermost.cause;
  return `0 ${String(innermost)}`;
}

/**
 * With another name of the same host, so that it reuses no idle connection of other requests: the service closes those
 * after a while, and a body that was sent meanwhile is lost.
 */
const byFetch: Sender = async (url, { method = 'POST', path, headers, bodyBytes, isDeclared }) => {
  const body = isDeclared ? most.subarray(0, bodyBytes) : Readable.from(piecesOf(bodyBytes));
  try {
    const response = await fetch(url.replace('127.0.0.1', 'localhost') + path, {
      method,
      headers,
      body,
      duplex: 'half',
    });
    return outcomeOf(response.status, await response.text());
  } catch (error) {
    return failureOf(error);
  }
};

const byHttp: Sender = (url, { method = 'POST', path, headers, bodyBytes, isDeclared }) => {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const outgoing = httpRequest(url, {
    agent: false,
    method,
    path,
    headers: { ...headers, ...(isDeclared && { 'content-length': bodyBytes }) },
  });
  const fail = (error: unknown) => resolve(failureOf(error));
  outgoing.on('error', fail);
  outgoing.on('response', (response) => {
    text(response).then((body) => resolve(outcomeOf(response.statusCode ?? 0, body)), fail);
  });
  Readable.from(piecesOf(bodyBytes)).pipe(outgoing);
  return promise;
};

const senders = { fetch: byFetch, 'node:http': byHttp } as const;

/** Sends the request `times` times with each of the senders, four at once, and counts the outcomes. */
export async function countOutcomes(
  url: string,
  request: RefusedRequest,
  times: number,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const send of Object.values(senders)) {
    let left = times;
    const worker = async () => {
      while (left > 0) {
        left -= 1;
        const outcome = await send(url, request);
        counts[outcome] = (counts[outcome] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: 4 }, worker));
  }
  return counts;
}
