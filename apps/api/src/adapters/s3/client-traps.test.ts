import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { Failure } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { createS3ObjectStore } from '../s3.ts';

const upload = { key: 'collection/a/b c.png', storageUploadId: 'a+b/c=&d' };
const parts = [{ partNumber: 1, eTag: 'e' }];

/** A storage with responses that a test defines, which records its requests. */
let respond: (request: IncomingMessage, response: ServerResponse) => void;
const requested: string[] = [];
const server = createServer((request, response) => {
  requested.push(`${request.method} ${request.url}`);
  respond(request, response);
});
let endpoint: string;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  requested.length = 0;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function storeAt(internal: string, publicEndpoint = internal) {
  const { accessKey, secretKey, region } = inject('services').s3;
  const bucket = `traps-${newId()}`;
  return createS3ObjectStore({
    endpoint: internal,
    publicEndpoint,
    region,
    bucket,
    accessKey,
    secretKey,
    timeoutMs: 1_000,
  });
}

const connectionCount = promisify(server.getConnections.bind(server));

const errorDocument = (code: string) =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`;

describe('presigning', () => {
  const download = {
    key: upload.key,
    fileName: 'b.png',
    contentType: 'image/png',
    detectedType: null,
    disposition: 'inline',
  } as const;
  const put = { key: upload.key, contentType: 'image/png', sizeBytes: 1 };
  const part = { ...upload, partNumber: 1, sizeBytes: 1 };
  const addresses = async (store: ReturnType<typeof storeAt>, expiresInSeconds: number) => [
    new URL(await store.presignPart({ ...part, expiresInSeconds })),
    new URL((await store.presignPut({ ...put, expiresInSeconds })).url),
    new URL(await store.presignDownload({ ...download, expiresInSeconds })),
  ];

  test('sends no request to the storage, and uses the public address', async () => {
    respond = (_, response) => response.writeHead(500).end();
    const store = storeAt(endpoint, 'https://files.example.com');
    for (const url of await addresses(store, 60)) {
      expect(url.origin).toBe('https://files.example.com');
      expect(url.pathname).toMatch(/\/collection\/a\/b%20c\.png$/);
      expect(url.searchParams.get('X-Amz-Expires')).toBe('60');
    }
    expect(requested).toEqual([]);
  });

  test.each([0, -5, 0.2])('for %j seconds is for one, not for a week', async (seconds) => {
    for (const url of await addresses(storeAt(endpoint), seconds)) {
      expect(url.searchParams.get('X-Amz-Expires')).toBe('1');
    }
  });

  test('a part contains its complete upload id', async () => {
    const [url] = await addresses(storeAt(endpoint), 60);
    expect(url?.searchParams.get('uploadId')).toBe(upload.storageUploadId);
  });
});

describe('an upload whose id has characters of an address', () => {
  test('is aborted, listed and completed by that id', async () => {
    respond = (request, response) => {
      const isGet = request.method === 'GET';
      response
        .writeHead(isGet ? 200 : 204)
        .end(isGet ? '<ListPartsResult><UploadId>x</UploadId></ListPartsResult>' : '');
    };
    const store = storeAt(endpoint);
    await store.abortMultipartUpload(upload);
    await store.listParts(upload);
    respond = (_, response) => response.writeHead(404).end(errorDocument('NoSuchUpload'));
    expect(await store.completeMultipartUpload({ ...upload, parts })).toBe('gone');
    expect(requested).toHaveLength(3);
    for (const line of requested) {
      const query = new URL(line.split(' ')[1] ?? '', endpoint).searchParams;
      expect(query.get('uploadId')).toBe(upload.storageUploadId);
    }
  });
});

describe('aborting an upload that another request completes or aborts, as Ceph reports it', () => {
  test('waits until that is done', async () => {
    respond = (_, response) => {
      const isTaken = requested.length <= 2;
      response
        .writeHead(isTaken ? 409 : 404)
        .end(errorDocument(isTaken ? 'BucketAlreadyExists' : 'NoSuchUpload'));
    };
    await storeAt(endpoint).abortMultipartUpload(upload);
    expect(requested).toHaveLength(3);
  });

  test('waits only for a short time', async () => {
    respond = (_, response) => response.writeHead(409).end(errorDocument('BucketAlreadyExists'));
    await expect(storeAt(endpoint).abortMultipartUpload(upload)).rejects.toMatchObject({
      code: 'storage_unavailable',
    });
    expect(requested.length).toBeLessThan(20);
  });
});

describe('a completion with a 200 that contains an error', () => {
  test.each([
    ['NoSuchUpload', 'gone'],
    ['InvalidPart', 'invalid_part'],
    ['EntityTooSmall', 'part_too_small'],
  ])('of %s is %s', async (code, outcome) => {
    respond = (_, response) => response.writeHead(200).end(errorDocument(code));
    const store = storeAt(endpoint);
    expect(await store.completeMultipartUpload({ ...upload, parts })).toBe(outcome);
  });

  test('of its own is a Failure that reveals nothing of it', async () => {
    respond = (_, response) => response.writeHead(200).end(errorDocument('InternalError'));
    const failure: unknown = await storeAt(endpoint)
      .completeMultipartUpload({ ...upload, parts })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Failure);
    expect(failure).toMatchObject({ code: 'storage_unavailable' });
  });
});

describe('a range', () => {
  const range = { key: upload.key, fromByte: 4, bytes: 4 };

  test.each([
    ['all of the object', '0123456789'],
    ['less than was asked for', '012'],
    ['nothing', ''],
  ])('with %s as the response is invalid', async (_, content) => {
    respond = (_request, response) => response.writeHead(200).end(content);
    await expect(storeAt(endpoint).readRange(range)).rejects.toMatchObject({
      code: 'storage_unavailable',
    });
  });

  test('is the one that was asked for', async () => {
    respond = (request, response) => response.writeHead(206).end(request.headers.range?.slice(-4));
    expect(String(await storeAt(endpoint).readRange(range))).toBe('=4-7');
  });
});

test('a storage that is overloaded is asked again on the same connection', async () => {
  respond = (_, response) => response.writeHead(503).end(errorDocument('SlowDown'));
  const store = storeAt(endpoint);
  const before = await connectionCount();
  for (let call = 0; call < 5; call += 1) {
    await expect(store.statObject(upload.key)).rejects.toBeInstanceOf(Failure);
  }
  expect(requested).toHaveLength(15);
  expect((await connectionCount()) - before).toBe(1);
});
