import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A proxy that loses every response: the service does its work, and the client's connection breaks. */
export interface LosingProxy {
  readonly url: string;
  /** The status of each lost response. */
  readonly lost: readonly number[];
  close(): Promise<void>;
}

/** Starts a proxy in front of a deployment, on a free port of the loopback interface. */
export async function startLosingProxy(baseUrl: string): Promise<LosingProxy> {
  const lost: number[] = [];
  const server = createServer((request) => {
    void forward(baseUrl, request)
      .then((status) => lost.push(status))
      .catch(() => {})
      .finally(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    lost,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Waits for the whole response, so that its work is done. @returns its status */
async function forward(baseUrl: string, request: IncomingMessage): Promise<number> {
  const { method = 'GET', url = '/', headers } = request;
  const passed = ['content-type', 'idempotency-key'].flatMap((name) =>
    headers[name] === undefined ? [] : [[name, String(headers[name])] as [string, string]],
  );
  const body = await text(request);
  const response = await fetch(`${baseUrl}${url}`, { method, headers: passed, body });
  await response.text();
  return response.status;
}
