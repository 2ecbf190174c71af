import { describe, expect, test, vi } from 'vitest';
import { newUser } from '../../testing/accounts.ts';
import { call, startTestApi } from '../../testing/api.ts';
import { newCollection, readyUpload, someFile, uploadFile } from '../../testing/library.ts';
import { sentStatements } from '../../testing/recorded-statements.ts';
import { setUpApi } from '../../testing/set-up.ts';

vi.mock('postgres', async (original) => {
  const { recordingDriver } = await import('../../testing/recorded-statements.ts');
  return recordingDriver(original);
});

const before = await startTestApi();
const user = await newUser(before);
const collectionId = await newCollection(before, user);
await before.close();
const { clock, config } = before;
// Jobs run elsewhere: their statements don't count.
const api = await setUpApi({ JOBS: 'separate' }, { clock, databaseUrl: config.DATABASE_URL });

/** Statements that no request waits for: notifications, shared by all changes of 10 ms. */
const beside = /^select pg_notify/;

/** The statements that a request waits for, including those that begin and commit. */
async function statementsOf(id: 'uploads.initiate' | 'uploads.complete', body: unknown) {
  sentStatements.length = 0;
  const { status, body: response } = await call(api, id, { token: user.token, body });
  const texts = sentStatements.map(({ text }) => text.trim());
  return { status, code: response.code, texts: texts.filter((text) => !beside.test(text)) };
}

/** The table that a statement begins with, or the function. */
const tables = (text: string) => /(?:from|update|insert into) "?(\w+)/.exec(text)?.[1];

describe('completing makes three round trips to the database', () => {
  const target = async (): Promise<{ collectionId: string; assetId?: string }[]> => {
    const { id: assetId } = await uploadFile(api, user, someFile(5), { collectionId });
    return [{ collectionId }, { collectionId, assetId }];
  };

  test('authentication, reading the upload, and saving it: as an asset or a version', async () => {
    for (const place of await target()) {
      const { body } = await readyUpload(api, user, place);
      const { status, texts } = await statementsOf('uploads.complete', body);
      expect(status).toBe(200);
      // A function of the database, which writes all rows.
      expect(texts.map(tables)).toEqual(['sessions', 'uploads', 'save_upload']);
      expect(texts.at(-1)).toMatch(/enqueue_job/);
    }
  });

  test('and the response contains what is then read of the asset', async () => {
    for (const place of await target()) {
      const mark = { params: { id: place.assetId ?? '' }, body: { isFavorite: true } };
      if (place.assetId !== undefined) {
        expect((await call(api, 'assets.favorite', { token: user.token, ...mark })).status).toBe(
          200,
        );
      }
      const { body } = await readyUpload(api, user, place);
      const completed = await call(api, 'uploads.complete', { token: user.token, body });
      const { id, isFavorite } = completed.body.data;
      expect(isFavorite).toBe(place.assetId !== undefined);
      const read = await call(api, 'assets.get', { token: user.token, params: { id } });
      const assetLongUrl = expect.stringContaining('X-Amz-Signature');
      expect(read.body.data).toEqual({ ...completed.body.data, assetLongUrl });
    }
  });

  test('also when it was already completed', async () => {
    const { body } = await readyUpload(api, user, { collectionId });
    await statementsOf('uploads.complete', body);
    const { status, texts } = await statementsOf('uploads.complete', body);
    expect([status, texts.length]).toEqual([200, 3]);
  });

  test('and fewer when it is refused before anything is saved', async () => {
    const { body } = await readyUpload(api, user, { collectionId });
    const { code, texts } = await statementsOf('uploads.complete', { ...body, key: 'no such' });
    expect([code, texts.map(tables)]).toEqual(['upload_mismatch', ['sessions', 'uploads']]);
  });

  test('and the database itself sends the notification', async () => {
    const received: string[] = [];
    await api.deps.listenToChanges({
      onTopic: (topic) => received.push(topic),
      onListening: () => {},
    });
    const { body } = await readyUpload(api, user, { collectionId });
    const topic = `organization:${user.organizationId}`;
    await expect.poll(() => received).toContain(topic);
    received.length = 0;
    await statementsOf('uploads.complete', body);
    await expect.poll(() => received).toEqual([topic]);
  });
});

describe('initiating', () => {
  test('takes a transaction that waits twice for statements after the proof, and one statement after the storage has responded', async () => {
    const { status, texts } = await statementsOf('uploads.initiate', {
      fileName: 'a.txt',
      contentType: 'text/plain',
      fileSize: 1,
      collectionId,
    });
    expect(status).toBe(201);
    expect(texts.map((text) => tables(text) ?? text)).toEqual([
      'sessions',
      'begin',
      'prove_membership',
      // Sent together: the locks of the collection and of the usage.
      'collections',
      'organization_usage',
      // Sent together: the lock of the caller's open uploads, their number, what is reserved, and the new one.
      expect.stringContaining('pg_advisory_xact_lock'),
      'claim_upload',
      'uploads',
      'uploads',
      'commit',
      'start_upload',
    ]);
  });
});
