import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'minio';
import { startS3Server } from '../index.ts';
import type { S3ServerOptions } from '../index.ts';
import { amzDate, encodeQuery, presignQuery, sha256Hex, signHeaders } from './signer.ts';
import type { SigningKeys } from './signer.ts';

export const keys: SigningKeys = {
  accessKey: 'test-access-key',
  secretKey: 'test-secret-key-0123456789',
  region: 'us-east-1',
};
export const bucketName = 'atelier-test';

export interface TestResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  text: string;
  /** The code of an error document. */
  code: string | undefined;
}

export interface TestRequest {
  method: string;
  /** Percent-encoded. */
  path: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: string | Buffer;
  payloadHash?: string;
  date?: Date;
}

export interface TestServer {
  port: number;
  endpoint: string;
  dataDir: string;
  minio: Client;
  stop(): Promise<void>;
  /** Restarts the server on the same directory. */
  restart(): Promise<TestServer>;
  /** Sends the request without a signature. */
  send(request: TestRequest): Promise<TestResponse>;
  /** Sends the request with a signature in the Authorization header. */
  signed(request: TestRequest): Promise<TestResponse>;
  /** Returns the path and query of a presigned URL. */
  presign(
    request: TestRequest & { expiresInSeconds?: number | string; keys?: SigningKeys },
  ): string;
  /** Lists the names of all blob files. */
  blobFiles(): Promise<string[]>;
  temporaryFiles(): Promise<string[]>;
}

/** Starts a server on a new directory, with one bucket. */
export async function startTestServer(options: Partial<S3ServerOptions> = {}): Promise<TestServer> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'atelier-s3-')));
  const server = await startS3Server({
    accessKey: keys.accessKey,
    secretKey: keys.secretKey,
    buckets: [bucketName],
    fsync: 'never',
    ...options,
    dataDir,
  });
  const { port, endpoint } = server;
  const host = `localhost:${port}`;
  const remove = async (): Promise<void> => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return {
    port,
    endpoint,
    dataDir,
    minio: minioClient(port),
    stop: remove,
    restart: async () => {
      await server.stop();
      return startTestServer({ ...options, dataDir });
    },
    send: (request) => send(port, request),
    signed: (request) => send(port, signRequest(host, request)),
    presign: (request) => {
      const { method, path, query = {}, headers = {}, date = new Date() } = request;
      const signed = presignQuery(
        { method, path, query, headers: { host, ...headers } },
        { keys: request.keys ?? keys, date, expiresInSeconds: request.expiresInSeconds ?? 60 },
      );
      return `${path}?${encodeQuery(signed)}`;
    },
    blobFiles: () => readdir(join(dataDir, 'blobs')),
    temporaryFiles: () => readdir(join(dataDir, 'tmp')),
  };
}

function minioClient(port: number): Client {
  return new Client({
    endPoint: 'localhost',
    port,
    useSSL: false,
    accessKey: keys.accessKey,
    secretKey: keys.secretKey,
    region: keys.region,
  });
}

/** Adds date, payload hash and Authorization to a request. */
export function signRequest(
  host: string,
  request: TestRequest,
): TestRequest & { headers: Record<string, string> } {
  const payloadHash = request.payloadHash ?? sha256Hex(request.body ?? '');
  const headers = {
    host,
    'x-amz-date': amzDate(request.date ?? new Date()),
    'x-amz-content-sha256': payloadHash,
    ...request.headers,
  };
  const { authorization } = signHeaders({ ...request, headers, payloadHash }, keys);
  return { ...request, headers: { ...headers, authorization } };
}

export async function send(port: number, sent: TestRequest): Promise<TestResponse> {
  const query = sent.query === undefined ? '' : `?${encodeQuery(sent.query)}`;
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        host: '127.0.0.1',
        port,
        method: sent.method,
        path: sent.path + query,
        headers: {
          host: `localhost:${port}`,
          ...(sent.body === undefined
            ? {}
            : { 'content-length': String(Buffer.byteLength(sent.body)) }),
          ...sent.headers,
        },
        agent: false,
      },
      (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('error', reject);
        response.on('end', () => {
          const body = Buffer.concat(pieces);
          const text = body.toString('utf8');
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body,
            text,
            code: /<Code>(\w+)<\/Code>/.exec(text)?.[1],
          });
        });
      },
    );
    request.on('error', reject);
    request.end(sent.body);
  });
}

export async function collect(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Returns the undecoded text of every element of a name. */
export function elements(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(
    ([, text]) => text ?? '',
  );
}

/** Returns another digit, with which a signature in hexadecimal is sure to be another one. */
export const otherDigit = (digit: string): string => (digit === '0' ? '1' : '0');
