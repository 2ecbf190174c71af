import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { logIn, mailsTo, newUser, type TestUser } from '../../testing/accounts.ts';
import { call } from '../../testing/api.ts';
import { recordChange } from '../../testing/changes.ts';
import { openStream } from '../../testing/event-streams.ts';
import { untilIdle } from '../../testing/library.ts';
import { joinTeam, newTeam } from '../../testing/organizations.ts';
import { enrol, nextTotp, type Authenticator } from '../../testing/second-factors.ts';
import { setUpApi } from '../../testing/set-up.ts';

const api = await setUpApi();

let owner: TestUser & Authenticator;
let member: TestUser;
beforeAll(async () => {
  const user = await newUser(api);
  owner = { ...user, ...(await enrol(api, user)) };
  member = await newUser(api);
});

/** A new session of the owner, who confirms by signing in. */
const signIn = () => signInWith(owner, owner.secret);

async function signInWith(user: TestUser, secret: Buffer): Promise<string> {
  const credentials = { ...user, secondFactor: nextTotp(secret, api) };
  return (await logIn(api, credentials)).token;
}

async function team(): Promise<string> {
  const { id } = await newTeam(api, owner);
  await joinTeam(api, id, member, 'MEMBER');
  return id;
}

const decide = (id: string, token: string, requireSecondFactor = true) =>
  call(api, 'organizations.updateSecurityPolicy', {
    token,
    params: { id },
    body: { requireSecondFactor },
  });

const read = async (id: string, token: string) => {
  const { status, body } = await call(api, 'collections.list', { token, organizationId: id });
  return [status, body.code];
};

const refused = [403, 'second_factor_enrollment_required'];
const allowed = [200, undefined];

test('a member without a second factor is refused after 14 days, in that team only, until they add one', async () => {
  const strict = await team();
  const other = await team();
  const before = (await mailsTo(member.email)).length;
  const changed = await decide(strict, await signIn());
  expect(changed.status).toBe(200);
  const { secondFactorRequiredFrom, updatedAt } = changed.body.data;
  const from = new Date(secondFactorRequiredFrom);
  expect(from.getTime() - Date.parse(updatedAt)).toBe(14 * 24 * 60 * 60 * 1000);
  await untilIdle(api);
  const [mail, ...more] = (await mailsTo(member.email)).slice(before);
  expect(more).toEqual([]);
  expect(mail?.subject).toBe('Analytical Engines requires a second factor');
  expect(mail?.text).toContain(from.toISOString().slice(0, 10));

  api.clock.advance({ seconds: 14 * 24 * 60 * 60 - 60 });
  let { token } = await logIn(api, member);
  expect(await read(strict, token)).toEqual(allowed);
  api.clock.advance({ seconds: 61 });
  ({ token } = await logIn(api, member));
  expect(await read(strict, token)).toEqual(refused);
  const organization = await call(api, 'organizations.get', { token, params: { id: strict } });
  expect([organization.status, organization.body.code]).toEqual(refused);
  expect(await read(other, token)).toEqual(allowed);
  expect((await call(api, 'collections.list', { token })).status).toBe(200);
  const listed = await call(api, 'organizations.list', { token });
  const organizations: { id: string; secondFactorRequiredFrom: string | null }[] =
    listed.body.data.items;
  expect(organizations.find(({ id }) => id === strict)).toMatchObject({
    secondFactorRequiredFrom: from.toISOString(),
  });
  expect(await read(strict, await signIn())).toEqual(allowed);

  const { secret } = await enrol(api, { token });
  expect(await read(strict, token)).toEqual(allowed);
  await call(api, 'security.disableTotp', { token: await signInWith(member, secret) });
  expect(await read(strict, token)).toEqual(refused);
});

test('members are mailed at most once a day, however often it is decided', async () => {
  const strict = await team();
  const mails = async () => {
    await untilIdle(api);
    const subjects = (await mailsTo(member.email)).map(({ subject }) => subject);
    return subjects.filter((each) => each.includes('requires a second factor')).length;
  };
  const before = await mails();
  const token = await signIn();
  expect((await decide(strict, token, true)).status).toBe(200);
  // Its job mails nothing if it runs while nothing is required.
  expect(await mails()).toBe(before + 1);
  for (const isRequired of [false, true, false, true, false, true]) {
    expect((await decide(strict, token, isRequired)).status).toBe(200);
  }
  expect(await mails()).toBe(before + 1);
  const [waiting, ...more] = await api.db.execute<{ seconds: number }>(sql`
    update graphile_worker._private_jobs set run_at = now() where key like ${`%${strict}:${member.id}`}
    returning extract(epoch from old.run_at)::float8 as seconds`);
  expect(more).toEqual([]);
  expect((waiting?.seconds ?? 0) * 1000 - api.clock.now().getTime()).toBeGreaterThan(86_000_000);
  expect(await mails()).toBe(before + 2);
});

test('who decides it, and takes it back, is told by mail', async () => {
  const strict = await team();
  const subject = 'What a team requires to sign in was changed';
  const mails = async () => {
    await untilIdle(api);
    return (await mailsTo(owner.email)).filter((mail) => mail.subject === subject).length;
  };
  const before = await mails();
  const token = await signIn();
  for (const isRequired of [true, true, false]) await decide(strict, token, isRequired);
  expect(await mails()).toBe(before + 2);
});

test('an administrator without a second factor has no timeline of the team either', async () => {
  const strict = await team();
  const admin = await newUser(api);
  await joinTeam(api, strict, admin, 'ADMIN');
  await decide(strict, await signIn());
  api.clock.advance({ seconds: 14 * 24 * 60 * 60 });
  const { token } = await logIn(api, admin);
  const timeline = await call(api, 'timeline.list', { token, organizationId: strict });
  expect([timeline.status, timeline.body.code]).toEqual(refused);
});

/** Makes a key of the member and one of a service account. */
async function keysFor(strict: string, token: string) {
  const params = { id: strict };
  const created = await call(api, 'serviceAccounts.create', {
    token,
    params,
    body: { name: 'Builder', role: 'MEMBER' },
  });
  expect(created.status).toBe(201);
  const body = { name: 'Build', preset: 'contributor', expiresInDays: null };
  const service = await call(api, 'serviceAccounts.createKey', {
    token,
    params: { ...params, accountId: created.body.data.id },
    body,
  });
  expect(service.status).toBe(201);
  const made = await call(api, 'apiKeys.create', {
    token: (await logIn(api, member)).token,
    body: { ...body, organizationIds: [strict] },
  });
  return { personal: made.body.data.key, service: service.body.data.key };
}

test('an API key of a person needs the second factor of its person, one of a service account none', async () => {
  const strict = await team();
  const token = await signIn();
  const { personal, service } = await keysFor(strict, token);
  await decide(strict, token);
  expect(await read(strict, personal)).toEqual(allowed);
  api.clock.advance({ seconds: 14 * 24 * 60 * 60 });
  expect(await read(strict, personal)).toEqual(refused);
  expect(await read(strict, service)).toEqual(allowed);
});

test('live updates end with the 14 days for a person without a second factor, and never for a service account', async () => {
  const strict = await team();
  const token = await signIn();
  const { personal, service } = await keysFor(strict, token);
  await decide(strict, token);
  const stream = await openStream(api, { token: personal, organizationId: strict });
  const exempt = await openStream(api, { token: service, organizationId: strict });
  api.clock.advance({ seconds: 14 * 24 * 60 * 60 });
  expect(await stream.closed()).toBe('access_ended');
  await exempt.change(await recordChange(api.db, strict));
  exempt.leave();
});

describe('the owner who asks for it', () => {
  test('needs a second factor', async () => {
    const user = await newUser(api);
    const { id } = await newTeam(api, user);
    const { status, body } = await decide(id, user.token);
    expect([status, body.code]).toEqual(refused);
    expect((await decide(id, user.token, false)).status).toBe(200);
  });

  test('begins the wait once, and can end it', async () => {
    const id = await team();
    const token = await signIn();
    const first = await decide(id, token);
    api.clock.advance({ seconds: 300 });
    const again = await decide(id, token);
    expect(again.body.data).toEqual(first.body.data);
    const [off, repeated] = [await decide(id, token, false), await decide(id, token, false)];
    expect(off.body.data.secondFactorRequiredFrom).toBeNull();
    expect(repeated.body.data).toEqual(off.body.data);
    const stale = await call(api, 'organizations.updateSecurityPolicy', {
      token,
      params: { id },
      body: { requireSecondFactor: true },
      headers: { 'if-match': first.headers.get('etag') ?? '' },
    });
    expect(stale.status).toBe(412);
  });

  test('is an owner, of a team', async () => {
    const id = await team();
    const admin = await newUser(api);
    await joinTeam(api, id, admin, 'ADMIN');
    expect((await decide(id, admin.token)).body.code).toBe('permission_denied');
    const stranger = await newUser(api);
    expect((await decide(id, stranger.token)).body.code).toBe('not_found');
    const own = await decide(owner.organizationId, await signIn());
    expect([own.status, own.body.code]).toEqual([409, 'personal_organization']);
  });
});

test('a member who has a second factor gets no mail, nor one who is suspended', async () => {
  const id = await team();
  const [enrolled, suspended] = [await newUser(api), await newUser(api)];
  await enrol(api, enrolled);
  await joinTeam(api, id, enrolled, 'VIEWER');
  await joinTeam(api, id, suspended, 'MEMBER', 'SUSPENDED');
  await decide(id, await signIn());
  await untilIdle(api);
  const subjects = [enrolled, suspended].map(async ({ email }) =>
    (await mailsTo(email)).map(({ subject }) => subject),
  );
  expect((await Promise.all(subjects)).flat()).not.toContain(
    'Analytical Engines requires a second factor',
  );
});
