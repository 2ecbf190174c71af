// @module-tag slow

import { sql } from 'drizzle-orm';
import { beforeEach, expect, test, vi } from 'vitest';
import type { TestUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { newMailingTeam, noticesTo, runAllJobs, untilArrived } from './testing/mailing.ts';

let reader: TestUser;
let bystander: TestUser;
let team: { token: string; organizationId: string };
let taskId: string;

const api = await setUpApi({ JOBS: 'separate' });

beforeEach(async () => {
  ({ reader, bystander, team, taskId } = await newMailingTeam(api));
});

const post = (body: string) =>
  call(api, 'comments.create', { ...team, params: { taskId }, body: { body } });

/** The address of the newest mail that ends mails like it. */
async function linkOf(): Promise<URL> {
  await post(`@${reader.email}`);
  await untilArrived(api, reader, 1);
  await runAllJobs(api);
  const mail = await vi.waitFor(
    async () => {
      const [found] = await noticesTo(reader);
      if (!found) throw new Error('no mail');
      return found;
    },
    { timeout: 20_000 },
  );
  const address = new URL(mail.headers['list-unsubscribe']?.slice(1, -1) ?? '');
  // The page of the web app asks before it ends anything.
  const page = `/unsubscribe${address.search}`;
  for (const content of [mail.text, mail.html]) expect(content).toContain(page);
  return new URL(`${address.pathname}${address.search}`, api.url);
}

const form = {
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: 'List-Unsubscribe=One-Click',
};

test('the link of a mail ends those of its reason and organization, by a form, without signing in; a GET changes nothing', async () => {
  const link = await linkOf();
  const read = await fetch(link);
  expect(read.status).toBeGreaterThanOrEqual(400);
  const preferences = async () =>
    (await call(api, 'notifications.preferences', { token: reader.token })).body.data;
  expect((await preferences()).unsubscribed).toEqual({});
  const ended = await fetch(link, form);
  expect(ended.status).toBe(200);
  expect((await preferences()).unsubscribed).toEqual({ [team.organizationId]: ['mentioned'] });
  const known = await ended.json();
  for (const token of ['rubbish', '', `${link.searchParams.get('token') ?? ''}x`]) {
    const other = new URL(link);
    other.searchParams.set('token', token);
    const response = await fetch(other, form);
    expect([response.status, await response.json()]).toEqual([200, known]);
  }
  await post(`@${reader.email} again`);
  await untilArrived(api, reader, 2);
  await runAllJobs(api);
  expect(await noticesTo(reader)).toHaveLength(1);
});

test('a link that is used again writes nothing, and doesn’t wait for changes of the account', async () => {
  const link = await linkOf();
  expect((await fetch(link, form)).status).toBe(200);
  const rows = () =>
    api.db.execute(sql`
      select users.xmin::text as account, notification_preferences.xmin::text as preferences
      from users join notification_preferences on notification_preferences.user_id = users.id
      where users.id = ${reader.id}`);
  const before = await rows();
  await api.db.transaction(async (tx) => {
    await tx.execute(sql`select from users where id = ${reader.id} for update`);
    expect((await fetch(link, form)).status).toBe(200);
  });
  expect(await rows()).toEqual(before);
});

test('the link of a person can not be turned into that of another', async () => {
  const link = await linkOf();
  const token = link.searchParams.get('token') ?? '';
  link.searchParams.set('token', token.replace(reader.id, bystander.id));
  expect((await fetch(link, form)).status).toBe(200);
  const { body } = await call(api, 'notifications.preferences', { token: bystander.token });
  expect(body.data.unsubscribed).toEqual({});
});
