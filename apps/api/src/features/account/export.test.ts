import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { accountExports, accountActivities, sessions } from '../../db/generated/schema.ts';
import { enqueueJob } from '../../domain/job-queue.ts';
import { newId } from '../../kernel/ids.ts';
import { logIn, mailsTo, newUser, type TestUser } from '../../testing/accounts.ts';
import { call, type TestApi } from '../../testing/api.ts';
import { downloadExport, exportOf, storedExports } from '../../testing/exports.ts';
import { untilIdle } from '../../testing/library.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { makeKey } from '../../testing/api-keys.ts';

const api: TestApi = await setUpApi();
let user: TestUser;
beforeEach(async () => {
  user = await newUser(api, 'exporter');
});

const day = 24 * 60 * 60;
const request = ({ token }: Pick<TestUser, 'token'>, headers: Record<string, string> = {}) =>
  call(api, 'account.requestExport', { token, headers });
const get = ({ token }: Pick<TestUser, 'token'>, id: string) =>
  call(api, 'account.getExport', { token, params: { id } });
const latest = ({ token }: Pick<TestUser, 'token'>) => call(api, 'account.latestExport', { token });
const outcomes = (responses: readonly { status: number; body: { code?: string } }[]) =>
  responses.map(({ status, body }) => [status, body.code ?? null]);
const unconfirm = ({ id }: TestUser) =>
  api.db.update(sessions).set({ confirmedAt: null }).where(eq(sessions.userId, id));
async function cleanUp(): Promise<void> {
  await enqueueJob(api.db, 'clean_up', {});
  await untilIdle(api);
}

describe('a request', () => {
  test('prepares one file, is recorded and mailed, and is found after a reload', async () => {
    expect((await latest(user)).body.data).toEqual({ export: null });
    const { status, body } = await request(user);
    expect([status, body]).toEqual([
      201,
      {
        message: 'Your export is being prepared',
        data: {
          id: expect.any(String),
          status: 'PENDING',
          createdAt: expect.any(String),
          expiresAt: null,
          sizeBytes: null,
          url: null,
        },
      },
    ]);
    await untilIdle(api);
    const found = (await latest(user)).body.data.export;
    const { id } = body.data;
    expect(found).toMatchObject({ id, status: 'READY', sizeBytes: expect.any(Number) });
    expect((await downloadExport(api, user, id)).length).toBe(found.sizeBytes);
    const recorded = await api.db
      .select({ resourceId: accountActivities.resourceId })
      .from(accountActivities)
      .where(eq(accountActivities.action, 'user.export'));
    expect(recorded).toContainEqual({ resourceId: user.id });
    const mail = (await mailsTo(user.email)).find(
      ({ subject }) => subject === 'Your export is ready',
    );
    expect(mail?.text).toContain(`${api.config.APP_URL}/settings/security`);
    expect(mail?.text).toContain('at the address');
    // A reader of the mailbox gets nothing by it.
    expect(mail?.text).not.toContain(found.id);
    expect(mail?.text).not.toContain('X-Amz');
  });

  test('repeated under its key gets the same export', async () => {
    const headers = { 'idempotency-key': newId() };
    const [first, again] = [await request(user, headers), await request(user, headers)];
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(await api.db.$count(accountExports, eq(accountExports.userId, user.id))).toBe(1);
  });

  test('is one at a time: of twenty at once, one succeeds', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => request(user)));
    expect(outcomes(responses).toSorted()).toEqual([
      [201, null],
      ...Array.from({ length: 19 }, () => [409, 'export_pending']),
    ]);
    expect(await api.db.$count(accountExports, eq(accountExports.userId, user.id))).toBe(1);
  });

  test('is refused for the fourth one in a week, until the first is a week old', async () => {
    await exportOf(api, user);
    api.clock.advance({ seconds: 600 });
    for (let times = 0; times < 2; times += 1) await exportOf(api, await logIn(api, user));
    const again = await logIn(api, user);
    const refused = await Promise.all(Array.from({ length: 20 }, () => request(again)));
    expect(new Set(outcomes(refused).map(String))).toEqual(new Set(['429,rate_limited']));
    const waitSeconds = Number(refused[0]?.headers.get('retry-after'));
    expect(waitSeconds).toBeGreaterThan(7 * day - 700);
    expect(waitSeconds).toBeLessThanOrEqual(7 * day - 600);
    // Whether or not the first one has been removed by then.
    api.clock.advance({ seconds: waitSeconds });
    const later = await logIn(api, user);
    expect((await request(later)).status).toBe(201);
    await untilIdle(api);
    expect((await request(later)).status).toBe(429);
  });

  test('takes a confirmed session, and never a key', async () => {
    const key = await makeKey(api, user, {
      preset: 'everything',
      organizationIds: [user.organizationId],
    });
    await unconfirm(user);
    expect(outcomes([await request(user)])).toEqual([[403, 'confirmation_required']]);
    const id = newId();
    const withKey = { token: key.key };
    const refused = [await request(withKey), await latest(withKey), await get(withKey, id)];
    expect(outcomes(refused)).toEqual(Array.from({ length: 3 }, () => [403, 'key_refused']));
  });
});

describe('the file', () => {
  test('is shown in a confirmed session only, and to nobody else', async () => {
    const id = await exportOf(api, user);
    const stranger = await newUser(api, 'stranger');
    const foreign = [await get(stranger, id), await get(stranger, newId())];
    expect(outcomes(foreign)).toEqual([
      [404, 'not_found'],
      [404, 'not_found'],
    ]);
    expect((await latest(stranger)).body.data).toEqual({ export: null });

    const { url } = (await get(user, id)).body.data;
    expect(new URL(url).searchParams.get('X-Amz-Expires')).toBe('300');
    const response = await fetch(url);
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename=atelier-export-\d{4}-\d\d-\d\d\.zip$/,
    );
    expect(response.headers.get('content-type')).toBe('application/zip');

    await unconfirm(user);
    for (const { body } of [await get(user, id), await latest(user)]) {
      const shown = body.data.export ?? body.data;
      expect(shown).toMatchObject({ id, status: 'READY', url: null });
    }
  });

  test('is deleted after 7 days, and then forgotten', async () => {
    const id = await exportOf(api, user);
    const [row] = await api.db.select().from(accountExports).where(eq(accountExports.id, id));
    const key = String(row?.key);
    const readyAgo = (api.clock.now().getTime() - Number(row?.readyAt?.getTime())) / 1000;
    api.clock.advance({ seconds: 7 * day - readyAgo - 60 });
    await cleanUp();
    let session = await logIn(api, user);
    const last = (await get(session, id)).body.data;
    expect([last.status, (await fetch(last.url)).status]).toEqual(['READY', 200]);
    // The link ends with the file.
    expect(Number(new URL(last.url).searchParams.get('X-Amz-Expires'))).toBeLessThanOrEqual(61);
    api.clock.advance({ seconds: 61 });
    session = await logIn(api, user);
    expect((await get(session, id)).body.data).toMatchObject({ status: 'EXPIRED', url: null });
    await cleanUp();
    expect(outcomes([await get(session, id)])).toEqual([[404, 'not_found']]);
    expect(await storedExports(api)).not.toContain(key);
    expect((await fetch(last.url)).status).toBe(404);
  });
});

test('an export that is never finished is given up after a day, and another can be requested', async () => {
  const id = newId();
  await api.db.insert(accountExports).values({ id, userId: user.id, createdAt: api.clock.now() });
  expect(outcomes([await request(user)])).toEqual([[409, 'export_pending']]);
  api.clock.advance({ seconds: day });
  const later = await logIn(api, user);
  expect((await get(later, id)).body.data).toMatchObject({ status: 'FAILED', expiresAt: null });
  const origin = { device: 'Firefox', ipAddress: '203.0.113.7' };
  await enqueueJob(api.db, 'export_account', { exportId: id, origin });
  await untilIdle(api);
  expect((await get(later, id)).body.data.status).toBe('FAILED');
  await exportOf(api, later);
});
