// @module-tag slow

import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { catalogue, columnOf } from '../../db/catalogue.ts';
import {
  accountActivities,
  activities,
  assets,
  memberships,
  organizations,
  users,
} from '../../db/generated/schema.ts';
import { logIn, newUser, type TestUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { downloadExport, exportOf } from '../../testing/exports.ts';
import { filledTeam, type FilledTeam } from '../../testing/filled-team.ts';
import { newCollection, someFile, uploadFile } from '../../testing/library.ts';
import { newTeam } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { linesOf, zipEntries } from '../../testing/zip.ts';
import { exportedTables } from './contents.ts';

const api = await setUpApi();

const hers = { firstName: 'Zebulonia', lastName: 'Quackenbush' };
const his = { firstName: 'Thaddeus', lastName: 'Butterworth' };
const words = 'Spring catalogue';

let ada: TestUser;
let bob: TestUser;
let team: FilledTeam;
let zip: Buffer;
let entries: ReadonlyMap<string, string>;
const lines = (table: string) => linesOf(entries.get(`${table}.jsonl`));

const make = async (user: TestUser, operation: Parameters<typeof call>[1], options: object) => {
  const inTeam = { token: user.token, organizationId: team.organizationId, ...options };
  const { status, body } = await call(api, operation, inTeam);
  expect([operation, status < 300, body.code]).toEqual([operation, true, undefined]);
  return body.data;
};

/** The same words of two people, next to each other. */
async function writeAlike(user: TestUser) {
  const project = { projectId: team.projectId };
  const body = { title: words, description: words };
  const { id: taskId } = await make(user, 'tasks.create', { params: project, body });
  await make(user, 'comments.create', { params: { taskId: team.taskId }, body: { body: words } });
  await make(user, 'collections.create', { body: { title: words } });
  return taskId;
}

beforeAll(async () => {
  [ada, bob] = [await newUser(api, 'zebulonia'), await newUser(api, 'thaddeus')];
  await call(api, 'profile.update', { token: ada.token, body: hers });
  await call(api, 'profile.update', { token: bob.token, body: his });
  team = await filledTeam(api, { owner: bob, member: ada, mark: 'alike', times: 2 });
  await writeAlike(ada);
  const taskId = await writeAlike(bob);
  const secretly = { title: 'Ask Butterworth', description: `Mail ${bob.email}` };
  await make(bob, 'tasks.update', {
    params: { id: taskId },
    body: { description: secretly.description },
  });
  await make(bob, 'tasks.assign', { params: { id: taskId }, body: { assigneeIds: [ada.id] } });
  // Named by him, touched by her.
  const untouched = await make(bob, 'tasks.create', {
    params: { projectId: team.projectId },
    body: secretly,
  });
  const params = { taskId: untouched.id };
  await make(ada, 'comments.create', { params, body: { body: 'Seen' } });
  await make(ada, 'tasks.update', { params: { id: untouched.id }, body: { priority: 'HIGH' } });
  const collectionId = await newCollection(api, ada, 'At home');
  await uploadFile(api, ada, someFile(1234, 'home.bin'), { collectionId });
  const own = await filledTeam(api, { owner: ada, member: bob, mark: 'own', times: 2 });
  const invited = { params: { id: own.organizationId }, body: { email: bob.email } };
  await call(api, 'organizations.invite', { token: ada.token, ...invited });

  ada = await logIn(api, ada);
  const { data } = (await call(api, 'account.latestExport', { token: ada.token })).body;
  expect(data.export.status).toBe('READY');
  zip = await downloadExport(api, ada, await exportOf(api, ada));
  entries = zipEntries(zip);
}, 300_000);

/** What the people of this test have none of. */
const rare = [
  'email_change_requests.jsonl',
  'email_changes.jsonl',
  'identities.jsonl',
  'totp_factors.jsonl',
];

test('the files are those that the tables declare, with their columns', () => {
  const wanted = exportedTables.map(({ name }) => `${name}.jsonl`);
  expect([...entries.keys()].toSorted()).toEqual(
    [...wanted, 'README.txt', 'files.json'].toSorted(),
  );
  expect(wanted.length).toBeGreaterThan(20);
  const problems = exportedTables.flatMap(({ name, exported, isByOrganization }) => {
    const columns = [...(isByOrganization ? ['organizationId'] : []), ...exported.columns];
    return lines(name).flatMap((line) =>
      String(Object.keys(line)) === String(columns) ? [] : [`${name}: ${JSON.stringify(line)}`],
    );
  });
  expect(problems).toEqual([]);
  const empty = wanted.filter((name) => entries.get(name) === '');
  expect(empty.filter((name) => !rare.includes(name))).toEqual([]);
});

test.each([
  { name: 'activities', log: activities, action: 'task.create' },
  { name: 'account_activities', log: accountActivities, action: 'user.export' },
])('every row of one’s own in $name is there, and no other', async ({ name, log, action }) => {
  const own = await api.db.select({ id: log.id }).from(log).where(eq(log.actorId, ada.id));
  const exported = lines(name).map(({ id }) => String(id));
  const later = new Set(own.filter(({ id }) => !exported.includes(id)).map(({ id }) => id));
  expect([exported.length, later.size]).toEqual([own.length, 0]);
  const byTime = lines(name).map(({ createdAt }) => String(createdAt));
  expect(byTime).toEqual(byTime.toSorted());
  expect(lines(name).map((line) => line['action'])).toContain(action);
});

test('equal words of another person are not there', () => {
  for (const [table, field] of [
    ['tasks', 'description'],
    ['comments', 'body'],
    ['collections', 'title'],
  ] as const) {
    expect([table, lines(table).filter((line) => line[field] === words).length]).toEqual([
      table,
      1,
    ]);
  }
  // Hers, and the one that she is assigned to, without what he wrote in it.
  const titled = lines('tasks').filter(({ title }) => title === words);
  expect(titled.map(({ description }) => description).toSorted()).toEqual([words, null]);
});

test('nothing of another person is there: no name, address or id', () => {
  const text = zip.toString('latin1').toLowerCase();
  const traces = [bob.email, bob.email.split('@')[0], his.firstName, his.lastName, bob.id];
  expect(traces.filter((trace) => text.includes(String(trace).toLowerCase()))).toEqual([]);
  expect(
    [ada.email, hers.firstName, ada.id].filter((trace) => !text.includes(trace.toLowerCase())),
  ).toEqual([]);
});

test('no secret is there: no hash, no sealed value, no address in the storage, no code of a link', async () => {
  const secrets: string[] = [];
  for (const { table } of catalogue) {
    const bytes = Object.keys(table).filter(
      (name) => name !== 'enableRLS' && columnTypeOf(table, name) === 'bytea',
    );
    for (const name of bytes) {
      const column = columnOf(table, name);
      const rows = await api.db
        .select({ value: column })
        .from(table)
        .where(sql`${column} is not null`);
      for (const { value } of rows) {
        const found = Buffer.from(value as Buffer);
        secrets.push(found.toString('hex'), found.toString('base64'), found.toString('base64url'));
      }
    }
  }
  const passwords = await api.db.select({ hash: users.passwordHash }).from(users);
  const links = await api.db.select({ code: assets.shortCode }).from(assets);
  const keys = await api.db.execute<{ key: string }>(sql`
    select key from stored_objects union all select key from account_exports where key is not null
    union all select avatar_key from users where avatar_key is not null`);
  secrets.push(
    ...passwords.flatMap(({ hash }) => hash ?? []),
    ...links.map(({ code }) => code),
    ...keys.map(({ key }) => key),
  );
  expect(secrets.length).toBeGreaterThan(50);
  const text = zip.toString('latin1');
  expect(secrets.filter((secret) => secret !== '' && text.includes(secret))).toEqual([]);
});

test('files.json names the files at home, with size and checksum', async () => {
  const files: { name: string }[] = JSON.parse(String(entries.get('files.json')));
  expect(files.map(({ name }) => name)).toEqual(['home.bin', 'own.bin']);
  expect(files[0]).toEqual({
    id: expect.any(String),
    name: 'home.bin',
    contentType: 'application/octet-stream',
    sizeBytes: 1234,
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    versionNumber: 1,
    collectionId: expect.any(String),
  });
});

describe('an organization that the person may no longer read', () => {
  const contentOf = (id: string, exported: ReadonlyMap<string, string>) =>
    exportedTables
      .filter(({ isByOrganization }) => isByOrganization)
      .flatMap(({ name }) => linesOf(exported.get(`${name}.jsonl`)))
      .filter(({ organizationId }) => organizationId === id);

  async function exportedAfter(end: (teamId: string, user: TestUser) => Promise<unknown>) {
    const user = await newUser(api, 'former');
    const { id } = await newTeam(api, user, 'Former team');
    const inTeam = { token: user.token, organizationId: id };
    await call(api, 'collections.create', { ...inTeam, body: { title: 'Left behind' } });
    const before = zipEntries(await downloadExport(api, user, await exportOf(api, user)));
    expect(contentOf(id, before)).toHaveLength(1);
    expect(before.get('organizations.jsonl')).toContain('Former team');
    await end(id, user);
    const after = zipEntries(await downloadExport(api, user, await exportOf(api, user)));
    expect(contentOf(id, after)).toEqual([]);
    expect([...after.values()].join('\n')).not.toMatch(/Left behind|Former team/);
    // What the person did stays theirs.
    const done = linesOf(after.get('activities.jsonl')).filter(
      ({ organizationId }) => organizationId === id,
    );
    expect(done.map(({ action }) => action)).toContain('collection.create');
    return linesOf(after.get('memberships.jsonl')).filter(
      ({ organizationId }) => organizationId === id,
    );
  }

  const ofMember = (id: string, user: TestUser) =>
    sql`${eq(memberships.organizationId, id)} and ${eq(memberships.userId, user.id)}`;

  test('is left out when the membership has ended', async () => {
    const left = await exportedAfter((id, user) =>
      api.db.delete(memberships).where(ofMember(id, user)),
    );
    expect(left).toEqual([]);
  });

  test('is left out while the membership is suspended, which is told', async () => {
    const left = await exportedAfter((id, user) =>
      api.db.update(memberships).set({ status: 'SUSPENDED' }).where(ofMember(id, user)),
    );
    expect(left).toMatchObject([{ status: 'SUSPENDED' }]);
  });

  test('is left out while it requires a second factor that the account lacks', async () => {
    const left = await exportedAfter((id) =>
      api.db
        .update(organizations)
        .set({ secondFactorRequiredFrom: api.clock.now() })
        .where(eq(organizations.id, id)),
    );
    expect(left).toMatchObject([{ status: 'ACTIVE' }]);
  });
});

function columnTypeOf(table: (typeof catalogue)[number]['table'], name: string): string | null {
  try {
    return columnOf(table, name).getSQLType();
  } catch {
    return null;
  }
}
