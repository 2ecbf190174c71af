// @module-tag slow

import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { afterAll, describe, expect, test } from 'vitest';
import { accountActivities } from '../db/generated/schema.ts';
import { logIn, mailsTo, newUser, nextMail, somePassword, tokenIn } from '../testing/accounts.ts';
import { call, cloneDatabase, send, someEmail, testEnvironment } from '../testing/api.ts';
import { endApiProcesses, startApiProcess } from '../testing/api-process.ts';
import { Browser } from '../testing/browser.ts';
import { openStream } from '../testing/event-streams.ts';
import { invite } from '../testing/invitations.ts';
import { joinTeam, newTeam } from '../testing/organizations.ts';
import { setUpApi } from '../testing/set-up.ts';

type Line = Readonly<Record<string, unknown>>;

const databaseUrl = await cloneDatabase();
const api = await startApiProcess({
  ...testEnvironment(databaseUrl),
  TRUSTED_PROXIES: '127.0.0.1',
});
const reader = await setUpApi({ JOBS: 'separate' }, { databaseUrl });
afterAll(() => endApiProcesses());

let requests = 0;
const nextRequestId = () => `event-${(requests += 1)}`;

/** Waits for the log line of a request. @returns it, and the lines of its security events */
async function linesOf(requestId: string): Promise<{ line: Line; events: Line[] }> {
  const all = () =>
    api
      .output()
      .split('\n')
      .filter((line) => line.includes(`"${requestId}"`) && line.endsWith('}'))
      .map((line) => JSON.parse(line) as Line);
  await expect.poll(() => all().some(({ msg }) => msg === 'request')).toBe(true);
  const lines = all();
  const line = lines.find(({ msg }) => msg === 'request') ?? {};
  return { line, events: lines.filter(({ msg }) => msg === 'security event') };
}

const hash = expect.stringMatching(/^[0-9a-f]{16}$/);

async function tryLogin(email: string, from = '192.0.2.1'): Promise<string> {
  const id = nextRequestId();
  const headers = { 'x-request-id': id, 'x-forwarded-for': from };
  await call(api, 'auth.login', { body: { email, password: 'not the password' }, headers });
  return id;
}

describe('failed logins', () => {
  test('record an event with code, operation and keyed hashes, in the same way for known and unknown accounts', async () => {
    const { email } = await newUser(api);
    const nobody = someEmail('nobody');
    for (const address of [email, nobody]) {
      const { line, events } = await linesOf(await tryLogin(address));
      const said = { code: 'invalid_credentials', operation: 'auth.login', addressHash: hash };
      expect(line).toMatchObject({ ...said, status: 400 });
      expect(events).toEqual([
        expect.objectContaining({ ...said, event: 'login_failed', accountHash: hash }),
      ]);
    }
    expect(api.output()).not.toContain(nobody);
    expect(api.output()).not.toContain(email);
    expect(api.output()).not.toContain('192.0.2.1');
  });

  test('of one account have one hash in any spelling, and of another account another', async () => {
    const email = someEmail('guessed');
    const hashes: unknown[] = [];
    for (const typed of [email, ` ${email.toUpperCase()} `, someEmail('other')]) {
      const { events } = await linesOf(await tryLogin(typed));
      hashes.push(events[0]?.['accountHash']);
    }
    expect(hashes[1]).toBe(hashes[0]);
    expect(hashes[2]).not.toBe(hashes[0]);
  });

  test('from one IPv6 network have one hash, from the next one another', async () => {
    const hashes: unknown[] = [];
    for (const from of ['2001:db8::1', '2001:db8::ffff:1', '2001:db8:0:1::1', '192.0.2.7']) {
      hashes.push((await linesOf(await tryLogin(someEmail(), from))).events[0]?.['addressHash']);
    }
    expect(hashes[1]).toBe(hashes[0]);
    expect(new Set(hashes).size).toBe(3);
  });

  test('by a code, or in the callback of a provider, record one too', async () => {
    const exchange = nextRequestId();
    const headers = { 'x-request-id': exchange };
    await call(api, 'auth.exchange', { body: { code: 'nobody-has-this' }, headers });
    expect((await linesOf(exchange)).events).toEqual([
      expect.objectContaining({
        event: 'login_failed',
        code: 'invalid_or_expired_code',
        operation: 'auth.exchange',
      }),
    ]);
    const back = await new Browser(api).toCallback('google', someEmail('grace'));
    const callback = nextRequestId();
    const response = await send(api, `${back.pathname}?state=forged&code=forged`, {
      redirect: 'manual',
      headers: { 'x-request-id': callback },
    });
    expect(response.headers.get('location')).toContain('error=');
    expect((await linesOf(callback)).events).toEqual([
      expect.objectContaining({ event: 'login_failed', operation: 'auth.googleCallback' }),
    ]);
  });
});

describe('a replayed token', () => {
  const ofUser = (id: string) =>
    reader.db.select().from(accountActivities).where(eq(accountActivities.resourceId, id));

  test('40 times at once: one activity, one mail, an event for each replay', async () => {
    const user = await newUser(api);
    await logIn(api, user);
    await call(api, 'auth.refresh', { body: { refreshToken: user.refreshToken } });
    const ids = Array.from({ length: 40 }, nextRequestId);
    const responses = await Promise.all(
      ids.map((id) =>
        call(api, 'auth.refresh', {
          body: { refreshToken: user.refreshToken },
          headers: { 'x-request-id': id },
        }),
      ),
    );
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([401]));
    const lines = await Promise.all(ids.map(linesOf));
    const events = lines.flatMap((one) => one.events).map(({ event }) => event);
    expect(events.filter((event) => event === 'token_replay')).toHaveLength(40);
    expect(events.filter((event) => event === 'sessions_ended')).toHaveLength(1);
    for (const { line, events: own } of lines) {
      expect(line).toMatchObject({ code: 'access_denied', operation: 'auth.refresh', status: 401 });
      expect(own[0]).toMatchObject({ level: 40, accountHash: hash, addressHash: hash });
    }

    const replays = (await ofUser(user.id)).filter(({ action }) => action === 'user.token_replay');
    expect(replays).toHaveLength(1);
    expect(replays[0]).toMatchObject({
      actorId: user.id,
      resourceName: user.email,
      metadata: { endedCount: 2 },
    });
    const isNotice = ({ subject }: { subject: string }) => subject.includes('signed out');
    await expect
      .poll(async () => (await mailsTo(user.email)).filter(isNotice).length)
      .toBeGreaterThan(0);
    // A mail that was requested later has arrived: no second notice is pending.
    await call(api, 'auth.requestPasswordReset', { body: { email: user.email } });
    await nextMail(user.email, 3);
    const notices = (await mailsTo(user.email)).filter(isNotice);
    expect(notices).toHaveLength(1);
    expect(notices[0]?.text.match(/https?:\/\//g)).toHaveLength(1);
  });

  test('is in the timeline of its owner, who has signed in again, and of no other user', async () => {
    const [user, other] = await Promise.all([newUser(api), newUser(api)]);
    await call(api, 'auth.refresh', { body: { refreshToken: user.refreshToken } });
    await call(api, 'auth.refresh', { body: { refreshToken: user.refreshToken } });
    const query = { action: 'user.token_replay' };
    const again = await logIn(api, user);
    const mine = await call(api, 'timeline.mine', { token: again.token, query });
    expect(mine.body.data.items).toMatchObject([
      { action: 'user.token_replay', actor: { id: user.id }, resourceId: user.id },
    ]);
    const theirs = await call(api, 'timeline.mine', { token: other.token, query });
    expect(theirs.body.data.items).toEqual([]);
  });

  test('that ends nothing only records the event', async () => {
    const user = await newUser(api);
    const { body } = await call(api, 'auth.refresh', { body: { refreshToken: user.refreshToken } });
    await call(api, 'auth.logout', { body: { refreshToken: body.data.refreshToken } });
    const id = nextRequestId();
    await call(api, 'auth.refresh', {
      body: { refreshToken: user.refreshToken },
      headers: { 'x-request-id': id },
    });
    expect((await linesOf(id)).events.map(({ event }) => event)).toEqual(['token_replay']);
    expect((await ofUser(user.id)).map(({ action }) => action)).not.toContain('user.token_replay');
  });
});

describe('ended sessions', () => {
  test('record an event, by sign-out, by choice and by a new password', async () => {
    const user = await newUser(api);
    const headers = () => ({ 'x-request-id': nextRequestId() });
    const [out, others, one, reset] = [headers(), headers(), headers(), headers()];
    const [first, second] = [await logIn(api, user), await logIn(api, user)];
    await call(api, 'auth.logout', { body: { refreshToken: first.refreshToken }, headers: out });
    await call(api, 'sessions.endOthers', { token: second.token, headers: others });
    const { body } = await call(api, 'sessions.list', { token: second.token });
    const params = { id: body.data.items[0].id };
    await call(api, 'sessions.end', { token: second.token, params, headers: one });
    await logIn(api, user);
    await call(api, 'auth.requestPasswordReset', { body: { email: user.email } });
    const token = tokenIn(await nextMail(user.email, 2));
    const password = 'another horse battery';
    await call(api, 'auth.resetPassword', { body: { token, password }, headers: reset });
    const hashes = new Set<unknown>();
    for (const given of [out, others, one, reset]) {
      const { events } = await linesOf(given['x-request-id']);
      expect(events.map(({ event }) => event)).toEqual(['sessions_ended']);
      hashes.add(events[0]?.['accountHash']);
    }
    expect(hashes.size).toBe(1);
    expect((await call(api, 'auth.login', { body: { ...user, password } })).status).toBe(200);
  });

  test('record none if none ended', async () => {
    const user = await newUser(api);
    const [others, out] = [nextRequestId(), nextRequestId()];
    const named = (id: string) => ({ headers: { 'x-request-id': id } });
    await call(api, 'sessions.endOthers', { token: user.token, ...named(others) });
    await call(api, 'auth.logout', { body: { refreshToken: 'nonsense' }, ...named(out) });
    for (const id of [others, out]) expect((await linesOf(id)).events).toEqual([]);
  });
});

describe('refusals', () => {
  test('of grants and of other requests are distinguished', async () => {
    const people = [newUser(api), newUser(api), newUser(api)] as const;
    const [owner, member, stranger] = await Promise.all(people);
    const { id: teamId } = await newTeam(reader, owner);
    await joinTeam(reader, teamId, member, 'MEMBER');
    const [grant, takeover, access] = [nextRequestId(), nextRequestId(), nextRequestId()];
    await call(api, 'organizations.invite', {
      token: member.token,
      params: { id: teamId },
      body: { email: someEmail(), role: 'OWNER' },
      headers: { 'x-request-id': grant },
    });
    const offer = await invite(api, owner, { teamId, email: someEmail('guest'), mails: 1 });
    await call(api, 'organizations.acceptInvitation', {
      token: stranger.token,
      params: { token: offer.token },
      headers: { 'x-request-id': takeover },
    });
    await call(api, 'organizations.rename', {
      token: member.token,
      params: { id: teamId },
      body: { name: 'Ours' },
      headers: { 'x-request-id': access },
    });
    const seen = await Promise.all([grant, takeover, access].map(linesOf));
    expect(seen.map(({ events }) => events.map(({ event, code }) => [event, code]))).toEqual([
      [['grant_refused', 'permission_denied']],
      [['grant_refused', 'invitation_email_mismatch']],
      [['access_refused', 'permission_denied']],
    ]);
    for (const { events } of seen) expect(events[0]).toMatchObject({ accountHash: hash });
  });

  test('have code, operation and hash in their line, also when they are repeated', async () => {
    const user = await newUser(api);
    const request = async () => {
      const id = nextRequestId();
      await call(api, 'collections.create', {
        token: user.token,
        body: { title: 'x' },
        headers: { 'x-organization-id': user.id, 'x-request-id': id, 'idempotency-key': 'once' },
      });
      return linesOf(id);
    };
    const said = { code: 'organization_access_denied', operation: 'collections.create' };
    for (const { line } of [await request(), await request()]) {
      expect(line).toMatchObject({ ...said, status: 403, addressHash: hash });
    }
    const id = nextRequestId();
    await send(api, '/nowhere', { headers: { 'x-request-id': id } });
    const { line } = await linesOf(id);
    expect([line['code'], line['operation'], line['addressHash']]).toEqual([
      'route_not_found',
      undefined,
      hash,
    ]);
  });

  test('for too many requests are events', async () => {
    const limited = await startApiProcess({
      ...testEnvironment(reader.config.DATABASE_URL),
      RATE_LIMIT_ENABLED: 'true',
      RATE_LIMIT_REGISTER_PER_ADDRESS: '1',
    });
    const body = { password: somePassword };
    await call(limited, 'auth.register', { body: { ...body, email: someEmail() } });
    await call(limited, 'auth.register', { body: { ...body, email: someEmail() } });
    await expect.poll(() => limited.output()).toContain('"event":"rate_limited"');
  });
});

describe('a client that disconnects before its response', () => {
  /** Sends a request, and resets the connection at once. */
  async function sendAndReset(
    path: string,
    { headers, body }: { headers: Record<string, string>; body: unknown },
  ): Promise<void> {
    const content = JSON.stringify(body);
    const head = {
      host: 'x',
      'content-type': 'application/json',
      'content-length': content.length,
      ...headers,
    };
    const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`);
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    // The service accepts a connection before it is reset only if it has had the time to.
    socket.write('GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n');
    await once(socket, 'data');
    socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${content}`);
    socket.resetAndDestroy();
    await once(socket, 'close');
  }

  test('leaves the event of its failed login and the line of its request, once', async () => {
    const email = someEmail('guessed');
    const id = nextRequestId();
    await sendAndReset('/api/auth/login', {
      headers: { 'x-request-id': id, 'x-forwarded-for': '192.0.2.1' },
      body: { email, password: 'not the password' },
    });
    const left = await linesOf(id);
    const received = await linesOf(await tryLogin(email));
    expect(left.events).toHaveLength(1);
    for (const field of ['event', 'code', 'operation', 'addressHash', 'accountHash']) {
      expect(left.events[0]?.[field]).toBe(received.events[0]?.[field]);
    }
    expect(left.line).toMatchObject({ status: 400, addressHash: received.line['addressHash'] });
    // Longer than the interval of the check for disconnected clients.
    await delay(1_500);
    expect(await linesOf(id)).toEqual(left);
    expect(api.output().split(`"requestId":"${id}"`)).toHaveLength(3);
  });

  test('leaves the line of its stream', async () => {
    const user = await newUser(api);
    const stream = await openStream(api, { token: user.token });
    const id = stream.response.headers.get('x-request-id') ?? '';
    stream.leave();
    expect((await linesOf(id)).line).toMatchObject({ route: '/api/events', status: 200 });
  });
});
