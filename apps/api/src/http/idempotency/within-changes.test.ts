import { eq, sql } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';
import { activities, comments, idempotencyKeys, tasks } from '../../db/generated/schema.ts';
import { newId } from '../../kernel/ids.ts';
import { activitiesOf } from '../../testing/activities.ts';
import { logIn, newUser } from '../../testing/accounts.ts';
import { makeKey } from '../../testing/api-keys.ts';
import {
  call,
  startTestApi,
  type CallOptions,
  type Reachable,
  type TestResponse,
} from '../../testing/api.ts';
import { expectOneOf20, expectReplay } from '../../testing/idempotency.ts';
import { someFile, untilIdle, uploadFile } from '../../testing/library.ts';
import { joinTeam, newTeam } from '../../testing/organizations.ts';
import { sentStatements } from '../../testing/recorded-statements.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { newProject, newTask } from '../../testing/work.ts';

vi.mock('postgres', async (original) => {
  const { recordingDriver } = await import('../../testing/recorded-statements.ts');
  return recordingDriver(original);
});

const api = await setUpApi();
let user = await newUser(api);
const { id: organizationId } = await newTeam(api, user);
const projectId = await newProject(api, user, { organizationId });
const { id: taskId } = await newTask(api, user, { projectId, organizationId });
const unknownId = '00000000-0000-7000-8000-000000000000';

const under = (key: string) => ({ 'idempotency-key': key });
interface On {
  readonly on?: Reachable;
}
const post = (
  body: string,
  key: string,
  { on = api, ...options }: Partial<CallOptions> & On = {},
) =>
  call(on, 'comments.create', {
    token: user.token,
    organizationId,
    params: { taskId },
    body: { body },
    ...options,
    headers: under(key),
  });
const createTask = (key: string, { on = api, ...options }: Partial<CallOptions> & On = {}) =>
  call(on, 'tasks.create', {
    token: user.token,
    organizationId,
    params: { projectId },
    body: { title: 'Keyed' },
    ...options,
    headers: under(key),
  });
const keyToRepeat = newId();
const count = (body: string) => api.db.$count(comments, eq(comments.body, body));
const keyRow = async (key: string) => {
  const [row] = await api.db.select().from(idempotencyKeys).where(eq(idempotencyKeys.key, key));
  return row;
};

/** Runs work while the task can't be commented, nor changed. */
async function whileTaskIsLocked<Result>(work: () => Promise<Result>): Promise<Result> {
  return api.db.transaction(async (tx) => {
    await tx.select().from(tasks).where(eq(tasks.id, taskId)).for('update');
    return work();
  });
}

/** Until the change of a request waits for a lock. */
async function untilOneWaits(): Promise<void> {
  const waiting = async () => {
    const [row] = await api.db.execute<{ count: number }>(
      sql`select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%post_comment%'`,
    );
    return row?.count;
  };
  await expect.poll(waiting).toBe(1);
}

describe('a change whose transaction claims the key', () => {
  test('is one commit with its claim and its response', async () => {
    await untilIdle(api);
    sentStatements.length = 0;
    expect((await post('Once', newId())).status).toBe(201);
    const texts = sentStatements.map(({ text }) => text);
    const writes = texts.filter((text) =>
      /claim_idempotency_key|post_comment|"idempotency_keys"/.test(text),
    );
    expect(writes).toHaveLength(3);
    expect(writes[0]).toContain('claim_idempotency_key');
    expect(writes[1]).toContain('post_comment');
    expect(writes[2]).toMatch(/^insert into "idempotency_keys"/);
    // The effect proves the authority.
    expect(texts.filter((text) => /prove_/.test(text))).toEqual([]);
  });

  test('is replayed byte for byte, and has one effect', async () => {
    const key = newId();
    const first = await post('Replayed', key);
    expect(first.status).toBe(201);
    expectReplay(await post('Replayed', key), first);
    expect(await count('Replayed')).toBe(1);
    expect(await activitiesOf(api, first.body.data.id)).toHaveLength(1);
  });

  test('is the same for tasks and comments on assets', async () => {
    const collection = await call(api, 'collections.create', {
      token: user.token,
      organizationId,
      body: { title: 'Pictures' },
    });
    const collectionId: string = collection.body.data.id;
    const asset = await uploadFile(api, user, someFile(10), { collectionId, organizationId });
    const requests: [string, CallOptions][] = [
      ['tasks.create', { params: { projectId }, body: { title: 'Keyed' } }],
      ['comments.create', { params: { taskId }, body: { body: `Dear @${user.email}` } }],
      ['assetComments.create', { params: { id: asset.id }, body: { body: 'Brighter, please' } }],
    ];
    for (const [operation, options] of requests) {
      const key = newId();
      const request = () =>
        call(api, operation as 'tasks.create', {
          token: user.token,
          organizationId,
          ...options,
          headers: under(key),
        });
      sentStatements.length = 0;
      const first = await request();
      expect([operation, first.status]).toEqual([operation, 201]);
      const claims = sentStatements.filter(({ text }) => text.includes('claim_idempotency_key'));
      expect(claims).toHaveLength(1);
      expectReplay(await request(), first);
      expect(await activitiesOf(api, first.body.data.id)).toHaveLength(1);
    }
  });

  test('is executed again after 24 hours, and not a second before', async () => {
    api.clock.stand();
    const key = newId();
    const first = await post('Daily', key);
    api.clock.advance({ seconds: 24 * 60 * 60 - 5 });
    user = await logIn(api, user);
    expectReplay(await post('Daily', key), first);
    api.clock.advance({ seconds: 5 });
    const next = await post('Daily', key);
    expect([next.status, next.headers.get('idempotency-replayed')]).toEqual([201, null]);
    expect(await count('Daily')).toBe(2);
    expectReplay(await post('Daily', key), next);
  });

  test('of an API key is no change of its account', async () => {
    const { key: token } = await makeKey(api, user, {
      scopes: ['comment:create'],
      organizationIds: [organizationId],
    });
    const key = newId();
    const [first, other] = [await post('By key', key, { token }), await post('By key', key)];
    expect([first.status, other.status]).toEqual([201, 201]);
    expectReplay(await post('By key', key, { token }), first);
    expect(await count('By key')).toBe(2);
  });
});

describe('the same key', () => {
  test('20 times in parallel has one effect; each response is that one, or 409 for now', async () => {
    const key = newId();
    const first = await expectOneOf20(() => post('Twenty', key));
    expect(await count('Twenty')).toBe(1);
    expectReplay(await post('Twenty', key), first);
  });

  test('is a 409 at once while the first request works, and no row tells of it', async () => {
    const key = newId();
    let first: Promise<TestResponse> | undefined;
    await whileTaskIsLocked(async () => {
      first = post('Under way', key);
      await untilOneWaits();
      for (const body of ['Under way', 'Another']) {
        const second = await post(body, key);
        expect([second.status, second.body.code]).toEqual([409, 'idempotency_in_flight']);
      }
      expect(await keyRow(key)).toBeUndefined();
    });
    const response = await first;
    expect(response?.status).toBe(201);
    expectReplay(await post('Under way', key), response as TestResponse);
    expect(await count('Under way')).toBe(1);
    expect(await count('Another')).toBe(0);
  });

  test('with another payload or task is a 422 and changes nothing', async () => {
    const key = newId();
    const first = await post('Mine', key);
    const others = [
      await post('Mine!', key),
      await post('Mine', key, { params: { taskId: unknownId } }),
    ];
    for (const { status, body } of others) {
      expect([status, body.code]).toEqual([422, 'idempotency_key_reused']);
    }
    expect(await count('Mine!')).toBe(0);
    expectReplay(await post('Mine', key), first);
  });

  test('of another operation is another key', async () => {
    const key = newId();
    const responses = [await post('Shared', key), await createTask(key)];
    expect(responses.map(({ status }) => status)).toEqual([201, 201]);
  });
});

describe('a refusal', () => {
  test('by the use case is replayed, even if it would no longer be returned', async () => {
    const key = newId();
    const id = newId();
    const create = () => post('Too early', key, { params: { taskId: id } });
    const first = await create();
    expect([first.status, first.body.code]).toEqual([404, 'not_found']);
    const task = await newTask(api, user, { projectId, organizationId });
    await api.db.update(tasks).set({ id }).where(eq(tasks.id, task.id));
    expectReplay(await create(), first);
    expect(await count('Too early')).toBe(0);
  });

  test('leaves the key free for the corrected request, and for a role that suffices by now', async () => {
    const key = newId();
    expect((await post('', key)).body.code).toBe('validation_failed');
    expect((await post('Corrected', key)).status).toBe(201);

    const member = await newUser(api);
    const { memberId } = await joinTeam(api, organizationId, member, 'VIEWER');
    const attempt = () => post('Later', key, { token: member.token });
    const become = (role: string) =>
      api.db.execute(sql`update memberships set role = ${role} where id = ${memberId}`);
    expect((await attempt()).body.code).toBe('permission_denied');
    await become('MEMBER');
    const first = await attempt();
    expect(first.status).toBe(201);
    await become('VIEWER');
    expect((await attempt()).body.code).toBe('permission_denied');
    await become('MEMBER');
    expectReplay(await attempt(), first);
    expect(await count('Later')).toBe(1);
  });

  test('for a known caller whose session has ended keeps no key', async () => {
    const member = await newUser(api);
    await joinTeam(api, organizationId, member, 'MEMBER');
    const key = newId();
    expect((await post('Known', newId(), { token: member.token })).status).toBe(201);
    await api.db.execute(sql`update sessions set ended_at = now() where user_id = ${member.id}`);
    expect((await post('Gone', key, { token: member.token })).body.code).toBe('unauthenticated');
    expect(await count('Gone')).toBe(0);
    expect(await keyRow(key)).toBeUndefined();
  });
});

describe('a response that is stored for a key', () => {
  const isLookUp = (text: string) => /from "(sessions|api_keys)"/.test(text);

  test('is found by a known caller without a look-up', async () => {
    const key = newId();
    const first = await post('Known twice', key);
    await untilIdle(api);
    sentStatements.length = 0;
    expectReplay(await post('Known twice', key), first);
    const texts = sentStatements.map(({ text }) => text);
    expect(texts.filter(isLookUp)).toEqual([]);
    expect(texts.filter((text) => text.includes('prove_known_member'))).toHaveLength(1);
  });

  test.each<[string, (options: object) => Promise<TestResponse>]>([
    ['a comment', (options) => post('Told once', keyToRepeat, options)],
    ['a task', (options) => createTask(keyToRepeat, options)],
  ])(
    'is refused to a caller whose session ends while the repetition waits for its turn: %s',
    async (_, request) => {
      const member = await newUser(api);
      await joinTeam(api, organizationId, member, 'MEMBER');
      const options = { token: member.token };
      expect((await request(options)).status).toBe(201);
      const narrow = await startTestApi(
        { DATABASE_POOL_SHARE: '1', JOBS: 'separate' },
        { clock: api.clock, databaseUrl: api.config.DATABASE_URL },
      );
      try {
        const { changing, repeated } = await whileTaskIsLocked(async () => {
          const changing = post('Changing', newId(), { on: narrow });
          await untilOneWaits();
          sentStatements.length = 0;
          const repeated = request({ ...options, on: narrow });
          await expect.poll(() => sentStatements.some(({ text }) => isLookUp(text))).toBe(true);
          await api.db.execute(
            sql`update sessions set ended_at = now() where user_id = ${member.id}`,
          );
          return { changing, repeated };
        });
        expect((await changing).status).toBe(201);
        const { status, body, headers } = await repeated;
        expect([status, body.code]).toEqual([401, 'unauthenticated']);
        expect(headers.get('idempotency-replayed')).toBeNull();
      } finally {
        await narrow.close();
      }
    },
  );
});

describe('a key that a process of the release before has claimed', () => {
  const claimedBefore = (key: string, leasedUntil: Date) =>
    api.db.insert(idempotencyKeys).values({
      scope: user.id,
      operation: 'comments.create',
      key,
      payloadHash: Buffer.alloc(32),
      holder: newId(),
      leasedUntil,
      expiresAt: new Date(leasedUntil.getTime() + 60_000),
    });

  test('for another payload is a 422 while its lease lasts, and taken over afterwards', async () => {
    const key = newId();
    await claimedBefore(key, new Date(api.clock.now().getTime() + 20_000));
    expect((await post('Rolling', key)).status).toBe(422);
    expect(await count('Rolling')).toBe(0);
    api.clock.advance({ seconds: 21 });
    const first = await post('Rolling', key);
    expect(first.status).toBe(201);
    expectReplay(await post('Rolling', key), first);
    expect(await count('Rolling')).toBe(1);
  });

  test('while this one works is respected: nothing changes', async () => {
    const key = newId();
    const before = await api.db.$count(activities, eq(activities.organizationId, organizationId));
    let first: Promise<TestResponse> | undefined;
    await whileTaskIsLocked(async () => {
      first = post('Raced', key);
      await untilOneWaits();
      await claimedBefore(key, new Date(api.clock.now().getTime() + 20_000));
    });
    const response = await first;
    expect([response?.status, response?.body.code]).toEqual([422, 'idempotency_key_reused']);
    expect(await count('Raced')).toBe(0);
    const after = await api.db.$count(activities, eq(activities.organizationId, organizationId));
    expect(after).toBe(before);
  });
});
