// @module-tag slow

import { and, eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { activities, assets, assetVersions, uploads } from '../../db/generated/schema.ts';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import {
  expectAgreement,
  newCollection,
  readyUpload,
  runJobs,
  someFile,
  uploadFile,
  type StartedUpload,
} from '../../testing/library.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { startTcpProxy, type Fate } from '../../testing/tcp-proxy.ts';

const day = 24 * 60 * 60;

/** The service's requests to the storage. */
const steps = {
  createMultipartUpload: /^POST \S+\?uploads/,
  listParts: /^GET \S+\?uploadId=/,
  completeMultipartUpload: /^POST \S+\?uploadId=/,
  statObject: /^HEAD \S+\/collection\//,
  abortMultipartUpload: /^DELETE \S+\?uploadId=/,
};
type Step = keyof typeof steps;

/** A fault affects a step: its request or its response. */
interface Fault {
  readonly step: Step;
  readonly when: 'request' | 'response';
  readonly strike: () => Fate;
}

let fault: Fault | null = null;
let user: TestUser;
let collectionId: string;
const { s3 } = inject('services');
const fateOf = (when: Fault['when']) => (request: string) =>
  fault?.when === when && steps[fault.step].test(request) ? fault.strike() : 'pass';

const proxy = await startTcpProxy(Number(new URL(s3.endpoint).port), {
  onRequest: fateOf('request'),
  onResponse: fateOf('response'),
});
afterAll(() => proxy.close());

const api = await setUpApi({
  S3_ENDPOINT: `http://127.0.0.1:${proxy.port}`,
  S3_PUBLIC_ENDPOINT: s3.endpoint,
  S3_TIMEOUT_MS: '1500',
});
beforeEach(async () => {
  user = await newUser(api);
  collectionId = await newCollection(api, user);
});
afterEach(heal);

function heal(): void {
  fault = null;
  proxy.restore();
}

const initiate = () =>
  call(api, 'uploads.initiate', {
    token: user.token,
    body: { fileName: 'a', contentType: 'text/plain', fileSize: 10, collectionId },
  });
const complete = (body: unknown) => call(api, 'uploads.complete', { token: user.token, body });
const abort = ({ uploadId, key }: StartedUpload) =>
  call(api, 'uploads.abort', { token: user.token, body: { uploadId, key } });

async function expectAway(response: Awaited<ReturnType<typeof call>>): Promise<void> {
  expect([response.status, response.body.code]).toEqual([503, 'storage_unavailable']);
  expect(response.text).not.toMatch(/127\.0\.0\.1|ECONN|<|collection\//);
}

async function expectOneAsset(): Promise<void> {
  expect(await api.db.$count(assets, eq(assets.collectionId, collectionId))).toBe(1);
  expect(
    await api.db.$count(assetVersions, eq(assetVersions.organizationId, user.organizationId)),
  ).toBe(1);
  await expectAgreement(api);
}

const ways: [string, () => Fate][] = [
  ['the storage stops', () => (proxy.cut(), 'swallow')],
  ['the storage stalls', () => 'swallow'],
  ['the connection breaks, again and again', () => 'reset'],
];

const everyStrike = (step: Step) =>
  (['request', 'response'] as const).flatMap((when) =>
    ways.map(([name, strike]): [string, Fault] => [
      `${name} at ${step}, ${when === 'request' ? 'before' : 'after'} it took effect`,
      { step, when, strike },
    ]),
  );

describe('initiating', () => {
  test.each(everyStrike('createMultipartUpload'))(
    'is a 503 that reserves and records nothing when %s',
    async (_, strike) => {
      fault = strike;
      await expectAway(await initiate());
      const mine = eq(uploads.organizationId, user.organizationId);
      expect(await api.db.$count(uploads, and(mine, eq(uploads.status, 'ACTIVE')))).toBe(0);
      const recorded = and(
        eq(activities.organizationId, user.organizationId),
        eq(activities.resourceType, 'upload'),
      );
      expect(await api.db.$count(activities, recorded)).toBe(0);
      heal();
      expect((await initiate()).status).toBe(201);
    },
  );

  test('leaves no multipart upload when the response was lost', async () => {
    fault = { step: 'createMultipartUpload', when: 'response', strike: () => 'swallow' };
    await expectAway(await initiate());
    heal();
    const key = sql<string>`(select key from uploads where organization_id = ${user.organizationId})`;
    const [row] = await api.db.execute<{ key: string }>(sql`select ${key} as key`);
    const left = async () => {
      const found: string[] = [];
      for await (const page of api.deps.store.listMultipartUploads(String(row?.key))) {
        found.push(...page.map((upload) => upload.key));
      }
      return found;
    };
    expect(await left()).toEqual([row?.key]);
    api.clock.advance({ seconds: day + 60 });
    await runJobs(api, ['reconcile_storage']);
    expect(await left()).toEqual([]);
  });
});

describe('completing', () => {
  test.each([
    ...everyStrike('listParts'),
    ...everyStrike('completeMultipartUpload'),
    ...everyStrike('statObject'),
  ])('is a 503 that loses nothing when %s', async (_, strike) => {
    const { body } = await readyUpload(api, user, { collectionId });
    fault = strike;
    await expectAway(await complete(body));
    expect(await api.db.$count(assets, eq(assets.collectionId, collectionId))).toBe(0);
    heal();
    expect((await complete(body)).status).toBe(200);
    expect((await complete(body)).status).toBe(200);
    await expectOneAsset();
  });

  test.each(Object.keys(steps).slice(1, 4) as Step[])(
    'recovers from a connection that breaks once at %s',
    async (step) => {
      const { body } = await readyUpload(api, user, { collectionId });
      let strikes = 0;
      fault = { step, when: 'response', strike: () => ((strikes += 1) === 1 ? 'reset' : 'pass') };
      expect((await complete(body)).status).toBe(200);
      expect(strikes).toBeGreaterThanOrEqual(1);
      await expectOneAsset();
    },
  );

  const responses: [string, string, string][] = [
    [
      'an error in a 200',
      '200 OK',
      '<?xml version="1.0"?><Error><Code>InternalError</Code><Message>We broke</Message></Error>',
    ],
    ['nothing in a 200', '200 OK', ''],
    ['a web page in a 200', '200 OK', '<!doctype html><p>Hello'],
    ['a 500', '500 Oh', '<?xml version="1.0"?><Error><Code>InternalError</Code></Error>'],
    ['a 503', '503 Slow', '<?xml version="1.0"?><Error><Code>SlowDown</Code></Error>'],
    ['a 403', '403 No', '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>'],
  ];

  test.each(
    responses.flatMap(([name, status, body]) =>
      (['request', 'response'] as const).map(
        (when) =>
          [
            `${name}, ${when === 'request' ? 'and did nothing' : 'although it had completed'}`,
            when,
            `HTTP/1.1 ${status}\r\nContent-Type: application/xml\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
          ] as const,
      ),
    ),
  )('is a 503 that loses nothing when the storage responds with %s', async (_, when, response) => {
    const { body } = await readyUpload(api, user, { collectionId });
    fault = { step: 'completeMultipartUpload', when, strike: () => ({ response }) };
    await expectAway(await complete(body));
    expect(await api.db.$count(assets, eq(assets.collectionId, collectionId))).toBe(0);
    heal();
    expect((await complete(body)).status).toBe(200);
    await expectOneAsset();
  });
});

describe('aborting', () => {
  test.each(everyStrike('abortMultipartUpload'))(
    'is a 503 that can be repeated, and is recorded once, when %s',
    async (_, strike) => {
      const { upload, body } = await readyUpload(api, user, { collectionId });
      fault = strike;
      await expectAway(await abort(upload));
      heal();
      expect((await abort(upload)).status).toBe(200);
      const late = await complete(body);
      expect([late.status, late.body.code]).toEqual([400, 'upload_not_active']);
      const recorded = and(
        eq(activities.resourceId, upload.uploadId),
        eq(activities.action, 'upload.abort'),
      );
      expect(await api.db.$count(activities, recorded)).toBe(1);
      await expectAgreement(api);
    },
  );
});

describe('completing in parallel with a deletion', () => {
  test('of its collection leaves an asset or nothing, with storage and database consistent', async () => {
    for (let round = 0; round < 4; round += 1) {
      const doomed = await newCollection(api, user);
      const { body } = await readyUpload(api, user, { collectionId: doomed });
      const [completed, deleted] = await Promise.all([
        complete(body),
        call(api, 'collections.remove', { token: user.token, params: { id: doomed } }),
      ]);
      expect(deleted.status).toBe(200);
      expect([200, 400]).toContain(completed.status);
      const rows = await api.db.select().from(assets).where(eq(assets.collectionId, doomed));
      // The asset may have gone into the bin before the response.
      expect(rows).toHaveLength(
        await api.db.$count(uploads, eq(uploads.assetId, rows[0]?.id ?? doomed)),
      );
      expect(rows.filter(({ deletedAt }) => deletedAt === null)).toEqual([]);
    }
    await endTheDay();
    await expectAgreement(api);
  });

  test('of its asset adds the version or nothing, with storage and database consistent', async () => {
    for (let round = 0; round < 4; round += 1) {
      const asset = await uploadFile(api, user, someFile(5), { collectionId });
      const { body } = await readyUpload(api, user, { collectionId, assetId: asset.id });
      const [completed] = await Promise.all([
        complete(body),
        api.db.update(assets).set({ deletedAt: new Date() }).where(eq(assets.id, asset.id)),
      ]);
      expect([200, 400]).toContain(completed.status);
      const [row] = await api.db.select().from(assets).where(eq(assets.id, asset.id));
      const versions = await api.db.$count(assetVersions, eq(assetVersions.assetId, asset.id));
      expect(row?.currentVersion).toBe(versions);
    }
    await endTheDay();
    await expectAgreement(api);
  });
});

async function endTheDay(): Promise<void> {
  api.clock.advance({ seconds: day + 60 });
  await runJobs(api, ['clean_up_uploads', 'reconcile_storage']);
}
