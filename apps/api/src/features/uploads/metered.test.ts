import { request } from 'node:http';
import { Readable } from 'node:stream';
import { and, eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { uploadClaims, uploads } from '../../db/generated/schema.ts';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import {
  completion,
  initiate,
  newCollection,
  partsInStorage,
  putPart,
  putParts,
  someFile,
} from '../../testing/library.ts';
import { setUpApiWithUser } from '../../testing/set-up.ts';
import { storeTeam } from '../../testing/teams.ts';

const mebibyte = 1024 ** 2;

const { api, user } = await setUpApiWithUser({ UPLOAD_PART_SIZE_MIN_BYTES: String(5 * mebibyte) });
const collectionId = await newCollection(api, user);

const complete = (body: unknown) => call(api, 'uploads.complete', { token: user.token, body });

/** A separate connection: the storage closes one whose body it has refused. */
async function statusOfPut(url: string, sizeBytes: number): Promise<number | undefined> {
  const put = request(url, {
    method: 'PUT',
    agent: false,
    headers: { 'content-length': sizeBytes },
  });
  return new Promise((resolve, reject) => {
    put.on('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    put.on('error', reject);
    put.end(Buffer.alloc(sizeBytes));
  });
}

describe('the address of a part', () => {
  test.each([
    ['150 MiB', 150 * mebibyte],
    ['one byte more', 11],
    ['one byte fewer', 9],
    ['nothing', 0],
  ])('of 10 bytes neither stores nor completes %s', async (_, sizeBytes) => {
    const file = someFile(10);
    const upload = await initiate(api, user, file, { collectionId });
    const [part] = upload.parts;
    const url = String(part?.url);
    expect(await statusOfPut(url, sizeBytes)).toBe(403);
    expect(await partsInStorage(api, upload)).toEqual([]);
    const parts = [{ partNumber: 1, eTag: '0'.repeat(32) }];
    const invented = await complete(completion(upload, file, collectionId, parts));
    expect([invented.status, invented.body.code]).toEqual([400, 'upload_part_invalid']);

    const stored = await putParts(upload, file.content);
    const asset = await complete(completion(upload, file, collectionId, stored));
    expect([asset.status, asset.body.data.fileSize]).toEqual([200, 10]);
  });

  test('rejects a stream without a declared length', async () => {
    const upload = await initiate(api, user, someFile(10), { collectionId });
    const body = Readable.toWeb(Readable.from([Buffer.alloc(10)])) as ReadableStream;
    const url = String(upload.parts[0]?.url);
    const { ok } = await fetch(url, { method: 'PUT', body, duplex: 'half' });
    expect(ok).toBe(false);
    expect(await partsInStorage(api, upload)).toEqual([]);
  });

  test('accepts the rest of the file for the last part, also when it is requested again', async () => {
    const file = someFile(11 * mebibyte);
    const upload = await initiate(api, user, file, { collectionId });
    const resumed = await call(api, 'uploads.parts', {
      token: user.token,
      params: { uploadId: upload.uploadId },
    });
    for (const { parts } of [upload, resumed.body.data]) {
      const last = String(parts.at(-1)?.url);
      expect((await putPart(last, Buffer.alloc(5 * mebibyte))).status).toBe(403);
      expect((await putPart(last, file.content.subarray(10 * mebibyte))).status).toBe(200);
    }
    expect(await partsInStorage(api, upload)).toMatchObject([
      { partNumber: 3, sizeBytes: mebibyte },
    ]);
  });
});

describe('the open uploads of a user', () => {
  const most = 100;
  const begin = (as: TestUser, target: { collectionId: string; organizationId?: string }) => {
    const { organizationId, ...place } = target;
    const file = { fileName: 'a', contentType: 'text/plain', fileSize: 1 };
    return call(api, 'uploads.initiate', {
      token: as.token,
      ...(organizationId !== undefined && { organizationId }),
      body: { ...file, ...place },
    });
  };
  /** Inserts uploads that are open until a timestamp. */
  async function store(person: TestUser, { count, until }: { count: number; until: Date }) {
    const target = await newCollection(api, person);
    await api.db.execute(sql`
      insert into uploads (id, organization_id, collection_id, user_id, key, file_name, content_type,
        file_size_bytes, part_size_bytes, status, created_at, expires_at)
      select uuidv7(), ${person.organizationId}, ${target}, ${person.id}, 'collection/' || uuidv7(), 'a',
        'text/plain', 1, 1, 'ACTIVE', now(), ${until.toISOString()} from generate_series(1, ${count}::int)`);
    return target;
  }
  const inAnHour = () => new Date(api.clock.now().getTime() + 3_600_000);

  test('are limited to a hundred, however many are started in parallel, across organizations', async () => {
    const person = await newUser(api);
    const own = await store(person, { count: most - 1, until: inAnHour() });
    const organizationId = await storeTeam(api, person);
    const shared = await call(api, 'collections.create', {
      token: person.token,
      organizationId,
      body: { title: 'Shared' },
    });
    const places = [{ collectionId: own }, { organizationId, collectionId: shared.body.data.id }];
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        begin(person, places[index % 2] ?? { collectionId: own }),
      ),
    );
    const begun = responses.filter(({ status }) => status === 201);
    expect(begun).toHaveLength(1);
    for (const { status, body } of responses.filter((response) => !begun.includes(response))) {
      expect([status, body.code]).toEqual([409, 'too_many_open_uploads']);
    }
    const open = and(eq(uploads.userId, person.id), eq(uploads.status, 'ACTIVE'));
    expect(await api.db.$count(uploads, open)).toBe(most);
    // One Postgres finds them all by their index.
    expect(await api.db.$count(uploadClaims)).toBe(0);

    // Another user's do not count, and aborted ones free their places.
    expect((await begin(user, { collectionId })).status).toBe(201);
    const [first] = begun.map(({ body }) => body.data);
    const { uploadId, key } = first;
    const home = key.includes(own) ? {} : { organizationId };
    const aborted = await call(api, 'uploads.abort', {
      token: person.token,
      ...home,
      body: { uploadId, key },
    });
    expect(aborted.status).toBe(200);
    expect((await begin(person, { collectionId: own })).status).toBe(201);
    expect((await begin(person, { collectionId: own })).status).toBe(409);
  });

  test('count until they expire', async () => {
    const person = await newUser(api);
    const own = await store(person, { count: most, until: api.clock.now() });
    expect((await begin(person, { collectionId: own })).status).toBe(201);
  });

  test('are found in one index, however the statement is planned', async () => {
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      const plan = await api.db.transaction(async (tx) => {
        await tx.execute(sql.raw(`set local plan_cache_mode to ${mode}`));
        await tx.execute(sql`set local enable_seqscan to off`);
        await tx.execute(sql`
          prepare open_uploads (uuid, uuid, uuid, timestamptz, timestamptz, integer) as
          select open_uploads.count from claim_upload($1, $2, $3, $4, $5, $6) as open_uploads(count)`);
        const id = sql.raw(`'${user.id}'`);
        const rows = await tx.execute<{ 'QUERY PLAN': string }>(
          sql`explain (costs off) execute open_uploads(${id}, ${id}, ${id}, now(), now(), 100)`,
        );
        await tx.execute(sql`deallocate open_uploads`);
        return rows;
      });
      const lines = plan.map((row) => row['QUERY PLAN'].trim()).join('\n');
      expect(lines).toMatch(/^Aggregate\n->\s+(Index|Bitmap)/);
      expect(lines).toContain('uploads_active_by_user');
      expect(lines).not.toContain('Function Scan');
    }
  });
});
