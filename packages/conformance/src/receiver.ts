import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** A message that arrived. */
export interface Received {
  readonly headers: IncomingHttpHeaders;
  /** As it was sent. */
  readonly body: string;
}

/** An endpoint of webhooks on this machine. */
export interface Receiver {
  readonly url: string;
  /** Waits for a message of a type. @returns null if none arrives in time */
  next(type: string, timeoutMs: number): Promise<Received | null>;
  close(): Promise<void>;
}

/** Starts an endpoint on a free port of the loopback interface. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers, body });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    async next(type, timeoutMs) {
      const endsAt = performance.now() + timeoutMs;
      for (;;) {
        const found = received.find(({ body }) => typeOf(body) === type);
        if (found || performance.now() > endsAt) return found ?? null;
        await delay(50);
      }
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function typeOf(body: string): unknown {
  try {
    return (JSON.parse(body) as { type?: unknown }).type;
  } catch {
    return null;
  }
}

/**
 * Says what is wrong with a message by Standard Webhooks 1.0; null if nothing is. By hand, so that no code of the service
 * judges itself.
 *
 * @param secret - `whsec_` and base64
 */
export function faultOf({ headers, body }: Received, secret: string): string | null {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    String(headers[`webhook-${name}`] ?? ''),
  ) as [string, string, string];
  if (!/^[^.\s]+$/.test(id)) return `the webhook-id is ${JSON.stringify(id)}`;
  const ageSeconds = Date.now() / 1_000 - Number(timestamp);
  if (!(Math.abs(ageSeconds) < 300)) return `the webhook-timestamp is ${JSON.stringify(timestamp)}`;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const wanted = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  const isSigned = signatures.split(' ').some((signature) => {
    const bytes = Buffer.from(signature.replace(/^v1,/, ''), 'base64');
    const isFirst = signature.startsWith('v1,');
    return isFirst && bytes.length === wanted.length && timingSafeEqual(bytes, wanted);
  });
  return isSigned ? null : 'no v1 signature is of these bytes with this secret';
}
