// @module-tag slow

import { and, eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  memberships,
  organizations,
  taskAssignees,
  notifications,
  tasks,
  users,
} from '../../db/generated/schema.ts';
import type { TestUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { insertTask } from '../../testing/board.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { inboxOf } from '../../testing/inboxes.ts';
import { newMailingTeam, noticesTo, runAllJobs, untilArrived } from './testing/mailing.ts';

let author: TestUser;
let reader: TestUser;
let bystander: TestUser;
let team: { token: string; organizationId: string };
let projectId: string;
let taskId: string;

const api = await setUpApi({ JOBS: 'separate' });

// Separate users, so that each test has its own mailboxes.
beforeEach(async () => {
  ({ author, reader, bystander, team, projectId, taskId } = await newMailingTeam(api));
});

function newTask(title: string) {
  const { organizationId } = team;
  return insertTask(api, { organizationId, projectId, createdBy: author, title });
}

const post = (body: string, as = team, headers: Record<string, string> = {}) =>
  call(api, 'comments.create', { ...as, params: { taskId }, body: { body }, headers });
const edit = (commentId: string, body: string) =>
  call(api, 'comments.update', { ...team, params: { taskId, commentId }, body: { body } });

const arrived = (events: number, user = reader) => untilArrived(api, user, events);
const runJobs = () => runAllJobs(api);

async function assign(...assigned: readonly TestUser[]): Promise<void> {
  const { status } = await call(api, 'tasks.assign', {
    ...team,
    params: { id: taskId },
    body: { assigneeIds: assigned.map(({ id }) => id) },
  });
  expect(status).toBe(200);
}

const prefer = async (user: TestUser, changes: object) => {
  const { token } = user;
  const { body } = await call(api, 'notifications.preferences', { token });
  const changed = { ...body.data, ...changes };
  const { status } = await call(api, 'notifications.setPreferences', { token, body: changed });
  expect(status).toBe(200);
};

/** All links of a mail about a task: the task, and the page that ends such mails. */
function ownLinks(mail: Awaited<ReturnType<typeof noticesTo>>[number] | undefined): string[] {
  const [token] = mail?.headers['list-unsubscribe']?.match(/\?token=[^>]+/) ?? [];
  return [taskLink(), `https://app.example.com/unsubscribe${token}`];
}

const taskLink = () => `https://app.example.com/projects/${projectId}?task=${taskId}`;

describe('a mail about a task', () => {
  test('of a mention has the links to the task and to its end, and headers that end it and keep its thread together', async () => {
    expect((await post(`@${reader.email}, ask @${author.email}`)).status).toBe(201);
    await arrived(1);
    await runJobs();
    const [mail, ...more] = await noticesTo(reader);
    expect(more).toEqual([]);
    expect(mail?.subject).toBe('You were mentioned: Write the imprint');
    expect(mail?.text.match(/https?:\/\/\S+/g)).toEqual(ownLinks(mail));
    expect(mail?.text).toContain('mentioned you in a comment');
    expect(mail?.text).toContain('“Write the imprint” in the project “Website”');
    // The link of the button is repeated as an address.
    expect([...new Set(mail?.html.match(/href="[^"]*"/g))]).toEqual(
      ownLinks(mail).map((link) => `href="${link}"`),
    );
    expect(mail?.headers).toMatchObject({
      'auto-submitted': 'auto-generated',
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      references: `<task.${taskId}@app.example.com>`,
    });
    expect(mail?.headers['message-id']).toMatch(/^<task\..*@app\.example\.com>$/);
    expect(await noticesTo(author)).toEqual([]);
  });

  test('of an assignment is sent to everyone but its author', async () => {
    await assign(reader, author, bystander);
    await arrived(1);
    await arrived(1, bystander);
    await runJobs();
    for (const user of [reader, bystander]) {
      const mails = await noticesTo(user);
      expect(mails.map(({ subject }) => subject)).toEqual(['Assigned to you: Write the imprint']);
      expect(mails[0]?.text.match(/https?:\/\/\S+/g)).toEqual(ownLinks(mails[0]));
    }
    expect(await noticesTo(author)).toEqual([]);
  });

  test('has all of a minute', async () => {
    await assign(reader);
    await post(`@${reader.email} look`);
    await post(`@${reader.email} look again`);
    await arrived(3);
    await runJobs();
    const mails = await noticesTo(reader);
    expect(mails.map(({ subject }) => subject)).toEqual(['News: Write the imprint']);
    expect(mails[0]?.text).toContain('mentioned you in a comment');
    expect(mails[0]?.text).toContain('assigned a task to you');
  });

  test('of a mention in an edit is sent if the mention is new', async () => {
    const { body } = await post(`@${reader.email} look`);
    await edit(body.data.id, `@${reader.email} @${bystander.email} look`);
    await edit(body.data.id, `@${bystander.email} look`);
    await arrived(1);
    await arrived(1, bystander);
    await runJobs();
    expect(await noticesTo(reader)).toHaveLength(1);
    expect(await noticesTo(bystander)).toHaveLength(1);
  });

  test('follows another that was sent, if something happens again', async () => {
    await post(`@${reader.email} look`);
    await arrived(1);
    await runJobs();
    await post(`@${reader.email} look again`);
    await arrived(2);
    await runJobs();
    const ids = (await noticesTo(reader)).map(({ headers }) => headers['message-id']);
    expect(new Set(ids).size).toBe(2);
  });

  test.each(['isRead', 'isArchived'])('is not sent if it is marked by then: %s', async (mark) => {
    await post(`@${reader.email} look`);
    await arrived(1);
    const [entry] = await inboxOf(api, reader);
    const changed = await call(api, 'notifications.update', {
      token: reader.token,
      params: { id: entry?.id ?? '' },
      body: { [mark]: true },
    });
    expect(changed.status).toBe(200);
    await runJobs();
    expect(await noticesTo(reader)).toEqual([]);
  });

  test('is sent once, whatever is repeated', async () => {
    const headers = { 'idempotency-key': 'once' };
    await post(`@${reader.email}`, team, headers);
    await post(`@${reader.email}`, team, headers);
    await arrived(1);
    const payload = JSON.stringify({
      userId: reader.id,
      organizationId: team.organizationId,
      taskId,
    });
    await runJobs();
    await api.db.execute(
      sql`select graphile_worker.add_job('send_notification_mail', ${payload}::json)`,
    );
    await runJobs();
    expect(await noticesTo(reader)).toHaveLength(1);
  });

  test('is sent thirty times an hour at most; the rest is in the digest', async () => {
    for (let count = 0; count < 31; count += 1) {
      taskId = await newTask(`Task ${count}`);
      await assign(reader);
    }
    await arrived(31);
    await runJobs();
    expect(await noticesTo(reader)).toHaveLength(30);
    const waiting = await api.db
      .select({ mail: notifications.mail })
      .from(notifications)
      .where(and(eq(notifications.userId, reader.id), sql`mail is not null`));
    expect(waiting).toEqual([{ mail: 'DIGEST' }]);
  });

  test.each([
    ['FULL', 'You were mentioned: Write the imprint', true],
    ['TITLES', 'You were mentioned: Write the imprint', false],
  ])('discloses what the organization lets it: %s', async (mailContent, subject, hasComment) => {
    const { organizationId: id, token } = team;
    const set = await call(api, 'organizations.rename', {
      token,
      params: { id },
      body: { mailContent },
    });
    expect(set.status).toBe(200);
    await post(`@${reader.email} the secret sauce`);
    await arrived(1);
    await runJobs();
    const [mail] = await noticesTo(reader);
    expect(mail?.subject).toBe(subject);
    expect(mail?.text.includes('secret sauce')).toBe(hasComment);
    expect(mail?.html.includes('secret sauce')).toBe(hasComment);
  });

  test('discloses neither title nor comment if the organization wants none', async () => {
    const { organizationId: id, token } = team;
    await call(api, 'organizations.rename', {
      token,
      params: { id },
      body: { mailContent: 'NONE' },
    });
    await post(`@${reader.email} the secret sauce`);
    await arrived(1);
    await runJobs();
    const [mail] = await noticesTo(reader);
    for (const part of [mail?.subject, mail?.text, mail?.html]) {
      expect(part).not.toMatch(/secret sauce|imprint|Website/);
    }
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
    await arrived(2);
    await change();
    await runJobs();
    expect(await noticesTo(reader)).toEqual([]);
  });

  test('what is gone is not mailed: the comment, the assignment', async () => {
    const { body } = await post(`@${reader.email}`);
    await assign(reader);
    await arrived(2);
    const commentId = body.data.id;
    await call(api, 'comments.remove', { ...team, params: { taskId, commentId } });
    await api.db.delete(taskAssignees).where(eq(taskAssignees.userId, reader.id));
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
      'with an address makes no link',
      'Log in at https://evil.example/login',
      'Log in at https: / /evil. example/login',
    ],
    ['of 255 characters is cut', 'ü'.repeat(255), `${'ü'.repeat(119)}…`],
  ])('%s', async (_, title, shown) => {
    taskId = await newTask(title);
    await post(`@${reader.email}`);
    await arrived(1);
    await runJobs();
    const mails = await noticesTo(reader);
    expect(mails.map(({ subject }) => subject)).toEqual([`You were mentioned: ${shown}`]);
    expect(mails[0]?.to.map(({ address }) => address)).toEqual([reader.email]);
    expect(mails[0]?.text.match(/https?:\/\/\S+/g)).toEqual(ownLinks(mails[0]));
  });

  test('of markup stays text', async () => {
    taskId = await newTask(`<img src=x onerror="alert('1')"> & more`);
    await call(api, 'profile.update', {
      token: author.token,
      body: { firstName: '<script>alert(1)</script>' },
    });
    await post(`@${reader.email}`);
    await arrived(1);
    await runJobs();
    const [mail] = await noticesTo(reader);
    expect(mail?.html).not.toMatch(/<(img|script)/);
    expect(mail?.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; mentioned you');
    expect(mail?.text).toContain(`“<img src=x onerror="alert('1')"> & more”`);
  });
});

describe('preferences', () => {
  test('with none for an organization leave changes of the own membership', async () => {
    await prefer(reader, { organizations: { [team.organizationId]: 'NONE' } });
    await post(`@${reader.email}`);
    await assign(reader);
    const { organizationId: id, token } = team;
    const { body } = await call(api, 'organizations.listMembers', { token, params: { id } });
    const member = body.data.items.find(({ userId }: { userId: string }) => userId === reader.id);
    const changed = await call(api, 'organizations.updateMember', {
      token,
      params: { id, memberId: member.id },
      body: { role: 'MEMBER' },
    });
    expect(changed.status).toBe(200);
    await arrived(1);
    await runJobs();
    expect((await inboxOf(api, reader)).map(({ reason }) => reason)).toEqual(['role_changed']);
    const subjects = (await noticesTo(reader)).map(({ subject }) => subject);
    expect(subjects).toHaveLength(1);
    expect(subjects[0]).toMatch(/^You have another role: /);
  });

  test('with mentions for an organization leave mentions', async () => {
    await prefer(reader, { organizations: { [team.organizationId]: 'MENTIONS' } });
    await assign(reader);
    await post(`@${reader.email}`);
    await arrived(1);
    expect((await inboxOf(api, reader)).map(({ reason }) => reason)).toEqual(['mentioned']);
    await runJobs();
  });
});
