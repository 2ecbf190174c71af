import { describe, expect, test } from 'vitest';
import { createClient } from './index.ts';
import { memoryUploads } from './resume.ts';
import { failure, type Service } from './testing/service.ts';
import { startStorage } from './testing/storage-service.ts';
import { upload, type UploadOptions } from './upload.ts';

const collectionId = '019aa4f1-0a2b-7c3d-8e4f-5a6b7c8d9e0f';
const otherCollectionId = '019aa4f1-0a2b-7c3d-8e4f-5a6b7c8d9e10';
const assetId = '019aa4f2-1b3c-7d4e-9f50-6b7c8d9e0f1a';
const bytes = Uint8Array.from({ length: 1050 }, (_, index) => index % 251);
/** Of the same size; the bytes from 150 on differ. */
const changedBytes = bytes.map((byte, index) => (index < 150 ? byte : byte ^ 1));
const content = new Blob([bytes]);
const clientOf = ({ url }: Service) => createClient({ baseUrl: url, maxRetries: 0 });
const join = (parts: Map<number, Buffer>) =>
  Buffer.concat([...parts].toSorted(([a], [b]) => a - b).map(([, part]) => part));

/** Uploads six of eleven parts under a key of the caller's, which the next upload shares. */
async function interrupted(file: Blob = content) {
  const storage = await startStorage({
    partSize: 100,
    beforePart: (part, attempt) => (part === 7 && attempt === 1 ? { status: 400 } : undefined),
  });
  const options = { collectionId, concurrency: 1, resume: { store: memoryUploads(), key: 'k' } };
  await expect(upload(clientOf(storage), file, options).done).rejects.toThrow();
  expect(storage.parts.size).toBe(6);
  return { storage, options };
}

describe('an upload under the key of an interrupted one', () => {
  test('continues with the same content', async () => {
    const { storage, options } = await interrupted();
    await using _ = storage;
    await upload(clientOf(storage), content, options).done;
    expect(storage.initiations()).toBe(1);
    expect(storage.attempts).toEqual([1, 2, 3, 4, 5, 6, 7, 7, 8, 9, 10, 11]);
    expect(join(storage.parts)).toEqual(Buffer.from(bytes));
  });

  test.each([
    ['to another collection', { collectionId: otherCollectionId }],
    ['of a version of an asset', { assetId }],
    ['under another name', { fileName: 'other.bin' }],
    ['in another organization', { organizationId: otherCollectionId }],
  ])('starts again if it is one %s', async (_what, changed: Partial<UploadOptions>) => {
    const { storage, options } = await interrupted();
    await using _ = storage;
    await upload(clientOf(storage), content, { ...options, ...changed }).done;
    expect(storage.initiations()).toBe(2);
    expect(storage.completion()).toMatchObject({
      uploadId: 'upload-2',
      collectionId: changed.collectionId ?? collectionId,
    });
    expect(join(storage.parts)).toEqual(Buffer.from(bytes));
  });

  test('never mixes its content with that of a changed file of the same size', async () => {
    const { storage, options } = await interrupted();
    await using _ = storage;
    await upload(clientOf(storage), new Blob([changedBytes]), options).done;
    expect(join(storage.parts)).toEqual(Buffer.from(changedBytes));
    expect(storage.initiations()).toBe(2);
  });

  test('never mixes it if the file claims the same last change, either', async () => {
    const lastModified = 1_700_000_000_000;
    const fileOf = (data: Uint8Array<ArrayBuffer>) => new File([data], 'a', { lastModified });
    const { storage, options } = await interrupted(fileOf(bytes));
    await using _ = storage;
    await upload(clientOf(storage), fileOf(changedBytes), options).done;
    expect(join(storage.parts)).toEqual(Buffer.from(changedBytes));
  });

  test('starts again if the last change differs', async () => {
    const { storage, options } = await interrupted(new File([bytes], 'a', { lastModified: 1 }));
    await using _ = storage;
    await upload(clientOf(storage), new File([bytes], 'a', { lastModified: 2 }), options).done;
    expect(storage.initiations()).toBe(2);
  });
});

test('an upload stays in the organization that it began in', async () => {
  let selected = collectionId;
  await using storage = await startStorage({
    partSize: 1050,
    beforePart: (_part, attempt) => {
      selected = otherCollectionId;
      return attempt === 1 ? { status: 500 } : undefined;
    },
  });
  const api = createClient({ baseUrl: storage.url, organizationId: () => selected });
  await upload(api, content, { collectionId }).done;
  const organizations = storage.requests
    .filter(({ method }) => method !== 'PUT')
    .map(({ path, headers }) => [path.split('/').at(-1), headers['x-organization-id']]);
  expect(organizations).toEqual([
    ['initiate', collectionId],
    ['parts', collectionId],
    ['complete', collectionId],
  ]);
});

test('an interrupted upload is kept for its organization while another one is selected', async () => {
  let refusesParts = true;
  await using storage = await startStorage({
    partSize: 1050,
    beforePart: () => (refusesParts ? { status: 400 } : undefined),
  });
  const api = clientOf(storage);
  const options = { collectionId, resume: { store: memoryUploads() } };
  const file = new File([bytes], 'a', { lastModified: 1 });
  api.session.setOrganizationId(collectionId);
  await expect(upload(api, file, options).done).rejects.toThrow();
  refusesParts = false;
  api.session.setOrganizationId(otherCollectionId);
  await upload(api, file, options).done;
  expect(storage.initiations()).toBe(2);
  api.session.setOrganizationId(collectionId);
  await upload(api, file, options).done;
  expect(storage.resumptions()).toBe(1);
});

test('a part that nothing is known of does not count', async () => {
  const { storage, options } = await interrupted();
  await using _ = storage;
  storage.parts.set(9, Buffer.from('of another program'));
  await upload(clientOf(storage), content, options).done;
  expect(storage.initiations()).toBe(2);
  expect(join(storage.parts)).toEqual(Buffer.from(bytes));
});

test('changed content is not taken for that of a completed upload whose response was lost', async () => {
  let isCompleted = false;
  await using storage = await startStorage({
    partSize: 100,
    beforeOperation(path) {
      if (path.endsWith('/complete') && !isCompleted) {
        isCompleted = true;
        return 'hang up';
      }
      return path.endsWith('/parts') ? failure(409, 'upload_already_completed') : undefined;
    },
  });
  const options = { collectionId, resume: { store: memoryUploads(), key: 'k' } };
  await expect(upload(clientOf(storage), content, options).done).rejects.toThrow();
  await upload(clientOf(storage), new Blob([changedBytes]), options).done;
  expect(storage.initiations()).toBe(2);
  expect(join(storage.parts)).toEqual(Buffer.from(changedBytes));
});
