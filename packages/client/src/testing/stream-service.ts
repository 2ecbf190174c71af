import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Handles one connection of a test server. */
export type Connection = (response: ServerResponse, request: IncomingMessage) => void;

export interface StreamService extends AsyncDisposable {
  readonly url: string;
  /** Headers of every request. */
  readonly requests: readonly IncomingMessage['headers'][];
}

/** Starts a server that handles each request with the next connection. */
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

/** Sends pieces of a stream, and then ends it, breaks it, or keeps it open. */
export function stream(
  pieces: readonly string[],
  then: 'end' | 'break' | 'keep' = 'end',
): Connection {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const writeNext = (index: number): void => {
      const piece = pieces[index];
      if (piece !== undefined) {
        // Each after the previous one was sent, so that the reader receives them separately.
        response.write(piece, () => setImmediate(writeNext, index + 1));
      } else if (then === 'end') response.end();
      else if (then === 'break') response.destroy();
    };
    writeNext(0);
  };
}

/** Sends a JSON response instead of a stream. */
export function respond(
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Connection {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}
