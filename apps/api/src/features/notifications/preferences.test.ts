import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { defaultDigest, defaultSettings } from '@atelier/contract';
import { notificationPreferences } from '../../db/generated/schema.ts';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { insertTask, newProject } from '../../testing/board.ts';
import { joinTeam, newTeamOf } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';

const api = await setUpApi();

let person: TestUser;

beforeEach(async () => {
  person = await newUser(api, 'person');
});

const initial = {
  reasons: defaultSettings,
  digest: defaultDigest,
  organizations: {},
  unsubscribed: {},
};

const get = () => call(api, 'notifications.preferences', { token: person.token });
const put = (body: object, headers: Record<string, string> = {}) =>
  call(api, 'notifications.setPreferences', { token: person.token, body, headers });
const own = async () => (await call(api, 'auth.user', { token: person.token })).body.data;

describe('preferences', () => {
  test('are the defaults at first, and then what was set, with the rest by default', async () => {
    expect((await get()).body.data).toEqual(initial);
    const commented = { inbox: true, mail: 'OFF' };
    const { status, body } = await put({ ...initial, reasons: { commented } });
    expect([status, body.data.reasons]).toEqual([200, { ...defaultSettings, commented }]);
    expect((await get()).body.data).toEqual(body.data);
  });

  test('are not set over those of another device', async () => {
    const eTag = (await get()).headers.get('etag') ?? '';
    const first = await put({ ...initial, reasons: {} }, { 'if-match': eTag });
    expect(first.status).toBe(200);
    const weekly = { ...initial, digest: { ...defaultDigest, frequency: 'WEEKLY' } };
    const results = await Promise.all([1, 2, 3].map(() => put(weekly, { 'if-match': eTag })));
    expect(results.map(({ status }) => status).toSorted()).toEqual([200, 412, 412]);
  });

  test.each([
    ['security that is off', { reasons: { security: { inbox: false, mail: 'OFF' } } }],
    ['an invitation without its mail', { reasons: { invited: { inbox: true, mail: 'OFF' } } }],
    ['a mail without an entry', { reasons: { changed: { inbox: false, mail: 'DIGEST' } } }],
    ['an unknown time zone', { digest: { ...defaultDigest, timeZone: 'Europe/Atlantis' } }],
    ['a legacy name of a time zone', { digest: { ...defaultDigest, timeZone: 'PST' } }],
    ['an hour after the day', { digest: { ...defaultDigest, hour: 24 } }],
    ['an organization that is no id', { organizations: { acme: 'NONE' } }],
    [
      'too many organizations',
      {
        organizations: Object.fromEntries(
          Array.from({ length: 201 }, (_, index) => [
            `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`,
            'NONE',
          ]),
        ),
      },
    ],
  ])('do not have %s', async (_, changes) => {
    expect((await put({ ...initial, ...changes })).status).toBe(400);
    expect((await get()).body.data).toEqual(initial);
  });

  test('of another release are read as far as they are known', async () => {
    const settings = {
      reasons: {
        carrier_pigeon: { inbox: true, mail: 'OFF' },
        commented: 'loud',
        changed: { inbox: false, mail: 'OFF' },
      },
      digest: { frequency: 'HOURLY' },
      organizations: { [person.organizationId]: 'WHISPER' },
      unsubscribed: { [person.organizationId]: ['mentioned', 'carrier_pigeon'] },
    };
    const row = { userId: person.id, settings, updatedAt: new Date() };
    await api.db.insert(notificationPreferences).values(row);
    const { status, body } = await get();
    expect(status).toBe(200);
    expect(body.data).toEqual({
      ...initial,
      reasons: { ...defaultSettings, changed: { inbox: false, mail: 'OFF' } },
      unsubscribed: { [person.organizationId]: ['mentioned'] },
    });
  });

  test('and the profile show the same', async () => {
    const mails = async () => {
      const { reasons } = (await get()).body.data;
      return [reasons.assigned.mail, reasons.mentioned.mail, (await own()).mailNotices];
    };
    const update = (mailNotices: boolean) =>
      call(api, 'profile.update', { token: person.token, body: { mailNotices } });
    expect(await mails()).toEqual(['INSTANT', 'INSTANT', true]);
    await update(false);
    expect(await mails()).toEqual(['OFF', 'OFF', false]);
    await put({ ...initial, reasons: { assigned: { inbox: true, mail: 'OFF' } } });
    expect(await mails()).toEqual(['OFF', 'INSTANT', true]);
    await Promise.all([update(false), put({ ...initial, reasons: {} }), update(false)]);
    const [assigned, mentioned, isMailed] = await mails();
    expect(isMailed).toBe(assigned !== 'OFF' || mentioned !== 'OFF');
  });

  test('are of one person', async () => {
    await put({ ...initial, digest: { ...defaultDigest, frequency: 'OFF' } });
    const rows = await api.db
      .select()
      .from(notificationPreferences)
      .where(eq(notificationPreferences.userId, person.id));
    expect(rows).toHaveLength(1);
    person = await newUser(api, 'another');
    expect((await get()).body.data).toEqual(initial);
  });
});

test('followers of a task are listed page by page, for members only', async () => {
  const team = await newTeamOf(api, person);
  const members = await Promise.all(['one', 'two'].map((name) => newUser(api, name)));
  for (const member of members) await joinTeam(api, team.organizationId, member, 'VIEWER');
  const projectId = await newProject(api, team);
  const { organizationId } = team;
  const id = await insertTask(api, { organizationId, projectId, createdBy: person });
  for (const { token } of members) {
    await call(api, 'notifications.follow', { token, organizationId, params: { id } });
  }
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const { status, body } = await call(api, 'notifications.followers', {
      ...team,
      params: { id },
      query: { limit: 1, ...(cursor !== undefined && { cursor }) },
    });
    expect([status, body.data.pagination.total]).toEqual([200, 3]);
    found.push(...body.data.items.map((item: { id: string }) => item.id));
    cursor = body.data.pagination.nextCursor;
  } while (cursor !== undefined);
  expect(found).toEqual([person, ...members].map((user) => user.id).toSorted());
  const stranger = await newUser(api, 'stranger');
  const foreign = await call(api, 'notifications.followers', {
    token: stranger.token,
    params: { id },
  });
  expect(foreign.status).toBe(404);
});
