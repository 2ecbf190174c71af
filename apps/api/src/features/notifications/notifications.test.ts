// @module-tag slow

import { Notification } from '@atelier/contract';
import { and, eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { activities, memberships, organizations, tasks, users } from '../../db/generated/schema.ts';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { call, type CallOptions } from '../../testing/api.ts';
import { newProject } from '../../testing/board.ts';
import { newId } from '../../kernel/ids.ts';
import { openStream } from '../../testing/event-streams.ts';
import { inboxOf, unreadOf, untilEvents } from '../../testing/inboxes.ts';
import { joinTeam, newTeamOf } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';

const api = await setUpApi();
const owner = await newUser(api, 'owner');

interface Member {
  readonly token: string;
  readonly organizationId: string;
}
let team: Member;
let ada: TestUser;
let bob: TestUser;
let adaMemberId: string;
let projectId: string;

beforeEach(async () => {
  team = await newTeamOf(api, owner);
  [ada, bob] = await Promise.all([newUser(api, 'ada'), newUser(api, 'bob')]);
  const { organizationId } = team;
  adaMemberId = (await joinTeam(api, organizationId, ada, 'MEMBER')).memberId;
  await joinTeam(api, organizationId, bob, 'VIEWER');
  projectId = await newProject(api, team);
});

const as = ({ token }: { token: string }): Member => ({ ...team, token });

async function newTask(body: Record<string, unknown> = {}, by = team): Promise<string> {
  const { status, body: made } = await call(api, 'tasks.create', {
    ...by,
    params: { projectId },
    body: { title: 'Write the imprint', ...body },
  });
  expect(status).toBe(201);
  return made.data.id;
}

async function comment(taskId: string, body: string, by = team): Promise<string> {
  const response = await call(api, 'comments.create', {
    ...by,
    params: { taskId },
    body: { body },
  });
  expect(response.status).toBe(201);
  return response.body.data.id;
}

const succeed = async (id: Parameters<typeof call>[1], options: CallOptions) => {
  const response = await call(api, id, options);
  expect([id, response.status < 300, response.body?.code]).toEqual([id, true, undefined]);
  return response;
};

const summaries = (items: readonly Notification[]) =>
  items.map(({ reason, eventCount }) => `${reason} ${eventCount}`).toSorted();

describe('what concerns a person', () => {
  test('arrives once, with subject, actor and start of the comment, and never for the one who did it', async () => {
    const taskId = await newTask();
    const commentId = await comment(taskId, `@${ada.email} ${'ü'.repeat(200)}`);
    const [entry] = await untilEvents(api, ada, 1);
    expect(Notification.parse(entry)).toMatchObject({
      reason: 'mentioned',
      organization: { id: team.organizationId, name: 'Analytical Engines' },
      actor: { id: owner.id },
      subject: {
        type: 'task',
        id: taskId,
        title: 'Write the imprint',
        link: `/projects/${projectId}?task=${taskId}`,
      },
      eventCount: 1,
      isRead: false,
      isArchived: false,
      isSnoozed: false,
      snoozedUntil: null,
    });
    expect(entry?.excerpt).toMatch(/^@.*…$/u);
    expect(Array.from(entry?.excerpt ?? '')).toHaveLength(140);
    const [activity] = await api.db
      .select()
      .from(activities)
      .where(eq(activities.resourceId, commentId));
    expect(entry?.activityId).toBe(activity?.id);
    expect(activity?.metadata).toEqual({ taskId, mentionedIds: [ada.id] });
    expect(await inboxOf(api, owner)).toEqual([]);
    expect(await inboxOf(api, bob)).toEqual([]);
  });

  test('shows the picture of the one who did it, and none of one without', async () => {
    const avatarKey = `avatar/${ada.id}/${newId()}`;
    await api.db.update(users).set({ avatarKey }).where(eq(users.id, ada.id));
    await comment(await newTask({}, as(ada)), `@${bob.email}`);
    await comment(await newTask({}, as(ada)), `@${bob.email}`, as(ada));
    const [byAda, byOwner] = await untilEvents(api, bob, 2);
    expect(byAda?.actor).toMatchObject({
      id: ada.id,
      avatarUrl: expect.stringContaining(avatarKey),
    });
    expect(byOwner?.actor).toMatchObject({ id: owner.id, avatarUrl: null });
  });

  test('is assignment, comment, change and role: each once to the right people', async () => {
    const taskId = await newTask({ assigneeIds: [ada.id] });
    await succeed('tasks.update', {
      ...team,
      params: { id: taskId },
      body: { status: 'IN_PROGRESS', title: 'Imprint' },
    });
    await succeed('tasks.update', { ...team, params: { id: taskId }, body: { title: 'Again' } });
    await comment(taskId, 'done', as(ada));
    await succeed('tasks.assign', {
      ...team,
      params: { id: taskId },
      body: { assigneeIds: [bob.id] },
    });
    await succeed('organizations.updateMember', {
      ...team,
      params: { id: team.organizationId, memberId: adaMemberId },
      body: { role: 'ADMIN' },
    });
    expect(summaries(await untilEvents(api, ada, 4))).toEqual([
      'assigned 1',
      'changed 1',
      'role_changed 1',
      'unassigned 1',
    ]);
    expect(summaries(await untilEvents(api, owner, 1))).toEqual(['commented 1']);
    expect(summaries(await untilEvents(api, bob, 1))).toEqual(['assigned 1']);
  });

  test('ten comments on one task are one entry with ten events, and a read one starts anew', async () => {
    const taskId = await newTask({ assigneeIds: [ada.id] });
    for (let round = 0; round < 10; round += 1) await comment(taskId, `${round}`);
    const [comments] = await untilEvents(api, ada, 11);
    expect(comments).toMatchObject({ reason: 'commented', eventCount: 10, excerpt: '9' });
    expect(await unreadOf(api, ada)).toBe(2);
    await succeed('notifications.update', {
      token: ada.token,
      params: { id: comments?.id ?? '' },
      body: { isRead: true },
    });
    await comment(taskId, 'once more');
    expect(summaries(await untilEvents(api, ada, 12))).toEqual([
      'assigned 1',
      'commented 1',
      'commented 10',
    ]);
  });

  test('an edit mentions only people that the text before did not', async () => {
    const taskId = await newTask();
    const commentId = await comment(taskId, `@${ada.email}`);
    for (const body of ['x', 'y', 'z'].map((word) => `@${ada.email} @${bob.email} ${word}`)) {
      await succeed('comments.update', { ...team, params: { taskId, commentId }, body: { body } });
    }
    await untilEvents(api, bob, 1);
    expect(summaries(await untilEvents(api, ada, 1))).toEqual(['mentioned 1']);
  });

  test('a removed member is told, with nothing but the name of the team', async () => {
    await newTask({ assigneeIds: [ada.id], title: 'A secret' });
    await untilEvents(api, ada, 1);
    await succeed('organizations.removeMember', {
      ...team,
      params: { id: team.organizationId, memberId: adaMemberId },
    });
    await expect.poll(async () => summaries(await inboxOf(api, ada))).toEqual(['removed 1']);
    const [entry] = await inboxOf(api, ada);
    expect(entry?.subject).toEqual({
      type: 'organization',
      id: team.organizationId,
      title: 'Analytical Engines',
      link: null,
    });
  });

  test('a hostile title is text', async () => {
    const title = `a\u202ehttps://evil.example ${'x'.repeat(200)}`;
    await newTask({ assigneeIds: [ada.id], title });
    const [entry] = await untilEvents(api, ada, 1);
    expect(entry?.subject.title).toBe(title);
  });
});

describe('a notification is shown and counted only while its subject may be read', () => {
  const inTeam = () =>
    and(eq(memberships.organizationId, team.organizationId), eq(memberships.userId, ada.id));
  const secondFactorFrom = (at: Date | null) =>
    api.db
      .update(organizations)
      .set({ secondFactorRequiredFrom: at })
      .where(eq(organizations.id, team.organizationId));

  test.each([
    ['the task is deleted', () => api.db.delete(tasks).where(eq(tasks.projectId, projectId))],
    ['the membership ends', () => api.db.delete(memberships).where(inTeam())],
    [
      'the membership is suspended',
      () => api.db.update(memberships).set({ status: 'SUSPENDED' }).where(inTeam()),
    ],
    ['a second factor is required that they lack', () => secondFactorFrom(new Date(0))],
    [
      'the organization is deleted',
      () =>
        api.db
          .update(organizations)
          .set({ deletedAt: new Date() })
          .where(eq(organizations.id, team.organizationId)),
    ],
  ])('%s: gone from list and count, and a 404', async (_, change) => {
    await newTask({ assigneeIds: [ada.id] });
    const [entry] = await untilEvents(api, ada, 1);
    expect(await unreadOf(api, ada)).toBe(1);
    await change();
    expect(await inboxOf(api, ada)).toEqual([]);
    expect(await unreadOf(api, ada)).toBe(0);
    const { status } = await call(api, 'notifications.update', {
      token: ada.token,
      params: { id: entry?.id ?? '' },
      body: { isRead: true },
    });
    expect(status).toBe(404);
    const all = { token: ada.token, body: { upTo: 1_000 } };
    expect((await succeed('notifications.read', all)).body.data).toEqual({ changedCount: 0 });
  });

  test('with the second factor, it is there', async () => {
    await newTask({ assigneeIds: [ada.id] });
    await untilEvents(api, ada, 1);
    await secondFactorFrom(new Date(0));
    await api.db.update(users).set({ hasSecondFactor: true }).where(eq(users.id, ada.id));
    expect(await inboxOf(api, ada)).toHaveLength(1);
  });

  test('nothing is of another person: neither list, change nor mark', async () => {
    await newTask({ assigneeIds: [ada.id] });
    const [entry] = await untilEvents(api, ada, 1);
    const foreign = { token: bob.token, params: { id: entry?.id ?? '' }, body: { isRead: true } };
    expect((await call(api, 'notifications.update', foreign)).status).toBe(404);
    await succeed('notifications.read', { token: bob.token, body: { upTo: 1_000 } });
    expect(await unreadOf(api, ada)).toBe(1);
    expect((await call(api, 'notifications.list', {})).status).toBe(401);
  });
});

describe('reading', () => {
  const update = (id: string, body: unknown, headers: Record<string, string> = {}) =>
    call(api, 'notifications.update', { token: ada.token, params: { id }, body, headers });

  test('read, archived and snoozed notifications leave the count, and come back', async () => {
    await newTask({ assigneeIds: [ada.id] });
    const [entry] = await untilEvents(api, ada, 1);
    const id = entry?.id ?? '';
    for (const [there, back] of [
      [{ isRead: true }, { isRead: false }],
      [{ isArchived: true }, { isArchived: false }],
      [{ snoozeMinutes: 60 }, { snoozeMinutes: null }],
    ]) {
      expect((await update(id, there)).status).toBe(200);
      expect(await unreadOf(api, ada)).toBe(0);
      expect((await update(id, back)).body.data).toMatchObject({
        isRead: false,
        isArchived: false,
        snoozedUntil: null,
      });
      expect(await unreadOf(api, ada)).toBe(1);
    }
    await update(id, { snoozeMinutes: 1 });
    expect(await inboxOf(api, ada, { isSnoozed: true })).toHaveLength(1);
    expect(await inboxOf(api, ada, { isSnoozed: false })).toEqual([]);
    api.clock.advance({ seconds: 61 });
    expect(await unreadOf(api, ada)).toBe(1);
  });

  test('with If-Match, an event that has joined since stays unread', async () => {
    const taskId = await newTask({ assigneeIds: [ada.id] });
    await comment(taskId, 'seen');
    const [entry] = await untilEvents(api, ada, 2);
    const { headers } = await update(entry?.id ?? '', {});
    await comment(taskId, 'not seen');
    await untilEvents(api, ada, 3);
    const stale = { 'if-match': String(headers.get('etag')) };
    expect((await update(entry?.id ?? '', { isRead: true }, stale)).status).toBe(412);
    expect(await unreadOf(api, ada)).toBe(2);
  });

  test.each(['read', 'archive'] as const)(
    '%s up to what was shown leaves what arrives meanwhile, and count and list agree',
    async (operation) => {
      const taskId = await newTask({ assigneeIds: [ada.id] });
      await comment(taskId, 'first');
      const [newest] = await untilEvents(api, ada, 2);
      const upTo = newest?.sequence ?? 0;
      const writing = Array.from({ length: 12 }, (_, n) =>
        n % 2 === 0 ? comment(taskId, `${n}`) : newTask({ assigneeIds: [ada.id] }),
      );
      const marking = Array.from({ length: 4 }, () =>
        succeed(`notifications.${operation}`, { token: ada.token, body: { upTo } }),
      );
      await Promise.all([...writing, ...marking]);
      const items = await untilEvents(api, ada, 14);
      const isOpen = ({ isRead, isArchived }: Notification) => !isRead && !isArchived;
      const open = items.filter(isOpen);
      expect(open.every(({ sequence }) => sequence > upTo)).toBe(true);
      expect(items.filter((item) => !isOpen(item)).every(({ sequence }) => sequence <= upTo)).toBe(
        true,
      );
      expect(await unreadOf(api, ada)).toBe(open.length);
      const sequences = items.map(({ sequence }) => sequence);
      expect(new Set(sequences).size).toBe(sequences.length);
    },
  );

  test('of one organization leaves the others', async () => {
    const other = await newTeamOf(api, bob);
    await joinTeam(api, other.organizationId, ada, 'MEMBER');
    await newTask({ assigneeIds: [ada.id] });
    const theirs = await newProject(api, other);
    await succeed('tasks.create', {
      ...other,
      params: { projectId: theirs },
      body: { title: 'Other', assigneeIds: [ada.id] },
    });
    await untilEvents(api, ada, 2);
    const { organizationId } = other;
    expect(await inboxOf(api, ada, { organizationId })).toHaveLength(1);
    await succeed('notifications.read', {
      token: ada.token,
      body: { upTo: 1_000, organizationId },
    });
    const { body } = await succeed('notifications.count', { token: ada.token });
    expect(body.data).toEqual({
      unread: 1,
      byOrganization: [{ organizationId: team.organizationId, unread: 1 }],
    });
  });

  test('pages by cursor list each once, and a cursor is of its own list', async () => {
    for (let round = 0; round < 5; round += 1) await newTask({ assigneeIds: [ada.id] });
    const all = await untilEvents(api, ada, 5);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const query = { limit: 2, ...(cursor && { cursor }) };
      const { body } = await succeed('notifications.list', { token: ada.token, query });
      expect(body.data.pagination.total).toBe(5);
      seen.push(...body.data.items.map(({ id }: { id: string }) => id));
      const next = body.data.pagination.nextCursor;
      if (next) {
        const others = { limit: 2, cursor: next, isRead: false };
        const { status } = await call(api, 'notifications.list', {
          token: ada.token,
          query: others,
        });
        expect(status).toBe(400);
      }
      cursor = next;
    } while (cursor !== undefined);
    expect(seen).toEqual(all.map(({ id }) => id));
  });

  test('a count that is known is a 304', async () => {
    const { headers } = await succeed('notifications.count', { token: ada.token });
    const known = { 'if-none-match': String(headers.get('etag')) };
    const { status } = await call(api, 'notifications.count', { token: ada.token, headers: known });
    expect(status).toBe(304);
  });
});

describe('the stream', () => {
  test('tells the count to the person alone, whichever organization they look at', async () => {
    const [own, others] = await Promise.all([
      openStream(api, { token: ada.token }),
      openStream(api, { token: bob.token }),
    ]);
    await newTask({ assigneeIds: [ada.id] });
    const found = await own.find(({ event }) => event === 'notification');
    expect(found).toEqual({ id: undefined, event: 'notification', data: { unread: 1 } });
    await succeed('notifications.read', { token: ada.token, body: { upTo: 1_000 } });
    await own.find((message) => message.event === 'notification' && message.data.unread === 0);
    expect(others.messages.filter(({ event }) => event === 'notification')).toEqual([]);
    own.leave();
    others.leave();
  });
});
