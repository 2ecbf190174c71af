// @module-tag slow

import { randomUUID } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSmtpMailer } from '../../adapters/smtp.ts';
import {
  digests,
  memberships,
  notificationPreferences,
  notifications,
  tasks,
} from '../../db/generated/schema.ts';
import { createUnsubscribeTokens } from '../../kernel/unsubscribe-tokens.ts';
import { mailsTo, newUser, type TestUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { insertTask, newProject } from '../../testing/board.ts';
import { inboxOf, untilEvents } from '../../testing/inboxes.ts';
import { joinTeam, newTeamOf } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { startJobs } from '../start.ts';
import { enqueueDigests, sendDigest } from './digest.ts';
import { noticeDueTasks } from './due-tasks.ts';

const api = await setUpApi({ JOBS: 'separate' });
const mailer = createSmtpMailer({ url: api.config.SMTP_URL, from: api.config.MAIL_FROM });

/** A day on which nothing has been due yet. */
let now = new Date('2031-05-06T12:00:00.000Z');
const clock = { now: () => now };

const deps = {
  db: api.deps.db,
  clock,
  mailer,
  log: api.deps.log,
  appUrl: 'https://app.example.com',
  apiUrl: 'https://api.example.com',
  unsubscribeTokens: createUnsubscribeTokens(api.deps.keys.unsubscribing),
};

let author: TestUser;
let reader: TestUser;
let team: { token: string; organizationId: string };
let taskId: string;

beforeEach(async () => {
  now = new Date(now.getTime() + 3 * 24 * 60 * 60 * 1_000);
  await api.db.delete(notifications);
  const jobs = await startJobs(api.deps);
  [author, reader] = await Promise.all([newUser(api, 'author'), newUser(api, 'reader')]);
  await jobs.stop();
  team = await newTeamOf(api, author);
  await joinTeam(api, team.organizationId, reader, 'MEMBER');
  const projectId = await newProject(api, team, 'Website');
  const { organizationId } = team;
  taskId = await insertTask(api, {
    organizationId,
    projectId,
    createdBy: author,
    title: 'Imprint',
  });
  expect((await follow()).status).toBe(200);
});

const follow = () =>
  call(api, 'notifications.follow', {
    token: reader.token,
    organizationId: team.organizationId,
    params: { id: taskId },
  });

/** Comments on the task, and waits for the entries. */
async function comment(times: number, events = times): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    await call(api, 'comments.create', { ...team, params: { taskId }, body: { body: 'news' } });
  }
  const jobs = await startJobs(api.deps);
  await untilEvents(api, reader, events);
  await jobs.stop();
}

async function queued(user: TestUser = reader) {
  const jobs = await api.db.execute<{ payload: { userId: string; period: string } }>(sql`
    select jobs.payload from graphile_worker._private_jobs as jobs
    join graphile_worker._private_tasks as tasks on tasks.id = jobs.task_id
    where tasks.identifier = 'send_digest' and jobs.payload->>'userId' = ${user.id}`);
  return [...jobs].map(({ payload }) => payload);
}

async function digestsTo(user: TestUser) {
  const mails = await mailsTo(user.email);
  return mails.filter(({ subject }) => subject.includes('unread notification'));
}

const day = (date: Date) => date.toISOString().slice(0, 10);

describe('a digest', () => {
  test('has what is unread, once for a day, however often it is due and sent', async () => {
    await comment(3);
    await Promise.all([enqueueDigests(deps), enqueueDigests(deps), enqueueDigests(deps)]);
    const jobs = await queued();
    expect(jobs).toEqual([{ userId: reader.id, period: day(now) }]);
    for (const job of [...jobs, ...jobs]) await sendDigest(deps, job);
    now = new Date(now.getTime() + 60 * 60 * 1_000);
    await enqueueDigests(deps);
    expect(await queued()).toHaveLength(1);
    const [mail, ...more] = await digestsTo(reader);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe('One unread notification on Atelier');
    expect(mail?.text).toContain('There are 3 new comments on a task: “Imprint”');
    expect(mail?.headers).toMatchObject({
      'auto-submitted': 'auto-generated',
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      'message-id': `<digest.${reader.id}.${jobs[0]?.period}@app.example.com>`,
    });
    // What was mailed is not mailed on the next day.
    now = new Date(now.getTime() + 24 * 60 * 60 * 1_000);
    await enqueueDigests(deps);
    expect(await queued()).toHaveLength(1);
  });

  test('is sent again after a mail server that was away, with the same id', async () => {
    await comment(1);
    await enqueueDigests(deps);
    const [job] = await queued();
    if (!job) throw new Error('no digest is due');
    const away = { ...mailer, send: () => Promise.reject(new Error('the mail server is away')) };
    await expect(sendDigest({ ...deps, mailer: away }, job)).rejects.toThrow('away');
    // Died after the mail server took it, and before that was noted.
    const taken = {
      ...mailer,
      async send(mail: Parameters<typeof mailer.send>[0]) {
        await mailer.send(mail);
        throw new Error('killed');
      },
    };
    await expect(sendDigest({ ...deps, mailer: taken }, job)).rejects.toThrow('killed');
    await sendDigest(deps, job);
    await sendDigest(deps, job);
    const ids = (await digestsTo(reader)).map(({ headers }) => headers['message-id']);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  test.each([
    [
      'read',
      async () => {
        const [entry] = await inboxOf(api, reader);
        await call(api, 'notifications.read', {
          token: reader.token,
          body: { ids: [entry?.id ?? ''] },
        });
      },
    ],
    ['deleted', () => api.db.delete(tasks).where(eq(tasks.id, taskId))],
    [
      'of a team that the person has left',
      () =>
        api.db
          .delete(memberships)
          .where(
            and(
              eq(memberships.organizationId, team.organizationId),
              eq(memberships.userId, reader.id),
            ),
          ),
    ],
  ])('has nothing that is %s, and is not sent without anything', async (_, change) => {
    await comment(1);
    await enqueueDigests(deps);
    const [job] = await queued();
    if (!job) throw new Error('no digest is due');
    await change();
    await sendDigest(deps, job);
    expect(await digestsTo(reader)).toEqual([]);
    const [row] = await api.db.select().from(digests).where(eq(digests.userId, reader.id));
    expect(row?.sentAt).not.toBeNull();
  });
});

describe('a digest of more entries than it lists', () => {
  /** Gives the reader an overdue task, and newer comments, and ends the mails of one reason. */
  async function withComments(count: number, unsubscribed: 'commented' | 'overdue') {
    const dueDate = new Date(now.getTime() - 60 * 60 * 1_000);
    await api.db.update(tasks).set({ dueDate }).where(eq(tasks.id, taskId));
    await noticeDueTasks(deps);
    const [overdue] = await entries();
    if (!overdue) throw new Error('nothing is overdue');
    await api.db.insert(notifications).values(
      Array.from({ length: count }, (_, index) => ({
        ...overdue,
        id: randomUUID(),
        sequence: overdue.sequence + 1 + index,
        reason: 'commented' as const,
        eventCount: 2,
      })),
    );
    const settings = { unsubscribed: { [team.organizationId]: [unsubscribed] } };
    await api.db
      .insert(notificationPreferences)
      .values({ userId: reader.id, settings, updatedAt: now })
      .onConflictDoUpdate({ target: notificationPreferences.userId, set: { settings } });
    now = new Date(now.getTime() + 24 * 60 * 60 * 1_000);
    await enqueueDigests(deps);
    const [job] = await queued();
    if (!job) throw new Error('no digest is due');
    await sendDigest(deps, job);
    return digestsTo(reader);
  }

  const entries = () =>
    api.db.select().from(notifications).where(eq(notifications.userId, reader.id));

  // The larger number is of more than are read at a time.
  test.each([51, 201])(
    'has what is wanted below %i newer entries that no longer are',
    async (count) => {
      const [mail, ...more] = await withComments(count, 'commented');
      expect(more).toEqual([]);
      expect(mail?.subject).toBe('One unread notification on Atelier');
      expect(mail?.text).toContain('“Imprint”');
      expect(mail?.text).not.toContain('comment');
      expect((await entries()).filter((entry) => entry.mail !== null)).toEqual([]);
    },
  );

  test('counts only what is wanted', async () => {
    const [mail] = await withComments(60, 'overdue');
    expect(mail?.subject).toBe('60 unread notifications on Atelier');
    expect(mail?.text).toContain('and 10 more');
  });
});

describe('a digest of a person whose time zone', () => {
  afterEach(() => vi.restoreAllMocks());

  /** Gives both people an entry, and the reader a time zone that is stored without any check. */
  async function withTimeZone(timeZone: string): Promise<void> {
    await api.db.update(tasks).set({ dueDate: now }).where(eq(tasks.id, taskId));
    await noticeDueTasks(deps);
    now = new Date(now.getTime() + 24 * 60 * 60 * 1_000);
    const settings = { digest: { frequency: 'DAILY', hour: 8, weekday: 1, timeZone } };
    await api.db
      .insert(notificationPreferences)
      .values({ userId: reader.id, settings, updatedAt: now })
      .onConflictDoUpdate({ target: notificationPreferences.userId, set: { settings } });
  }

  test('is a legacy name is due by the default, and others get theirs', async () => {
    await withTimeZone('IST');
    await enqueueDigests(deps);
    expect(await queued(author)).toEqual([{ userId: author.id, period: day(now) }]);
    expect(await queued()).toEqual([{ userId: reader.id, period: day(now) }]);
  });

  test('can no longer be computed is not due, and others get theirs', async () => {
    await withTimeZone('Pacific/Chatham');
    const { toZonedDateTime } = Temporal.PlainDate.prototype;
    vi.spyOn(Temporal.PlainDate.prototype, 'toZonedDateTime').mockImplementation(function (
      this: Temporal.PlainDate,
      options,
    ) {
      if (JSON.stringify(options).includes('Chatham')) throw new RangeError('Unknown time zone');
      return toZonedDateTime.call(this, options);
    });
    await enqueueDigests(deps);
    expect(await queued(author)).toEqual([{ userId: author.id, period: day(now) }]);
    expect(await queued()).toEqual([]);
    vi.restoreAllMocks();
    await enqueueDigests(deps);
    expect(await queued()).toHaveLength(1);
  });
});

describe('due dates', () => {
  const due = (dueDate: Date | null) =>
    api.db.update(tasks).set({ dueDate }).where(eq(tasks.id, taskId));
  const reasons = async () =>
    (await api.db.select().from(notifications).where(eq(notifications.userId, reader.id)))
      .map(({ reason, eventCount }) => `${reason} ${eventCount}`)
      .toSorted();

  test('are told a day before and when they are over, each once, to followers', async () => {
    const first = new Date(now.getTime() + 23 * 60 * 60 * 1_000);
    await due(first);
    await Promise.all([noticeDueTasks(deps), noticeDueTasks(deps)]);
    await noticeDueTasks(deps);
    expect(await reasons()).toEqual(['due_soon 1']);
    // Moved back and forth.
    await due(null);
    await noticeDueTasks(deps);
    await due(first);
    await noticeDueTasks(deps);
    expect(await reasons()).toEqual(['due_soon 1']);
    now = new Date(now.getTime() + 24 * 60 * 60 * 1_000);
    await noticeDueTasks(deps);
    await noticeDueTasks(deps);
    expect(await reasons()).toEqual(['due_soon 1', 'overdue 1']);
    const ofAuthor = await api.db
      .select()
      .from(notifications)
      .where(eq(notifications.userId, author.id));
    expect(ofAuthor).toHaveLength(2);
  });

  test('are told in a personal organization too', async () => {
    const own = { token: reader.token, organizationId: reader.organizationId };
    const projectId = await newProject(api, own, 'Home');
    const { organizationId } = own;
    const id = await insertTask(api, { organizationId, projectId, createdBy: reader });
    const dueDate = new Date(now.getTime() + 60 * 60 * 1_000);
    await api.db.update(tasks).set({ dueDate }).where(eq(tasks.id, id));
    await noticeDueTasks(deps);
    await noticeDueTasks(deps);
    expect(await reasons()).toEqual(['due_soon 1']);
    expect(await inboxOf(api, reader)).toEqual([expect.objectContaining({ reason: 'due_soon' })]);
  });

  test('of tasks that are done, or were over long ago, are not told', async () => {
    await due(new Date(now.getTime() - 25 * 60 * 60 * 1_000));
    await noticeDueTasks(deps);
    await api.db
      .update(tasks)
      .set({ dueDate: now, status: 'DONE', completedAt: now })
      .where(eq(tasks.id, taskId));
    await noticeDueTasks(deps);
    expect(await reasons()).toEqual([]);
  });
});
