// @module-tag slow

import { Comment } from '@atelier/contract';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { activities, comments } from '../../db/generated/schema.ts';
import { eTagOf } from '../../kernel/etag.ts';
import { newId } from '../../kernel/ids.ts';
import { activitiesOf } from '../../testing/activities.ts';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { call, type CallOptions } from '../../testing/api.ts';
import { insertTask, newProject } from '../../testing/board.ts';
import { joinTeam, newTeamOf } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';

/** A caller in the organization of the task. */
interface Member {
  readonly token: string;
  readonly organizationId: string;
}
let taskId: string;

const people = {} as Record<'ADMIN' | 'MEMBER' | 'VIEWER', TestUser>;

const api = await setUpApi();
const owner = await newUser(api, 'owner');
const team: Member = await newTeamOf(api, owner);
for (const role of ['ADMIN', 'MEMBER', 'VIEWER'] as const) {
  people[role] = await newUser(api, role.toLowerCase());
  await joinTeam(api, team.organizationId, people[role], role);
}
const projectId = await newProject(api, team);
beforeEach(async () => {
  taskId = await newTask();
});

const newTask = () =>
  insertTask(api, {
    organizationId: team.organizationId,
    projectId,
    createdBy: owner,
    title: 'Imprint',
  });
const as = (user: Pick<TestUser, 'token'>): Member => ({ ...team, token: user.token });
const list = (query: NonNullable<CallOptions['query']> = {}, options: CallOptions = team) =>
  call(api, 'comments.list', { params: { taskId }, query, ...options });
const post = (body: unknown, options: CallOptions = team) =>
  call(api, 'comments.create', { params: { taskId }, body: { body }, ...options });
const edit = (commentId: string, body: unknown, options: CallOptions = team) =>
  call(api, 'comments.update', { params: { taskId, commentId }, body: { body }, ...options });
const remove = (commentId: string, options: CallOptions = team) =>
  call(api, 'comments.remove', { params: { taskId, commentId }, ...options });

async function posted(body = 'The address is missing.', author: Member = team): Promise<string> {
  const response = await post(body, author);
  expect(response.status).toBe(201);
  return response.body.data.id;
}

async function stored(id: string) {
  const [row] = await api.db.select().from(comments).where(eq(comments.id, id));
  return row;
}

const bodiesOf = (items: { body: string }[]) => items.map(({ body }) => body);

describe('posting a comment', () => {
  test('responds 201 with the comment and its author, and records one activity', async () => {
    const { status, body } = await post('  <b>kept</b> as it is \n');
    expect(status).toBe(201);
    expect(body).toEqual({
      message: 'Comment posted',
      data: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        taskId,
        author: {
          id: owner.id,
          displayName: owner.email.split('@')[0],
          email: owner.email,
          avatarUrl: null,
        },
        body: '  <b>kept</b> as it is \n',
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        editedAt: null,
      },
    });
    expect((await list()).body.data.items).toEqual([body.data]);
    expect(await stored(body.data.id)).toMatchObject({
      organizationId: team.organizationId,
      taskId,
      authorId: owner.id,
      body: '  <b>kept</b> as it is \n',
      createdAt: new Date(body.data.createdAt),
    });
    const rows = await activitiesOf(api, body.data.id);
    expect(rows).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        action: 'comment.create',
        actorId: owner.id,
        organizationId: team.organizationId,
        resourceType: 'comment',
        resourceId: body.data.id,
        resourceName: 'Imprint',
        changes: [],
        metadata: { taskId },
        requestId: expect.stringMatching(/./),
        createdAt: new Date(body.data.createdAt),
        transactionId: expect.stringMatching(/^\d+$/),
      },
    ]);
  });

  test('by a member has their current name and picture', async () => {
    await call(api, 'profile.update', {
      token: people.MEMBER.token,
      body: { firstName: 'Ada', lastName: 'Lovelace' },
    });
    const { body } = await post('x', as(people.MEMBER));
    expect(body.data.author).toMatchObject({ id: people.MEMBER.id, displayName: 'Ada Lovelace' });
  });

  test.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['blanks', ' \n\t '],
    ['10,001 characters', 'x'.repeat(10_001)],
    ['NUL', 'a\0b'],
    ['a lone surrogate', 'a\ud800'],
    ['an object', { html: 'x' }],
  ])('of %s is refused and stores nothing', async (_, body) => {
    const response = await post(body);
    expect([response.status, response.body.code]).toEqual([400, 'validation_failed']);
    expect((await list()).body.data.items).toEqual([]);
  });

  test('accepts 10,000 emoji', async () => {
    const body = '🦊'.repeat(10_000);
    const id = await posted(body);
    expect((await stored(id))?.body).toBe(body);
  });

  test('on an unknown task is a 404 without an activity', async () => {
    const params = { taskId: newId() };
    const before = await api.db.$count(activities);
    for (const body of ['plain', `mentions @${people.ADMIN.email}`]) {
      for (const headers of [{}, { 'idempotency-key': newId() }]) {
        const response = await post(body, { ...team, params, headers });
        expect([response.status, response.body.code]).toEqual([404, 'not_found']);
      }
    }
    expect(await api.db.$count(activities)).toBe(before);
    expect((await post('x', { ...team, params: { taskId: 'nonsense' } })).status).toBe(400);
  });

  test('with an Idempotency-Key happens once, also with a mention', async () => {
    for (const body of ['once', `once @${people.ADMIN.email}`]) {
      const options = { ...team, headers: { 'idempotency-key': newId() } };
      const first = await post(body, options);
      const again = await post(body, options);
      expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(await activitiesOf(api, first.body.data.id)).toHaveLength(1);
    }
    expect((await list()).body.data.pagination.total).toBe(2);
  });
});

describe('listing comments', () => {
  test('goes oldest first, or newest first, each with its author', async () => {
    await posted('one');
    await posted('two', as(people.MEMBER));
    await posted('three');
    const { status, body } = await list({}, as(people.VIEWER));
    expect([status, body.message]).toEqual([200, 'Comments retrieved']);
    expect(bodiesOf(body.data.items)).toEqual(['one', 'two', 'three']);
    expect(body.data.items[1].author.id).toBe(people.MEMBER.id);
    expect(bodiesOf((await list({ sort: '-createdAt' })).body.data.items)).toEqual([
      'three',
      'two',
      'one',
    ]);
  });

  test.each(['createdAt', '-createdAt'])(
    'sorted by %s, a cursor lists every comment once, also with equal timestamps and new ones',
    async (sort) => {
      const ids = await Promise.all(Array.from({ length: 5 }, (_, n) => posted(`${n}`)));
      // All with one timestamp: the id decides.
      await api.db
        .update(comments)
        .set({ createdAt: new Date('2026-01-01T00:00:00Z') })
        .where(eq(comments.taskId, taskId));
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const { status, body } = await list({ sort, limit: 2, ...(cursor && { cursor }) });
        expect([status, body.data.pagination.total >= 5]).toEqual([200, true]);
        seen.push(...body.data.items.map(({ id }: { id: string }) => id));
        cursor = body.data.pagination.nextCursor;
        if (seen.length === 2) await posted('in between');
      } while (cursor !== undefined);
      const rising = ids.toSorted();
      const expected = sort === 'createdAt' ? rising : rising.toReversed();
      expect(seen.filter((id) => ids.includes(id))).toEqual(expected);
      expect(new Set(seen).size).toBe(seen.length);
    },
  );

  test('refuses the cursor of another task, of another order, and a forged one', async () => {
    await posted('one');
    await posted('two');
    const { nextCursor } = (await list({ limit: 1 })).body.data.pagination;
    const other = await newTask();
    const responses = [
      await list({ cursor: nextCursor, sort: '-createdAt' }),
      await list({ cursor: nextCursor }, { ...team, params: { taskId: other } }),
      await list({ cursor: `${nextCursor}x` }),
      await list({ cursor: nextCursor, page: 2 }),
    ];
    for (const { status } of responses) expect(status).toBe(400);
  });

  test('is empty for a task without comments, and a 404 for an unknown one', async () => {
    expect((await list()).body.data).toEqual({
      items: [],
      pagination: { page: 1, limit: 20, total: 0, totalPages: 0, hasNext: false },
    });
    const { status, body } = await list({}, { ...team, params: { taskId: newId() } });
    expect([status, body.code]).toEqual([404, 'not_found']);
  });
});

describe('editing a comment', () => {
  test('changes the text and its timestamp, and records both texts', async () => {
    const id = await posted('before');
    const { status, body } = await edit(id, 'after');
    expect([status, body.message]).toEqual([200, 'Comment updated']);
    expect(body.data).toMatchObject({ id, body: 'after', editedAt: expect.stringMatching(/Z$/) });
    expect((await list()).body.data.items).toEqual([body.data]);
    expect((await activitiesOf(api, id)).slice(1)).toMatchObject([
      {
        action: 'comment.update',
        actorId: owner.id,
        resourceName: 'Imprint',
        changes: [{ field: 'body', from: 'before', to: 'after' }],
        metadata: { taskId },
      },
    ]);
  });

  test('is a no-op when unchanged, without an activity', async () => {
    const id = await posted('same');
    const before = await stored(id);
    const { status, body } = await edit(id, 'same');
    expect([status, body.data.editedAt]).toEqual([200, null]);
    expect(await stored(id)).toEqual(before);
    expect(await activitiesOf(api, id)).toHaveLength(1);
  });

  test('is allowed to its author only, not even to the owner', async () => {
    const id = await posted('mine', as(people.MEMBER));
    for (const other of [owner, people.ADMIN, people.VIEWER]) {
      const { status, body } = await edit(id, 'yours', as(other));
      expect([status, body.code]).toEqual([403, 'permission_denied']);
    }
    expect((await edit(id, 'still mine', as(people.MEMBER))).status).toBe(200);
    expect((await stored(id))?.body).toBe('still mine');
  });

  test('20 times in parallel loses nothing: each activity continues from another', async () => {
    const id = await posted('start');
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => edit(id, `text ${n}`)),
    );
    for (const { status } of responses) expect(status).toBe(200);
    const steps = (await activitiesOf(api, id)).slice(1).map(({ changes }) => changes[0]);
    expect(new Set(steps.map((step) => step?.from)).size).toBe(20);
    expect(steps.map((step) => step?.to)).toContain((await stored(id))?.body);
  });

  test('with If-Match changes only what the caller has seen', async () => {
    const { body, headers } = await post('seen');
    const { id } = body.data;
    const eTag = String(headers.get('etag'));
    expect(eTag).toBe(eTagOf(Comment, body.data));
    const matching = { ...team, headers: { 'if-match': eTag } };
    const responses = await Promise.all(['one', 'two'].map((text) => edit(id, text, matching)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    const stale = await remove(id, matching);
    expect([stale.status, stale.body.code]).toEqual([412, 'precondition_failed']);
    const winner = responses.find(({ status }) => status === 200);
    const fresh = { 'if-match': String(winner?.headers.get('etag')) };
    expect((await remove(id, { ...team, headers: fresh })).status).toBe(200);
  });

  test('to blank text is refused', async () => {
    const id = await posted();
    expect((await edit(id, ' ')).status).toBe(400);
    expect((await stored(id))?.editedAt).toBeNull();
  });
});

describe('deleting a comment', () => {
  test('removes it and records this without its text', async () => {
    const id = await posted('a secret');
    const { status, body } = await remove(id);
    expect([status, body]).toEqual([200, { message: 'Comment deleted', data: { id } }]);
    expect(await stored(id)).toBeUndefined();
    const rows = await activitiesOf(api, id);
    expect(rows[1]).toMatchObject({
      action: 'comment.delete',
      resourceName: 'Imprint',
      changes: [],
    });
    expect(JSON.stringify(rows)).not.toContain('a secret');
    for (const response of [await remove(id), await edit(id, 'x')])
      expect(response.status).toBe(404);
  });

  test('is allowed to its author, an admin and an owner', async () => {
    const ids = await Promise.all([1, 2, 3].map((n) => posted(`${n}`, as(people.MEMBER))));
    const adminsOwn = await posted('x', as(people.ADMIN));
    for (const [id, other] of [
      [adminsOwn, people.MEMBER],
      [adminsOwn, people.VIEWER],
    ] as const) {
      const { status, body } = await remove(id, as(other));
      expect([status, body.code]).toEqual([403, 'permission_denied']);
    }
    expect(await stored(adminsOwn)).toBeDefined();
    for (const [n, user] of [people.MEMBER, people.ADMIN, owner].entries()) {
      expect((await remove(ids[n] ?? '', as(user))).status).toBe(200);
    }
  });

  test('20 times in parallel happens once', async () => {
    const id = await posted();
    const responses = await Promise.all(Array.from({ length: 20 }, () => remove(id)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 404)).toHaveLength(19);
    expect(await activitiesOf(api, id)).toHaveLength(2);
  });
});

describe('a comment under another path', () => {
  test('of another task is a 404', async () => {
    const id = await posted();
    const other = await newTask();
    for (const elsewhere of [other, newId()]) {
      const options = { ...team, params: { taskId: elsewhere, commentId: id } };
      for (const response of [
        await call(api, 'comments.update', { ...options, body: { body: 'x' } }),
        await call(api, 'comments.remove', options),
      ]) {
        expect([response.status, response.body.code]).toEqual([404, 'not_found']);
      }
    }
    expect(await stored(id)).toMatchObject({ taskId, editedAt: null });
  });

  test('of another organization is a 404 for every operation', async () => {
    const id = await posted();
    const stranger = { token: (await newUser(api)).token };
    const personal = { token: owner.token };
    for (const outsider of [stranger, personal]) {
      for (const response of [
        await list({}, outsider),
        await post('x', outsider),
        await edit(id, 'x', outsider),
        await remove(id, outsider),
      ]) {
        expect([response.status, response.body.code]).toEqual([404, 'not_found']);
      }
    }
    const denied = await post('x', as(stranger));
    expect([denied.status, denied.body.code]).toEqual([403, 'organization_access_denied']);
    expect((await list()).body.data.items.map((item: { id: string }) => item.id)).toEqual([id]);
  });

  test('viewers only read', async () => {
    await posted();
    const { status, body } = await post('x', as(people.VIEWER));
    expect([status, body.code]).toEqual([403, 'permission_denied']);
    expect((await list({}, as(people.VIEWER))).body.data.items).toHaveLength(1);
  });
});
