// @module-tag slow

import { and, eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  comments,
  memberships,
  organizations,
  taskAssignees,
  tasks,
  users,
} from '../../db/generated/schema.ts';
import { startJobs } from '../start.ts';
import { mailsTo, newUser, type TestUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { insertTask, newProject } from '../../testing/board.ts';
import { joinTeam, newTeam, newTeamOf } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { enqueueAssignmentNotices } from '../../domain/notices.ts';
let author: TestUser;
let reader: TestUser;
let bystander: TestUser;
let team: { token: string; organizationId: string };
let projectId: string;
let taskId: string;

const api = await setUpApi({ JOBS: 'separate' });

// Separate users, so that each test has its own mailboxes.
beforeEach(async () => {
  const jobs = await startJobs(api.deps);
  [author, reader, bystander] = await Promise.all([
    newUser(api, 'author'),
    newUser(api, 'reader'),
    newUser(api, 'bystander'),
  ]);
  await jobs.stop();
  team = await newTeamOf(api, author);
  await joinTeam(api, team.organizationId, reader, 'VIEWER');
  await joinTeam(api, team.organizationId, bystander, 'MEMBER');
  projectId = await newProject(api, team, 'Website');
  taskId = await newTask('Write the imprint');
});

function newTask(title: string) {
  const { organizationId } = team;
  return insertTask(api, { organizationId, projectId, createdBy: author, title });
}

const post = (body: string, as = team, headers: Record<string, string> = {}) =>
  call(api, 'comments.create', { ...as, params: { taskId }, body: { body }, headers });
const edit = (commentId: string, body: string) =>
  call(api, 'comments.update', { ...team, params: { taskId, commentId }, body: { body } });

/** Runs every job in the queue. */
async function runJobs(): Promise<void> {
  const jobs = await startJobs(api.deps);
  await expect
    .poll(() => api.db.execute(sql`select 1 from graphile_worker.jobs`), { timeout: 10_000 })
    .toHaveLength(0);
  await jobs.stop();
}

async function noticesTo(user: TestUser) {
  const mails = await mailsTo(user.email);
  return mails.filter(({ subject }) => subject !== 'Please verify your email');
}

async function assign(...assigned: TestUser[]) {
  const { organizationId } = team;
  await api.db.transaction(async (tx) => {
    for (const { id: userId } of assigned) {
      await tx
        .insert(taskAssignees)
        .values({ organizationId, taskId, userId, assignedAt: new Date() });
    }
    await enqueueAssignmentNotices(tx, {
      organizationId,
      taskId,
      assigneeIds: assigned.map(({ id }) => id),
      actorId: author.id,
    });
  });
}

describe('a mention', () => {
  test('is mailed to each user once, with one link to the task, and not to the author', async () => {
    const { status } = await post(
      `@${reader.email}, @${reader.email}: ask @${author.email} or x@${bystander.email}`,
    );
    expect(status).toBe(201);
    await runJobs();
    const [mail, ...more] = await noticesTo(reader);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe('You were mentioned: Write the imprint');
    const link = `https://app.example.com/projects/${projectId}?task=${taskId}`;
    expect(mail?.text.match(/https?:\/\/\S+/g)).toEqual([link]);
    expect(mail?.text).toContain('mentioned you in a comment');
    expect(mail?.html.match(/href="[^"]*"/g)).toEqual([`href="${link}"`]);
    expect(await noticesTo(author)).toEqual([]);
    expect(await noticesTo(bystander)).toEqual([]);
  });

  test('by name matches the member, the longest name first', async () => {
    const named = (user: TestUser, firstName: string, lastName: string | null) =>
      call(api, 'profile.update', { token: user.token, body: { firstName, lastName } });
    await named(bystander, 'Ada', null);
    await named(reader, 'Ada', 'Lovelace');
    await post('hello @ada lovelace!');
    await runJobs();
    expect(await noticesTo(reader)).toHaveLength(1);
    expect(await noticesTo(bystander)).toEqual([]);
  });

  test('reaches no user outside of the organization, and no suspended member', async () => {
    const otherTeam = await newTeam(api, reader);
    await api.db
      .update(memberships)
      .set({ status: 'SUSPENDED' })
      .where(
        and(
          eq(memberships.organizationId, team.organizationId),
          eq(memberships.userId, bystander.id),
        ),
      );
    const foreign = { token: reader.token, organizationId: otherTeam.id };
    const theirProject = await newProject(api, foreign);
    const theirTask = await insertTask(api, {
      organizationId: otherTeam.id,
      projectId: theirProject,
      createdBy: reader,
    });
    await call(api, 'comments.create', {
      ...foreign,
      params: { taskId: theirTask },
      body: { body: `@${author.email} @${reader.email}` },
    });
    await post(`@${bystander.email} @nobody@example.com`);
    expect(await api.db.execute(sql`select 1 from graphile_worker.jobs`)).toEqual([]);
    await runJobs();
    for (const user of [author, reader, bystander]) expect(await noticesTo(user)).toEqual([]);
  });

  test('in an edit is mailed if it is new', async () => {
    const { body } = await post(`@${reader.email} look`);
    await edit(body.data.id, `@${reader.email} @${bystander.email} look`);
    await edit(body.data.id, `@${bystander.email} look`);
    await runJobs();
    expect(await noticesTo(reader)).toHaveLength(1);
    expect(await noticesTo(bystander)).toHaveLength(1);
  });

  test('sent again with its Idempotency-Key is mailed once', async () => {
    const headers = { 'idempotency-key': 'once' };
    const responses = [
      await post(`@${reader.email}`, team, headers),
      await post(`@${reader.email}`, team, headers),
    ];
    for (const { status } of responses) expect(status).toBe(201);
    await runJobs();
    expect(await noticesTo(reader)).toHaveLength(1);
  });

  test('is stored in the queue only as identifiers', async () => {
    const { body } = await post(`a secret for @${reader.email}`);
    const jobs = await api.db.execute(sql`
      select tasks.identifier, jobs.payload
      from graphile_worker._private_jobs as jobs
      join graphile_worker._private_tasks as tasks on tasks.id = jobs.task_id`);
    expect([...jobs]).toEqual([
      {
        identifier: 'send_mention_notice',
        payload: {
          organizationId: team.organizationId,
          taskId,
          commentId: body.data.id,
          userId: reader.id,
        },
      },
    ]);
    await runJobs();
  });
});

describe('an assignment', () => {
  test('is mailed to everyone but its author', async () => {
    await assign(reader, author, bystander);
    await runJobs();
    for (const user of [reader, bystander]) {
      const [mail, ...more] = await noticesTo(user);
      expect(more).toEqual([]);
      expect(mail?.subject).toBe('Assigned to you: Write the imprint');
      expect(mail?.text).toContain('“Write the imprint” in the project “Website”');
      expect(mail?.text.match(/https?:\/\/\S+/g)).toEqual([
        `https://app.example.com/projects/${projectId}?task=${taskId}`,
      ]);
    }
    expect(await noticesTo(author)).toEqual([]);
  });

  test('that was undone before the mail was sent is not mailed', async () => {
    await assign(reader);
    await api.db.delete(taskAssignees).where(eq(taskAssignees.userId, reader.id));
    await runJobs();
    expect(await noticesTo(reader)).toEqual([]);
  });
});

describe('changes before the mail is sent', () => {
  const inTeam = () =>
    and(eq(memberships.organizationId, team.organizationId), eq(memberships.userId, reader.id));

  test.each([
    [
      'the membership was suspended',
      () => api.db.update(memberships).set({ status: 'SUSPENDED' }).where(inTeam()),
    ],
    ['the membership ended', () => api.db.delete(memberships).where(inTeam())],
    [
      'the account was suspended',
      () => api.db.update(users).set({ accountStatus: 'SUSPENDED' }).where(eq(users.id, reader.id)),
    ],
    [
      'the person wants no such mails',
      () =>
        call(api, 'profile.update', { token: reader.token, body: { mailNotices: false } }).then(
          ({ status }) => expect(status).toBe(200),
        ),
    ],
    ['the task was deleted', () => api.db.delete(tasks).where(eq(tasks.id, taskId))],
    [
      'the project was deleted',
      () => call(api, 'projects.remove', { ...team, params: { id: projectId } }),
    ],
    [
      'the organization was deleted',
      () =>
        api.db
          .update(organizations)
          .set({ deletedAt: new Date() })
          .where(eq(organizations.id, team.organizationId)),
    ],
  ])('%s: neither mention nor assignment is mailed', async (_, change) => {
    await post(`@${reader.email} @${bystander.email}`);
    await assign(reader);
    await change();
    await runJobs();
    expect(await noticesTo(reader)).toEqual([]);
  });

  test('the comment was deleted: the mention is not mailed', async () => {
    const { body } = await post(`@${reader.email}`);
    const commentId = body.data.id;
    await call(api, 'comments.remove', { ...team, params: { taskId, commentId } });
    expect(await api.db.$count(comments, eq(comments.taskId, taskId))).toBe(0);
    await runJobs();
    expect(await noticesTo(reader)).toEqual([]);
  });
});

describe('a hostile title', () => {
  test.each([
    [
      'with lines of its own adds no header and no recipient',
      'x\r\nBcc: eve@example.com\r\nSubject: paid\n\nbody',
      'x Bcc: eve@ example. com Subject: paid body',
    ],
    ['with bidi controls shows as it is written', 'a\u202egnp.exe', 'a gnp. exe'],
    [
      'with an address makes no second link',
      'Log in at https://evil.example/login',
      'Log in at https: / /evil. example/login',
    ],
    ['of 255 characters is cut', 'ü'.repeat(255), `${'ü'.repeat(119)}…`],
  ])('%s', async (_, title, shown) => {
    taskId = await newTask(title);
    await post(`@${reader.email}`);
    await assign(reader);
    await runJobs();
    const mails = await noticesTo(reader);
    expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
      `Assigned to you: ${shown}`,
      `You were mentioned: ${shown}`,
    ]);
    for (const mail of mails) {
      expect(mail.to.map(({ address }) => address)).toEqual([reader.email]);
      expect(mail.text.match(/https?:\/\/\S+/g)).toHaveLength(1);
    }
  });

  test('of markup stays text', async () => {
    taskId = await newTask(`<img src=x onerror="alert('1')"> & more`);
    await call(api, 'profile.update', {
      token: author.token,
      body: { firstName: '<script>alert(1)</script>' },
    });
    await post(`@${reader.email}`);
    await runJobs();
    const [mail] = await noticesTo(reader);
    expect(mail?.html).not.toMatch(/<(img|script)/);
    expect(mail?.html).toContain(
      '&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt; &amp; more',
    );
    expect(mail?.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; mentioned you');
    expect(mail?.text).toContain(`“<img src=x onerror="alert('1')"> & more”`);
  });
});
