import { send, type Request } from '../requests.ts';
import type { Cluster } from './cluster.ts';

/** The time limit for a change at one instance to reach the streams of the others. */
const arrivalSeconds = 5;

/**
 * Opens a stream at every instance and makes a change at each.
 *
 * @param token - an access token of a user with an organization
 * @returns the changes that did not arrive, and how long the slowest took
 */
export async function watchFromAllInstances(
  { instances }: Cluster,
  token: string,
): Promise<{ findings: string[]; slowestMs: number }> {
  const findings: string[] = [];
  let slowestMs = 0;
  const streams = await Promise.all(instances.map(({ url }) => openStream(url, token)));
  try {
    for (const [made, { url }] of instances.entries()) {
      const started = performance.now();
      const id = await newCollection(url, token);
      await Promise.all(
        streams.map(async (stream, seen) => {
          if (await stream.sees(id)) return;
          findings.push(`a change at API ${made + 1} did not reach the stream of API ${seen + 1}`);
        }),
      );
      slowestMs = Math.max(slowestMs, performance.now() - started);
    }
  } finally {
    for (const stream of streams) stream.close();
  }
  return { findings, slowestMs };
}

interface Stream {
  /** Whether a change of the resource arrives in time. */
  sees(resourceId: string): Promise<boolean>;
  close(): void;
}

async function openStream(url: string, token: string): Promise<Stream> {
  const connection = new AbortController();
  const response = await fetch(`${url}/api/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: connection.signal,
  });
  if (!response.ok || response.body === null) {
    throw new Error(`${url} opens no stream: ${response.status}`);
  }
  let text = '';
  const looks = new Set<() => void>();
  const reading = (async (body: ReadableStream<Uint8Array>) => {
    const decoder = new TextDecoder();
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true });
      for (const look of looks) look();
    }
  })(response.body).catch(() => {});
  const sees = (what: string) =>
    new Promise<boolean>((resolve) => {
      const finish = (isSeen: boolean) => {
        looks.delete(look);
        clearTimeout(limit);
        resolve(isSeen);
      };
      const look = () => {
        if (text.includes(what)) finish(true);
      };
      const limit = setTimeout(() => finish(false), arrivalSeconds * 1_000);
      looks.add(look);
      look();
    });
  if (!(await sees('event: ready'))) throw new Error(`${url} has a stream that is never ready`);
  return {
    sees,
    close() {
      connection.abort();
      void reading;
    },
  };
}

async function newCollection(url: string, token: string): Promise<string> {
  const request: Request = {
    method: 'POST',
    path: '/api/collections/create',
    body: { title: 'Seen by all instances' },
    token,
  };
  const outcome = await send(url, request);
  if (outcome.state !== 'acknowledged') throw new Error(JSON.stringify(outcome));
  return String(outcome.body['id']);
}
