import { once } from 'node:events';
import {
  createServer,
  request as sendRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** What the proxy does to requests; changes take effect at once. */
export interface Badness {
  /** Before each response. */
  delayMs: number;
  /** Part of the requests whose connection is cut, half of them in the middle of the response. */
  lossRate: number;
  /** Cuts every request to the API. */
  isCut: boolean;
}

export interface BadProxy extends AsyncDisposable {
  readonly url: string;
  readonly badness: Badness;
  /** How many requests have failed. */
  failures(): number;
}

/**
 * Starts a proxy that makes a network bad. A browser shows a page of its own where a document is missing, so documents and what
 * they refer to arrive late only.
 */
export async function startBadProxy(target: string): Promise<BadProxy> {
  const badness: Badness = { delayMs: 0, lossRate: 0, isCut: false };
  const document = await (await fetch(target, { headers: { accept: 'text/html' } })).text();
  const isNeeded = ({ url = '', headers }: IncomingMessage) =>
    headers['sec-fetch-mode'] === 'navigate' || document.includes(`"${url}"`);
  let failures = 0;
  let random = 20_261_125;
  /** Linear congruential: the same losses in each run with the same requests. */
  const chance = () => (random = (random * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '/', method, headers } = request;
    const isLost = !isNeeded(request) && chance() < badness.lossRate;
    const loses = isLost && (chance() < 0.5 ? 'request' : 'response');
    await delay(badness.delayMs);
    if (loses === 'request' || (badness.isCut && url.startsWith('/api/'))) {
      failures += 1;
      request.socket.destroy();
      return;
    }
    const forwarded = sendRequest(new URL(url, target), { method, headers });
    forwarded.on('error', () => response.destroy());
    forwarded.on('response', (received) => {
      response.writeHead(received.statusCode ?? 502, received.headers);
      if (loses === 'response') {
        failures += 1;
        received.once('data', (chunk: Buffer) => {
          response.write(chunk.subarray(0, chunk.length / 2), () => request.socket.destroy());
        });
      } else {
        received.pipe(response);
      }
    });
    response.on('close', () => forwarded.destroy());
    request.pipe(forwarded);
  }

  const server: Server = createServer((request, response) => void forward(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The port is that of an open server.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}`,
    badness,
    failures: () => failures,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
