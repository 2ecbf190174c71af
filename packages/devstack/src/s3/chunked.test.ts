import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ChunkDecoder } from './chunked.ts';
import { plainChunks, signedChunks } from './testing/chunks.ts';
import { bucketName, keys, otherDigit, startTestServer } from './testing/harness.ts';
import type { TestResponse, TestServer } from './testing/harness.ts';
import { amzDate, signHeaders } from './testing/signer.ts';

let server: TestServer;
let host: string;
let path: string;
let count = 0;

beforeAll(async () => {
  server = await startTestServer();
  host = `localhost:${server.port}`;
});
afterAll(() => server.stop());
beforeEach(() => {
  count += 1;
  path = `/${bucketName}/chunked-${count}`;
});

async function expectNothingStored(blobsBefore: number): Promise<void> {
  expect((await server.signed({ method: 'GET', path })).code).toBe('NoSuchKey');
  expect(await server.blobFiles()).toHaveLength(blobsBefore);
  expect(await server.temporaryFiles()).toEqual([]);
}

async function expectStored(content: Buffer): Promise<void> {
  const response = await server.signed({ method: 'GET', path });
  expect(response.body.equals(content)).toBe(true);
  expect(response.headers.etag).toBe(`"${createHash('md5').update(content).digest('hex')}"`);
}

function crc32Base64(content: Buffer): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(content));
  return bytes.toString('base64');
}

describe('a chunked body', () => {
  const content = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251));
  const pieces = [
    content.subarray(0, 65_536),
    content.subarray(65_536, 131_072),
    content.subarray(131_072),
  ];

  interface Streaming {
    payloadHash: string;
    trailers?: Record<string, string>;
    headers?: Record<string, string>;
    decodedBytes?: number;
    alter?: (framed: Buffer) => Buffer;
  }

  async function putChunks(streaming: Streaming): Promise<TestResponse> {
    const { payloadHash, trailers } = streaming;
    const date = amzDate(new Date());
    const headers = {
      host,
      'x-amz-date': date,
      'x-amz-content-sha256': payloadHash,
      'x-amz-decoded-content-length': String(streaming.decodedBytes ?? content.length),
      'content-encoding': 'aws-chunked,gzip',
      ...(trailers === undefined ? {} : { 'x-amz-trailer': Object.keys(trailers).join(',') }),
      ...streaming.headers,
    };
    const signature = signHeaders({ method: 'PUT', path, headers, payloadHash }, keys);
    const framed = payloadHash.includes('UNSIGNED')
      ? plainChunks(pieces, trailers ?? {})
      : signedChunks(pieces, { ...signature, amzDate: date }, trailers);
    const body = streaming.alter?.(framed) ?? framed;
    return server.send({
      method: 'PUT',
      path,
      headers: { ...headers, authorization: signature.authorization },
      body,
    });
  }

  const signedForm = 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD';
  const signedTrailerForm = 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER';
  const plainForm = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER';
  const good = { 'x-amz-checksum-crc32': crc32Base64(content) };

  test.each<[string, Streaming]>([
    ['with signed chunks', { payloadHash: signedForm }],
    ['with signed chunks and trailer', { payloadHash: signedTrailerForm, trailers: good }],
    ['with unsigned chunks and trailer', { payloadHash: plainForm, trailers: good }],
    ['with unsigned chunks', { payloadHash: plainForm }],
  ])('%s is decoded', async (_, streaming) => {
    expect(await putChunks(streaming)).toMatchObject({ status: 200 });
    await expectStored(content);
    const head = await server.signed({ method: 'HEAD', path });
    expect(head.headers['content-encoding']).toBe('gzip');
  });

  const flip = (framed: Buffer, offset: number): Buffer => {
    const copy = Buffer.from(framed);
    copy[offset] = (copy[offset] ?? 0) ^ 1;
    return copy;
  };
  const replace = (framed: Buffer, from: string | RegExp, to: string): Buffer =>
    Buffer.from(framed.toString('latin1').replace(from, to), 'latin1');

  test.each<[string, Streaming, string]>([
    [
      'an altered byte in the first chunk',
      { payloadHash: signedForm, alter: (framed) => flip(framed, 500) },
      'SignatureDoesNotMatch',
    ],
    [
      'an altered byte in the last chunk',
      { payloadHash: signedForm, alter: (framed) => flip(framed, framed.length - 200) },
      'SignatureDoesNotMatch',
    ],
    [
      'an altered chunk signature',
      {
        payloadHash: signedForm,
        alter: (framed) =>
          Buffer.from(
            framed.toString('latin1').replace(/(?<=chunk-signature=)./, otherDigit),
            'latin1',
          ),
      },
      'SignatureDoesNotMatch',
    ],
    [
      'no chunk signatures',
      {
        payloadHash: signedForm,
        alter: (framed) => replace(framed, /;chunk-signature=.{64}/g, ''),
      },
      'InvalidRequest',
    ],
    [
      'an altered trailer',
      {
        payloadHash: signedTrailerForm,
        trailers: good,
        alter: (framed) => replace(framed, 'crc32:', 'crc32:A'),
      },
      'SignatureDoesNotMatch',
    ],
    [
      'no trailer signature',
      {
        payloadHash: signedTrailerForm,
        trailers: good,
        alter: (framed) => replace(framed, /x-amz-trailer-signature:.*\r\n/, ''),
      },
      'SignatureDoesNotMatch',
    ],
    [
      'a wrong checksum',
      { payloadHash: plainForm, trailers: { 'x-amz-checksum-crc32': 'AAAAAA==' } },
      'BadDigest',
    ],
    [
      'a missing trailer',
      {
        payloadHash: plainForm,
        trailers: good,
        alter: (framed) => replace(framed, /x-amz-checksum.*\r\n/, ''),
      },
      'InvalidRequest',
    ],
    [
      'no closing chunk',
      { payloadHash: signedForm, alter: (framed) => framed.subarray(0, framed.length - 90) },
      'IncompleteBody',
    ],
    [
      'fewer bytes than declared',
      { payloadHash: signedForm, decodedBytes: content.length + 1 },
      'IncompleteBody',
    ],
    [
      'more bytes than declared',
      { payloadHash: signedForm, decodedBytes: content.length - 1 },
      'IncompleteBody',
    ],
    [
      'bytes after its end',
      { payloadHash: plainForm, alter: (framed) => Buffer.concat([framed, Buffer.from('more')]) },
      'InvalidRequest',
    ],
    [
      'a malformed size',
      { payloadHash: plainForm, alter: (framed) => replace(framed, /^10000/, '-1') },
      'InvalidRequest',
    ],
    [
      'an endless chunk header',
      { payloadHash: plainForm, alter: () => Buffer.alloc(50_000, 'a') },
      'InvalidRequest',
    ],
    [
      'a chunk longer than its size',
      { payloadHash: plainForm, alter: (framed) => replace(framed, /^10000/, 'ffff') },
      'InvalidRequest',
    ],
    [
      'an unsupported checksum',
      { payloadHash: plainForm, trailers: { 'x-amz-checksum-crc64nvme': 'AAAAAAAAAAA=' } },
      'NotImplemented',
    ],
    [
      'asymmetric signatures',
      { payloadHash: 'STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD' },
      'NotImplemented',
    ],
  ])('with %s is rejected and nothing is stored', async (_, streaming, code) => {
    const before = (await server.blobFiles()).length;
    expect(await putChunks(streaming)).toMatchObject({ code });
    await expectNothingStored(before);
  });

  test('without its decoded length is rejected', async () => {
    const response = await server.signed({
      method: 'PUT',
      path,
      body: 'x',
      payloadHash: plainForm,
    });
    expect(response).toMatchObject({ status: 411, code: 'MissingContentLength' });
  });

  test('is decoded from network packets of any size', async () => {
    const verified = {
      kind: 'header',
      payloadHash: plainForm,
      signingKey: Buffer.alloc(0),
      scope: '',
      amzDate: '',
      signature: '',
    } as const;
    const framed = plainChunks([Buffer.from('hello '), Buffer.from('world')], { a: 'b' });
    for (let size = 1; size <= framed.length; size += 1) {
      const decoder = new ChunkDecoder({ isSigned: false, hasTrailer: true }, verified);
      const decoded: Buffer[] = [];
      for (let offset = 0; offset < framed.length; offset += size) {
        decoded.push(...decoder.decode(framed.subarray(offset, offset + size)));
      }
      expect([...decoder.finish()]).toEqual([['a', 'b']]);
      expect(Buffer.concat(decoded).toString()).toBe('hello world');
    }
  });
});
