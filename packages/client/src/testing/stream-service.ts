import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a server of a test does with one connection. */
export type Connection = (response: ServerResponse, request: IncomingMessage) => void;

export interface StreamService extends AsyncDisposable {
  readonly url: string;
  /** Headers of every request. */
  readonly requests: readonly IncomingMessage['headers'][];
}

/** Starts a server that treats each further request as the next connection says. */
export async function startStreamService(
  connections: readonly Connection[],
): Promise<StreamService> {
  const requests: IncomingMessage['headers'][] = [];
  const server = createServer((request, response) => {
    const connection = connections[requests.length];
    requests.push(request.headers);
    if (connection) connection(response, request);
    else response.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Sends pieces of a stream as they are, and then ends it, breaks it, or keeps it open. */
export function stream(
  pieces: readonly string[],
  then: 'end' | 'break' | 'keep' = 'end',
): Connection {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const writeNext = (index: number): void => {
      const piece = pieces[index];
      if (piece !== undefined) {
        // One after the other has left, so that the reader gets them apart.
        response.write(piece, () => setImmediate(writeNext, index + 1));
      } else if (then === 'end') response.end();
      else if (then === 'break') response.destroy();
    };
    writeNext(0);
  };
}

/** An answer that is no stream. */
export function answer(
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Connection {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}
