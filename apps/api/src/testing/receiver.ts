import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** A message that arrived at a {@link Receiver}. */
export interface Received {
  readonly id: string;
  readonly timestamp: string;
  readonly headers: IncomingHttpHeaders;
  /** As it was sent. */
  readonly body: string;
}

/** An endpoint of webhooks on loopback. */
export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** Decides the response from now on; by default 204. */
  respond(handle: (response: ServerResponse, received: Received) => void): void;
  /** Waits until so many messages arrived. @throws Error after 30 seconds */
  count(messages: number): Promise<readonly Received[]>;
  stop(): Promise<void>;
}

export async function startReceiver(host = '127.0.0.1'): Promise<Receiver> {
  const received: Received[] = [];
  let handle: (response: ServerResponse, received: Received) => void = (response) => {
    response.writeHead(204).end();
  };
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { headers } = request;
      const one = {
        id: String(headers['webhook-id']),
        timestamp: String(headers['webhook-timestamp']),
        headers,
        body,
      };
      received.push(one);
      handle(response, one);
    });
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}/hooks`,
    received,
    respond(next) {
      handle = next;
    },
    async count(messages) {
      // The delivery waits for every older transaction in the server, among them those of other tests.
      const endsAt = performance.now() + 30_000;
      while (received.length < messages) {
        if (performance.now() > endsAt) {
          throw new Error(`${received.length} messages arrived instead of ${messages}`);
        }
        await delay(20);
      }
      return received;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

let sink: Promise<string> | null = null;

/** The address of an endpoint that takes everything, one for each test file; it keeps no process alive. */
export function sinkUrl(): Promise<string> {
  sink ??= (async () => {
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(204).end();
    });
    server.listen(0, '127.0.0.1').unref();
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  })();
  return sink;
}
