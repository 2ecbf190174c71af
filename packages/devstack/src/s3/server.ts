import { inspect } from 'node:util';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { ClientGone, errorReply, sendReply } from './send-reply.ts';
import type { Exchange } from './send-reply.ts';
import type { Reply, Services } from './operation.ts';
import { corsHeaders, openPolicy, preflightHeaders } from './cors.ts';
import { refuseUnparsed } from './client-errors.ts';
import { lockDirectory } from './directory-lock.ts';
import type { FsyncMode } from './durable-files.ts';
import { S3Error } from './errors.ts';
import { HeaderMap } from './headers.ts';
import { assertBucketName } from './names.ts';
import { assertPayloadHash, Payload } from './payload.ts';
import type { CorsRule } from './records.ts';
import { findOperation } from './router.ts';
import { verifySignature } from './signature.ts';
import { Store } from './store.ts';
import { parseTarget } from './target.ts';
import type { Target } from './target.ts';
import { UploadStore } from './uploads.ts';

const headersTimeoutSeconds = 30;
const requestTimeoutSeconds = 3600;
const closingGraceMilliseconds = 500;

export interface S3ServerOptions {
  /** Created if missing; one server at a time. */
  dataDir: string;
  accessKey: string;
  secretKey: string;
  /** Default `us-east-1`. */
  region?: string;
  /** A loopback address; default `127.0.0.1`. */
  host?: string;
  /** Default 0 = a free port. */
  port?: number;
  /** Created at start if missing. */
  buckets?: string[];
  /** Origins allowed by buckets without own CORS rules; default `['*']`. */
  allowedOrigins?: string[];
  now?: () => Date;
  /** Whether an acknowledged write is flushed to disk, to survive a power loss; default `always`. */
  fsync?: FsyncMode;
  /** Default 5 MiB, like S3. */
  minPartSizeBytes?: number;
  /** Maximum idle time of a connection during a request; default 60. */
  idleTimeoutSeconds?: number;
  /** Receives defects, which clients get as `InternalError`; default: writes to standard error. */
  onDefect?: (error: unknown) => void;
}

export interface S3Server {
  /** `http://localhost:<port>` */
  endpoint: string;
  port: number;
  /** Waits briefly for running requests, then closes every connection. */
  stop(): Promise<void>;
}

/**
 * Starts an S3 server for development on a loopback address. Acknowledged writes survive a crash.
 *
 * @throws when the host is not loopback, the port is taken, another server uses the directory, or a
 *   stored record is damaged
 */
export async function startS3Server(options: S3ServerOptions): Promise<S3Server> {
  const host = options.host ?? '127.0.0.1';
  if (!isLoopback(host)) throw new Error(`The S3 server listens on loopback only, not on ${host}.`);
  for (const name of options.buckets ?? []) assertBucketName(name);
  const lock = await lockDirectory(options.dataDir);
  try {
    const store = await Store.open({
      dataDir: options.dataDir,
      fsync: options.fsync ?? 'always',
      now: options.now ?? (() => new Date()),
    });
    for (const name of options.buckets ?? []) {
      if (store.findBucket(name) === undefined) await store.createBucket(name);
    }
    const handler = new RequestHandler(options, store);
    const server = createHttpServer(handler, options.idleTimeoutSeconds ?? 60);
    const port = await listen(server, { host, port: options.port ?? 0 });
    const name = host.startsWith('127.') && host !== '127.0.0.1' ? host : 'localhost';
    const stop = async (): Promise<void> => {
      await close(server);
      await handler.finished();
      await lock.release();
    };
    return { endpoint: `http://${name}:${port}`, port, stop };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

class RequestHandler {
  readonly #services: Services;
  readonly #credentials: { accessKey: string; secretKey: string; region: string };
  readonly #openPolicy: CorsRule[];
  readonly #onDefect: (error: unknown) => void;
  readonly #running = new Set<Promise<void>>();

  constructor(options: S3ServerOptions, store: Store) {
    const region = options.region ?? 'us-east-1';
    const minPartSizeBytes = options.minPartSizeBytes ?? 5 * 1024 * 1024;
    this.#services = { store, uploads: new UploadStore({ store, minPartSizeBytes }), region };
    this.#credentials = { accessKey: options.accessKey, secretKey: options.secretKey, region };
    this.#openPolicy = openPolicy(options.allowedOrigins ?? ['*']);
    this.#onDefect = options.onDefect ?? reportDefect;
  }

  /** Handles a request whose client sends its body at once, or waits for `100 Continue`. */
  accept(request: IncomingMessage, response: ServerResponse, bodyMode: 'sent' | 'awaited'): void {
    let isBodyAwaited = bodyMode === 'awaited';
    const askForBody = (): void => {
      if (isBodyAwaited) response.writeContinue();
      isBodyAwaited = false;
    };
    const requestId = randomBytes(8).toString('hex').toUpperCase();
    const exchange = { request, response, requestId, mayReceiveBody: () => !isBodyAwaited };
    const task = this.#handle(exchange, askForBody).finally(() => this.#running.delete(task));
    this.#running.add(task);
  }

  /** Resolves when every request is handled, also those of disconnected clients. */
  async finished(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #handle(exchange: Exchange, askForBody: () => void): Promise<void> {
    const { request, response } = exchange;
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    const reply = await this.#reply(exchange, askForBody).catch((error: unknown) =>
      this.#refusal(exchange, error),
    );
    try {
      this.#addCommonHeaders(exchange, reply);
      await sendReply(exchange, reply);
    } catch (error) {
      if (!(error instanceof ClientGone)) this.#onDefect(error);
      response.destroy();
    } finally {
      if (typeof reply.body === 'object') await reply.body.close().catch(this.#onDefect);
    }
  }

  async #reply({ request }: Exchange, askForBody: () => void): Promise<Reply> {
    const method = request.method ?? '';
    const headers = new HeaderMap(request);
    const target = parseTarget(request.url ?? '');
    if (method === 'OPTIONS') {
      return { status: 200, headers: preflightHeaders(this.#corsRules(target), headers) };
    }
    const now = this.#services.store.now();
    const verified = verifySignature({ method, target, headers }, this.#credentials, now);
    assertPayloadHash(verified.payloadHash);
    const operation = findOperation(method, target, headers);
    const payload = new Payload({ request, headers, verified, beforeRead: askForBody });
    return operation({ ...this.#services, method, target, headers, payload });
  }

  #refusal({ request, requestId, response }: Exchange, error: unknown): Reply {
    const resource = (request.url ?? '').split('?')[0] ?? '';
    if (error instanceof S3Error) return errorReply(error, { resource, requestId });
    if (!request.destroyed && !response.destroyed) this.#onDefect(error);
    return errorReply(new S3Error('InternalError'), { resource, requestId });
  }

  #addCommonHeaders({ request, response, requestId }: Exchange, reply: Reply): void {
    response.setHeader('x-amz-request-id', requestId);
    response.setHeader('x-amz-id-2', 'atelier');
    if (request.method === 'OPTIONS') return;
    const headers = new HeaderMap(request);
    const responseHeaderNames = [...response.getHeaderNames(), ...Object.keys(reply.headers ?? {})];
    const question = { method: request.method ?? '', headers, responseHeaderNames };
    const cors = corsHeaders(this.#corsRules(findTarget(request)), question);
    for (const [name, value] of Object.entries(cors)) response.setHeader(name, value);
  }

  #corsRules(target: Target | undefined): readonly CorsRule[] {
    const bucket =
      target === undefined ? undefined : this.#services.store.findBucket(target.bucket);
    return bucket?.corsRules ?? this.#openPolicy;
  }
}

function createHttpServer(handler: RequestHandler, idleTimeoutSeconds: number): Server {
  const server = createServer({
    headersTimeout: headersTimeoutSeconds * 1000,
    requestTimeout: requestTimeoutSeconds * 1000,
    keepAliveTimeout: 5000,
    maxHeaderSize: 32 * 1024,
  });
  server.setTimeout(idleTimeoutSeconds * 1000);
  server.on('request', (request, response) => handler.accept(request, response, 'sent'));
  server.on('checkContinue', (request, response) => handler.accept(request, response, 'awaited'));
  server.on('clientError', refuseUnparsed);
  return server;
}

async function listen(server: Server, address: { host: string; port: number }): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The server has no port.');
  return bound.port;
}

async function close(server: Server): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), closingGraceMilliseconds);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(timer);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

function findTarget(request: IncomingMessage): Target | undefined {
  try {
    return parseTarget(request.url ?? '');
  } catch {
    return undefined;
  }
}

function reportDefect(error: unknown): void {
  process.stderr.write(`S3 server: ${inspect(error)}\n`);
}
