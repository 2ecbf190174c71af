import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** The operation of a request to the storage. */
export type StorageOperation =
  | 'open-upload'
  | 'store-part'
  | 'list-parts'
  | 'join-parts'
  | 'abort-upload'
  | 'put'
  | 'get'
  | 'stat'
  | 'delete';

/** Where a request breaks off, or which response replaces the real one. */
export const steps = [
  'before-request',
  'within-request',
  'before-response',
  'within-response',
  'busy',
] as const;
export type Step = (typeof steps)[number] | 'error-in-success' | 'error-after-success';

export interface StorageProxy {
  readonly port: number;
  /** Decides for each request where it breaks off; null lets it pass. */
  interfere: ((operation: StorageOperation) => Step | null) | null;
  /** Called before a response is passed on. */
  onResponse: ((operation: StorageOperation) => 'pass' | 'lose') | null;
  close(): Promise<void>;
}

const failure = (code: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>Try again.</Message></Error>`;

/** Starts a proxy to the storage. It passes requests on byte for byte, so that signatures stay valid. */
export async function startStorageProxy(targetPort: number, port: number): Promise<StorageProxy> {
  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  const proxy: StorageProxy = {
    port,
    interfere: null,
    onResponse: null,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const operation = operationOf(incoming);
    const step = proxy.interfere?.(operation) ?? null;
    const lose = () => incoming.socket.destroy();
    if (step === 'before-request') return void lose();
    const body = await buffer(incoming);
    if (step === 'busy') {
      outgoing.writeHead(503, { 'content-type': 'application/xml' }).end(failure('SlowDown'));
      return;
    }
    if (step === 'error-in-success') return respondWithErrorInSuccess(outgoing);
    const sent = step === 'within-request' ? body.subarray(0, body.length / 2) : body;
    const isBroken = step === 'within-request' && body.length > 1;
    const response = await forward(incoming, { body: sent, isBroken });
    if (response === null || step === 'before-response') return void lose();
    if (step === 'error-after-success') return respondWithErrorInSuccess(outgoing);
    if (proxy.onResponse?.(operation) === 'lose') return void lose();
    outgoing.writeHead(response.status, response.headers);
    if (step === 'within-response') {
      outgoing.write(response.body.subarray(0, response.body.length / 2), lose);
      return;
    }
    outgoing.end(response.body);
  }

  /** @returns null if the connection closed before a response */
  function forward(
    { method, url, headers, rawHeaders }: IncomingMessage,
    { body, isBroken }: { body: Buffer; isBroken: boolean },
  ) {
    return new Promise<{ status: number; headers: string[]; body: Buffer } | null>((resolve) => {
      const forwarded = request(
        {
          port: targetPort,
          host: '127.0.0.1',
          method,
          path: url,
          headers: rawHeaders,
          agent: false,
        },
        (response) => {
          buffer(response).then(
            (content) =>
              resolve({
                status: response.statusCode ?? 502,
                headers: response.rawHeaders,
                body: content,
              }),
            () => resolve(null),
          );
        },
      );
      forwarded.once('error', () => resolve(null));
      if (isBroken) forwarded.write(body, () => forwarded.destroy());
      else if (headers['content-length'] === undefined && body.length === 0) forwarded.end();
      else forwarded.end(body);
    });
  }

  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return proxy;
}

/** Responds as S3 does when completing an upload takes long and then fails. */
function respondWithErrorInSuccess(outgoing: ServerResponse): void {
  outgoing.writeHead(200, { 'content-type': 'application/xml' }).end(failure('InternalError'));
}

function operationOf({ method, url = '' }: IncomingMessage): StorageOperation {
  const query = new URL(url, 'http://storage').searchParams;
  const isMultipart = query.has('uploadId');
  switch (method) {
    case 'POST':
      return isMultipart ? 'join-parts' : 'open-upload';
    case 'PUT':
      return isMultipart ? 'store-part' : 'put';
    case 'HEAD':
      return 'stat';
    case 'DELETE':
      return isMultipart ? 'abort-upload' : 'delete';
    default:
      return isMultipart ? 'list-parts' : 'get';
  }
}
