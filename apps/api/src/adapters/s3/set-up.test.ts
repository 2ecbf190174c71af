import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import { StorageSetupError } from '../../ports/object-store.ts';
import { inTime } from '../../testing/in-time.ts';
import { createS3ObjectStore } from '../s3.ts';
import { connect, type S3Settings } from './client.ts';

const origins = ['https://app.example.com', 'https://studio.example.com'];

function settingsWith(change: Partial<S3Settings> = {}): S3Settings {
  const { endpoint, accessKey, secretKey } = inject('services').s3;
  return {
    endpoint,
    publicEndpoint: endpoint,
    region: 'us-east-1',
    bucket: `set-up-${newId()}`,
    accessKey,
    secretKey,
    timeoutMs: 1_000,
    ...change,
  };
}

const servers: { close(): void }[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

/** A server that responds at its own address. */
async function startResponding(response: RequestListener): Promise<string> {
  const server = createServer(response).listen(0, '127.0.0.1');
  servers.push({
    close() {
      server.closeAllConnections();
      server.close();
    },
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function errorDocument(code: string, more = ''): string {
  return `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message>${more}</Error>`;
}

const emptyListing =
  '<?xml version="1.0"?><ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>';

async function whyNot(settings: S3Settings): Promise<string> {
  const refusal: unknown = await createS3ObjectStore(settings)
    .setUp(origins)
    .catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(StorageSetupError);
  const { message } = refusal as StorageSetupError;
  expect(message).not.toContain('\n');
  for (const secret of [settings.accessKey, settings.secretKey]) {
    expect(message).not.toContain(secret);
  }
  return message;
}

async function preflight(settings: S3Settings, origin: string): Promise<string | null> {
  const response = await fetch(`${settings.endpoint}/${settings.bucket}/collection/x`, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'PUT' },
  });
  return response.headers.get('access-control-allow-origin');
}

function corsOf(settings: S3Settings) {
  const request = { bucketName: settings.bucket, query: 'cors' };
  const client = connect(settings.endpoint, settings);
  return {
    get: async () => text(await client.makeRequestAsync({ ...request, method: 'GET' })),
    set: (document: string) =>
      client.makeRequestAsyncOmit({ ...request, method: 'PUT' }, document, [200]),
  };
}

describe('setting the storage up', () => {
  test('creates the bucket and lets pages of the origins upload, and only those', async () => {
    const settings = settingsWith();
    const store = createS3ObjectStore(settings);
    await expect(store.ping()).rejects.toThrow();
    expect(await store.setUp(origins)).toEqual([]);
    await store.ping();
    for (const origin of origins) expect(await preflight(settings, origin)).toBe(origin);
    expect(await preflight(settings, 'https://elsewhere.example.com')).toBeNull();

    const storageUploadId = await store.createMultipartUpload({
      key: 'collection/x',
      contentType: 'a/b',
    });
    const url = await store.presignPart({
      key: 'collection/x',
      storageUploadId,
      partNumber: 1,
      sizeBytes: 1,
      expiresInSeconds: 60,
    });
    const put = await fetch(url, {
      method: 'PUT',
      body: 'x',
      headers: { origin: String(origins[0]) },
    });
    expect(put.headers.get('access-control-expose-headers')).toContain('ETag');
    await store.abortMultipartUpload({ key: 'collection/x', storageUploadId });
  });

  test('by several processes at once, and again, gives one bucket with one rule of the service', async () => {
    const settings = settingsWith();
    const store = createS3ObjectStore(settings);
    await Promise.all([1, 2, 3, 4].map(() => store.setUp(origins)));
    await store.setUp(['https://other.example.com']);
    await store.setUp(origins);
    const document = await corsOf(settings).get();
    expect(document.match(/<CORSRule>/g)).toHaveLength(1);
    expect(document).not.toContain('other.example.com');
  });

  test('keeps the rules of others, and adds none where theirs are enough', async () => {
    const settings = settingsWith();
    const store = createS3ObjectStore(settings);
    await store.setUp([]);
    const { get, set } = corsOf(settings);
    await set(
      '<CORSConfiguration><CORSRule><ID>theirs &amp; old</ID><AllowedOrigin>https://cdn.example.com</AllowedOrigin><AllowedMethod>GET</AllowedMethod></CORSRule></CORSConfiguration>',
    );
    await store.setUp(origins);
    expect(await get()).toContain('<ID>theirs &amp; old</ID>');
    expect(await preflight(settings, String(origins[0]))).toBe(origins[0]);

    const wide =
      '<CORSConfiguration><CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod><AllowedMethod>PUT</AllowedMethod><AllowedMethod>HEAD</AllowedMethod><AllowedHeader>*</AllowedHeader><ExposeHeader>ETag</ExposeHeader></CORSRule></CORSConfiguration>';
    await set(wide);
    await store.setUp(origins);
    expect((await get()).match(/<CORSRule>/g)).toHaveLength(1);
    expect(await get()).not.toContain('app.example.com');
  });
});

describe('a storage that can’t be used', () => {
  test.each<[string, Partial<S3Settings>, string]>([
    ['an unknown access key', { accessKey: 'nobody-knows-this' }, 'S3_ACCESS_KEY: '],
    ['a wrong secret key', { secretKey: 'not-the-secret-key' }, 'S3_SECRET_KEY: '],
    ['another region', { region: 'eu-west-9' }, 'S3_REGION: '],
    ['an address without a storage', { endpoint: 'http://127.0.0.1:1' }, 'S3_ENDPOINT: '],
    ['a name that is none', { endpoint: 'http://storage.invalid' }, 'S3_ENDPOINT: '],
  ])('because of %s names the variable', async (_, change, start) => {
    const message = await whyNot(settingsWith(change));
    expect(message.slice(0, start.length)).toBe(start);
    // Not every storage reports its region.
    if (start === 'S3_REGION: ') expect(message).toMatch(/set (us-east-1|one of its own),/);
  });

  test.each([
    ['is no storage but a web page', 200, '<!doctype html><p>Hello', 'S3_ENDPOINT: '],
    ['is not found there', 404, 'Not Found', 'S3_ENDPOINT: '],
    ['lies elsewhere', 301, errorDocument('PermanentRedirect'), 'S3_REGION: '],
    ['has no such region', 400, errorDocument('InvalidLocationConstraint'), 'S3_REGION: '],
    ['forbids the bucket', 403, errorDocument('AccessDenied'), 'S3_ACCESS_KEY: '],
    ['has another time', 403, errorDocument('RequestTimeTooSkewed'), 'S3_ENDPOINT: the clocks'],
    ['breaks', 500, errorDocument('InternalError'), 'S3_ENDPOINT: '],
  ])('because it %s names the requirement', async (_, status, body, start) => {
    const endpoint = await startResponding((_request, response) => {
      response.writeHead(status).end(body);
    });
    expect((await whyNot(settingsWith({ endpoint }))).slice(0, start.length)).toBe(start);
  });

  test.each([
    ['AccessDenied', /^S3_BUCKET: there is no bucket .* may not make it/],
    ['BucketAlreadyExists', /^S3_BUCKET: .* belongs to another account/],
  ])('because the bucket can’t be made (%s) names the bucket', async (code, wanted) => {
    const endpoint = await startResponding((request, response) => {
      if (request.method === 'GET') response.writeHead(404).end(errorDocument('NoSuchBucket'));
      else response.writeHead(403).end(errorDocument(code));
    });
    expect(await whyNot(settingsWith({ endpoint }))).toMatch(wanted);
  });

  test('because it is silent is reported in bounded time', async () => {
    const endpoint = await startResponding(() => {});
    const reported = whyNot(settingsWith({ endpoint, timeoutMs: 200 }));
    expect(await inTime(2_000, reported)).toMatch(/^S3_ENDPOINT: /);
  });

  test('because it never ends its response is reported in bounded time', async () => {
    const endpoint = await startResponding((request, response) => {
      const dripping = setInterval(() => response.write(' '), 50);
      request.once('close', () => clearInterval(dripping));
    });
    const reported = whyNot(settingsWith({ endpoint, timeoutMs: 200 }));
    expect(await inTime(3_000, reported)).toMatch(/^S3_ENDPOINT: /);
  });

  test.each([
    [501, errorDocument('NotImplemented')],
    [403, errorDocument('AccessDenied')],
    [200, 'no CORS document'],
  ])('for CORS rules only (%d) is a warning that says what browsers need', async (status, body) => {
    const endpoint = await startResponding((request, response) => {
      if (request.url?.includes('cors')) response.writeHead(status).end(body);
      else response.end(emptyListing);
    });
    const warnings = await createS3ObjectStore(settingsWith({ endpoint })).setUp(origins);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/CORS.*app\.example\.com.*GET and PUT.*ETag/);
  });
});
