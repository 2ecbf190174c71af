// @module-tag slow

import { createHash, randomBytes } from 'node:crypto';
import { cp, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startChildServer } from './testing/child-server.ts';
import type { ChildServer } from './testing/child-server.ts';
import { bucketName, elements, send, signRequest, startTestServer } from './testing/harness.ts';
import type { TestResponse, TestRequest, TestServer } from './testing/harness.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'atelier-s3-crash-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const md5 = (content: Buffer): string => createHash('md5').update(content).digest('hex');

/** The acknowledged content of each key, and writes without a response when the server died. */
class Ledger {
  readonly acknowledged = new Map<string, string | undefined>();
  readonly pending = new Map<string, string | undefined>();
  acknowledgements = 0;

  async record(
    key: string,
    content: string | undefined,
    send: () => Promise<TestResponse>,
  ): Promise<void> {
    this.pending.set(key, content);
    const { status } = await send();
    expect(status).toBeLessThan(300);
    this.pending.delete(key);
    this.acknowledged.set(key, content);
    this.acknowledgements += 1;
  }

  mayBe(key: string): (string | undefined)[] {
    const states = [this.acknowledged.get(key)];
    return this.pending.has(key) ? [...states, this.pending.get(key)] : states;
  }
}

function signedSender(port: number): (request: TestRequest) => Promise<TestResponse> {
  return (request) => send(port, signRequest(`localhost:${port}`, request));
}

/** Writes, overwrites and deletes keys of its own, and completes multipart objects, until the server dies. */
async function writeUntilDeath(server: ChildServer, writer: number, ledger: Ledger): Promise<void> {
  const send = signedSender(server.port);
  try {
    for (let round = 0; ; round += 1) {
      const key = `writer-${writer}/${round % 5}`;
      const path = `/${bucketName}/${key}`;
      const content = randomBytes(1 + ((round * 37_777) % 150_000));
      if (round % 7 === 6) {
        await ledger.record(key, undefined, () => send({ method: 'DELETE', path }));
      } else if (round % 3 === 2) {
        const uploadId = await startUpload(send, path);
        const parts = await putPart(send, { path, uploadId, content });
        const body = `<CompleteMultipartUpload>${parts}</CompleteMultipartUpload>`;
        await ledger.record(key, md5(content), () =>
          send({ method: 'POST', path, query: { uploadId }, body }),
        );
      } else {
        await ledger.record(key, md5(content), () => send({ method: 'PUT', path, body: content }));
      }
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}

async function startUpload(
  send: (request: TestRequest) => Promise<TestResponse>,
  path: string,
): Promise<string> {
  const { text } = await send({ method: 'POST', path, query: { uploads: '' } });
  return elements(text, 'UploadId')[0] ?? '';
}

async function putPart(
  send: (request: TestRequest) => Promise<TestResponse>,
  { path, uploadId, content }: { path: string; uploadId: string; content: Buffer },
): Promise<string> {
  const response = await send({
    method: 'PUT',
    path,
    query: { uploadId, partNumber: '1' },
    body: content,
  });
  return `<Part><PartNumber>1</PartNumber><ETag>${response.headers.etag}</ETag></Part>`;
}

async function storedDigest(server: TestServer, key: string): Promise<string | undefined> {
  const response = await server.signed({ method: 'GET', path: `/${bucketName}/${key}` });
  return response.status === 404 ? undefined : md5(response.body);
}

async function expectNoLeftovers(server: TestServer): Promise<void> {
  const named = new Set<string>();
  const bucketDir = join(server.dataDir, 'buckets', bucketName);
  for (const name of await readdir(bucketDir, { recursive: true })) {
    if (!name.endsWith('.json')) continue;
    const text = await readFile(join(bucketDir, name), 'utf8');
    for (const [, blobId] of text.matchAll(/"blobId":"(\w+)"/g)) named.add(blobId ?? '');
  }
  expect((await server.blobFiles()).toSorted()).toEqual([...named].toSorted());
  expect(await server.temporaryFiles()).toEqual([]);
}

test.each([30, 61, 97])(
  'a server killed after %d writes keeps each acknowledged one intact',
  async (writes) => {
    const ledger = new Ledger();
    const child = await startChildServer({ dataDir, buckets: [bucketName] });
    const writers = Array.from({ length: 8 }, (_, writer) =>
      writeUntilDeath(child, writer, ledger),
    );
    await expect
      .poll(() => ledger.acknowledgements, { interval: 1, timeout: 20_000 })
      .toBeGreaterThan(writes);
    await child.kill();
    await Promise.all(writers);

    const server = await startTestServer({ dataDir });
    try {
      expect(ledger.acknowledged.size).toBeGreaterThan(8);
      for (const key of new Set([...ledger.acknowledged.keys(), ...ledger.pending.keys()])) {
        expect(ledger.mayBe(key)).toContain(await storedDigest(server, key));
      }
      await expectNoLeftovers(server);
    } finally {
      await server.stop();
    }
  },
);

test('an unfinished upload continues after a crash', async () => {
  const child = await startChildServer({ dataDir, buckets: [bucketName] });
  const send = signedSender(child.port);
  const path = `/${bucketName}/resumed`;
  const uploadId = await startUpload(send, path);
  const part = await putPart(send, { path, uploadId, content: Buffer.from('kept') });
  await child.kill();

  const server = await startTestServer({ dataDir });
  try {
    const listed = await server.signed({ method: 'GET', path, query: { uploadId } });
    expect(elements(listed.text, 'Size')).toEqual(['4']);
    const body = `<CompleteMultipartUpload>${part}</CompleteMultipartUpload>`;
    expect((await server.signed({ method: 'POST', path, query: { uploadId }, body })).status).toBe(
      200,
    );
    expect((await server.signed({ method: 'GET', path })).text).toBe('kept');
  } finally {
    await server.stop();
  }
});

test('an upload that crashed between its commit and its removal is not restored', async () => {
  let server = await startTestServer({ dataDir });
  try {
    const path = `/${bucketName}/done`;
    const send = signedSender(server.port);
    const uploadId = await startUpload(send, path);
    const part = await putPart(send, { path, uploadId, content: Buffer.from('whole') });
    const uploads = join(dataDir, 'buckets', bucketName, 'uploads');
    const saved = join(dataDir, 'saved');
    await cp(uploads, saved, { recursive: true });
    const body = `<CompleteMultipartUpload>${part}</CompleteMultipartUpload>`;
    await server.signed({ method: 'POST', path, query: { uploadId }, body });
    await cp(saved, uploads, { recursive: true });
    await rm(saved, { recursive: true });

    server = await server.restart();
    const abort = await server.signed({ method: 'DELETE', path, query: { uploadId } });
    expect(abort.code).toBe('NoSuchUpload');
    expect((await server.signed({ method: 'GET', path })).text).toBe('whole');
    await expectNoLeftovers(server);
  } finally {
    await server.stop();
  }
});
