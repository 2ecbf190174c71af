import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** What is asked of the storage. */
export type StorageCall =
  | 'open-upload'
  | 'store-part'
  | 'list-parts'
  | 'join-parts'
  | 'abort-upload'
  | 'put'
  | 'get'
  | 'stat'
  | 'delete';

/** Where a call breaks off, or what is answered instead. */
export const steps = [
  'before-request',
  'within-request',
  'before-answer',
  'within-answer',
  'busy',
] as const;
export type Step = (typeof steps)[number] | 'error-in-success' | 'error-after-success';

export interface StorageProxy {
  readonly port: number;
  /** Decides what becomes of each call; null: nothing happens to it. */
  interfere: ((call: StorageCall) => Step | null) | null;
  /** Told before an answer is passed on. */
  onAnswer: ((call: StorageCall) => 'pass' | 'lose') | null;
  close(): Promise<void>;
}

const failure = (code: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>Try again.</Message></Error>`;

/** Passes calls on to the storage, byte for byte: their signatures hold. */
export async function startStorageProxy(targetPort: number, port: number): Promise<StorageProxy> {
  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  const proxy: StorageProxy = {
    port,
    interfere: null,
    onAnswer: null,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const call = callOf(incoming);
    const step = proxy.interfere?.(call) ?? null;
    const lose = () => incoming.socket.destroy();
    if (step === 'before-request') return void lose();
    const body = await buffer(incoming);
    if (step === 'busy') {
      outgoing.writeHead(503, { 'content-type': 'application/xml' }).end(failure('SlowDown'));
      return;
    }
    if (step === 'error-in-success') return answerErrorInSuccess(outgoing);
    const sent = step === 'within-request' ? body.subarray(0, body.length / 2) : body;
    const isBroken = step === 'within-request' && body.length > 1;
    const answer = await passOn(incoming, { body: sent, isBroken });
    if (answer === null || step === 'before-answer') return void lose();
    if (step === 'error-after-success') return answerErrorInSuccess(outgoing);
    if (proxy.onAnswer?.(call) === 'lose') return void lose();
    outgoing.writeHead(answer.status, answer.headers);
    if (step === 'within-answer') {
      outgoing.write(answer.body.subarray(0, answer.body.length / 2), lose);
      return;
    }
    outgoing.end(answer.body);
  }

  /** @returns null when the connection ended before an answer */
  function passOn(
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

/** As S3 does when joining takes long and then fails. */
function answerErrorInSuccess(outgoing: ServerResponse): void {
  outgoing.writeHead(200, { 'content-type': 'application/xml' }).end(failure('InternalError'));
}

function callOf({ method, url = '' }: IncomingMessage): StorageCall {
  const query = new URL(url, 'http://storage').searchParams;
  const isOfUpload = query.has('uploadId');
  switch (method) {
    case 'POST':
      return isOfUpload ? 'join-parts' : 'open-upload';
    case 'PUT':
      return isOfUpload ? 'store-part' : 'put';
    case 'HEAD':
      return 'stat';
    case 'DELETE':
      return isOfUpload ? 'abort-upload' : 'delete';
    default:
      return isOfUpload ? 'list-parts' : 'get';
  }
}
