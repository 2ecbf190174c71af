// @module-tag slow

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { and, asc, eq, gt, isNull } from 'drizzle-orm';
import { afterAll, describe, expect, test } from 'vitest';
import { accountActivities, refreshTokens, sessions, users } from '../../db/generated/schema.ts';
import {
  logIn,
  newUser,
  nextMail,
  somePassword,
  tokenIn,
  type TestUser,
} from '../../testing/accounts.ts';
import { call, someEmail } from '../../testing/api.ts';
import { operate as operateHere, runOperatorProcess } from '../../testing/operator.ts';
import { setUpApi } from '../../testing/set-up.ts';

afterAll(() => rm(emptyDir, { recursive: true }));
const [api, emptyDir] = await Promise.all([setUpApi(), mkdtemp(join(tmpdir(), 'operator-'))]);

const operate = (...args: string[]) => operateHere(args, { DATABASE_URL: api.config.DATABASE_URL });
const whoAmI = ({ token }: Pick<TestUser, 'token'>) => call(api, 'auth.user', { token });
const tryLogin = ({ email }: Pick<TestUser, 'email'>) =>
  call(api, 'auth.login', { body: { email, password: somePassword } });
const refresh = (refreshToken: string) => call(api, 'auth.refresh', { body: { refreshToken } });

async function registered(): Promise<string> {
  const email = someEmail('pending');
  await call(api, 'auth.register', { body: { email, password: somePassword } });
  return email;
}

async function stored(email: string) {
  const [row] = await api.db.select().from(users).where(eq(users.email, email));
  return row;
}

/** Activities of an account without an actor. */
async function deedsTo(userId: string) {
  const rows = await api.db
    .select()
    .from(accountActivities)
    .where(and(eq(accountActivities.resourceId, userId), isNull(accountActivities.actorId)))
    .orderBy(asc(accountActivities.id));
  return rows.map(({ action, changes }) => ({ action, changes }));
}

async function openSessionsOf(userId: string): Promise<number> {
  const open = await api.db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isNull(sessions.endedAt)));
  return open.length;
}

describe('the command line', () => {
  test('is a program with output, errors and exit codes', async () => {
    const user = await newUser(api);
    const environment = { DATABASE_URL: api.config.DATABASE_URL };
    const done = await runOperatorProcess(['suspend', user.email], environment);
    expect([done.exitCode, done.stderr]).toEqual([0, '']);
    expect(done.stdout).toContain(user.email);
    expect((await whoAmI(user)).status).toBe(401);
    const refused = await runOperatorProcess(['suspend', 'nobody@example.com'], environment);
    expect([refused.exitCode, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('nobody@example.com');
    expect((await runOperatorProcess(['promote'], environment)).exitCode).toBe(2);
  });

  test.each<[string, string[], RegExp]>([
    ['nothing', [], /Name a command/],
    ['an unknown command', ['promote', 'a@b.co'], /no command "promote"/],
    ['a command of every object', ['constructor', 'a@b.co'], /no command "constructor"/],
    ['no email', ['suspend'], /suspend needs the email/],
    ['two emails', ['suspend', 'a@b.co', 'c@d.co'], /one email and nothing more/],
    ['no address', ['suspend', 'nobody'], /"nobody" is not an email/],
    ['an unknown option', ['suspend', '--force', 'a@b.co'], /--force/],
  ])('given %s explains itself and exits 2', async (_, args, reason) => {
    const { exitCode, stdout, stderr } = await operate(...args);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(reason);
    expect(stderr).toContain('Usage: pnpm operator <command> <email>');
  });

  test('has a help text with every command', async () => {
    const { exitCode, stdout } = await operate('--help');
    expect(exitCode).toBe(0);
    for (const name of [
      'grant-admin',
      'revoke-admin',
      'suspend',
      'reinstate',
      'sessions',
      'end-sessions',
    ]) {
      expect(stdout).toContain(`  ${name} `);
    }
  });

  test.each(['grant-admin', 'revoke-admin', 'suspend', 'reinstate', 'sessions', 'end-sessions'])(
    '%s of an unknown email reports it and exits 1',
    async (name) => {
      const email = someEmail();
      expect(await operate(name, email)).toEqual({
        exitCode: 1,
        stdout: '',
        stderr: `There is no account with the email ${email}.`,
      });
    },
  );

  test('without a database or a running stack reports this and exits 1', async () => {
    const run = await operateHere(['sessions', 'a@b.co'], { ATELIER_DATA_DIR: emptyDir });
    expect([run.exitCode, run.stdout]).toEqual([1, '']);
    expect(run.stderr).toMatch(/^DATABASE_URL is not set and no embedded stack is running/);
  });

  test('finds the running embedded stack, and tolerates a damaged file of it', async () => {
    const directory = await mkdtemp(join(emptyDir, 'stack-'));
    const environment = { ATELIER_DATA_DIR: directory, DATABASE_URL: '' };
    const { email } = await newUser(api);
    const file = join(directory, 'stack.json');
    await writeFile(
      file,
      JSON.stringify({ databaseUrl: api.config.DATABASE_URL, pid: process.pid }),
    );
    const found = await runOperatorProcess(['end-sessions', email], environment);
    expect(found).toMatchObject({ exitCode: 0, stdout: `1 session of ${email} ended.` });
    for (const damaged of ['{"databaseU', '[]', '{"databaseUrl":"http://x"}']) {
      await writeFile(file, damaged);
      const run = await operateHere(['sessions', email], environment);
      expect(run).toMatchObject({ exitCode: 1, stderr: `${file} names no database.` });
    }
  });

  test('reports an unavailable database in one line, without the password', async () => {
    const run = await operateHere(['sessions', 'a@b.co'], {
      DATABASE_URL: 'postgres://someone:hunter2@127.0.0.1:1/none',
    });
    expect([run.exitCode, run.stdout]).toEqual([1, '']);
    expect(run.stderr).toMatch(/^The database could not be used \(ECONNREFUSED\): .+$/);
    expect(run.stderr).not.toContain('hunter2');
  });
});

describe('administrators', () => {
  test('are granted and revoked, immediately and once', async () => {
    const user = await newUser(api);
    const { email } = user;
    const sentences = [];
    for (const name of ['grant-admin', 'grant-admin', 'revoke-admin', 'revoke-admin']) {
      const { exitCode, stdout } = await operate(name, ` ${email.toUpperCase()} `);
      expect(exitCode).toBe(0);
      sentences.push([stdout.split('. ')[0], (await whoAmI(user)).body.data.platformRole]);
    }
    expect(sentences).toEqual([
      [`${email} is an administrator now.`, 'ADMIN'],
      [`${email} is already an administrator.`, 'ADMIN'],
      [`${email} is not an administrator any more`, 'USER'],
      [`${email} is not an administrator.`, 'USER'],
    ]);
    expect(await deedsTo(user.id)).toEqual([
      {
        action: 'user.grant_admin',
        changes: [{ field: 'platformRole', from: 'USER', to: 'ADMIN' }],
      },
      {
        action: 'user.revoke_admin',
        changes: [{ field: 'platformRole', from: 'ADMIN', to: 'USER' }],
      },
    ]);
  });

  test('are never granted for an unproven mailbox or a suspended account', async () => {
    const pending = await registered();
    const refused = await operate('grant-admin', pending);
    expect([refused.exitCode, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toContain('is not verified yet');
    const user = await newUser(api);
    await operate('suspend', user.email);
    expect((await operate('grant-admin', user.email)).stderr).toContain('reinstate it first');
    for (const email of [pending, user.email]) {
      expect(await stored(email)).toMatchObject({ platformRole: 'USER' });
    }
  });
});

describe('suspension', () => {
  test('ends every session immediately, refuses logins, and can be undone', async () => {
    const user = await newUser(api);
    const elsewhere = await logIn(api, user);
    const bystander = await newUser(api);
    expect(await operate('suspend', user.email)).toEqual({
      exitCode: 0,
      stdout: `${user.email} is suspended, and all its sessions are ended.`,
      stderr: '',
    });
    for (const device of [user, elsewhere]) {
      expect((await whoAmI(device)).status).toBe(401);
      expect((await refresh(device.refreshToken)).status).toBe(401);
    }
    expect((await tryLogin(user)).body.code).toBe('account_suspended');
    expect((await whoAmI(bystander)).status).toBe(200);
    expect(await openSessionsOf(user.id)).toBe(0);
    const again = await operate('suspend', user.email);
    expect(again).toMatchObject({ exitCode: 0, stdout: `${user.email} is already suspended.` });

    const back = await operate('reinstate', user.email);
    expect(back.stdout).toBe(`${user.email} is reinstated and may sign in again.`);
    expect((await whoAmI(user)).status).toBe(401);
    expect((await tryLogin(user)).status).toBe(200);
    const backAgain = await operate('reinstate', user.email);
    expect(backAgain).toMatchObject({ exitCode: 0, stdout: `${user.email} is not suspended.` });
    expect(await deedsTo(user.id)).toEqual([
      {
        action: 'user.suspend',
        changes: [{ field: 'accountStatus', from: 'VERIFIED', to: 'SUSPENDED' }],
      },
      {
        action: 'user.reinstate',
        changes: [{ field: 'accountStatus', from: 'SUSPENDED', to: 'VERIFIED' }],
      },
    ]);
  });

  test('is refused for a pending account, as is its end', async () => {
    const email = await registered();
    const runs = await Promise.all([operate('suspend', email), operate('reinstate', email)]);
    for (const run of runs) {
      expect([run.exitCode, run.stdout]).toEqual([1, '']);
      expect(run.stderr).toContain('not verified yet');
    }
    const account = await stored(email);
    expect(account).toMatchObject({ accountStatus: 'PENDING' });
    expect(await deedsTo(String(account?.id))).toEqual([]);
    const token = tokenIn(await nextMail(email));
    expect((await call(api, 'auth.verifyEmail', { body: { token } })).status).toBe(200);
  });

  test.each([1, 2, 3])('amid logins and refreshes leaves no session alive (%i)', async () => {
    const user = await newUser(api);
    let isRunning = true;
    const tokens: string[] = [user.token];
    const logsIn = async () => {
      while (isRunning) {
        const { status, body } = await tryLogin(user);
        if (status === 200) tokens.push(body.data.token.accessToken);
      }
    };
    const refreshes = async (session: TestUser) => {
      let { refreshToken } = session;
      while (isRunning) {
        const { status, body } = await refresh(refreshToken);
        if (status !== 200) return;
        tokens.push(body.data.token);
        ({ refreshToken } = body.data);
      }
    };
    // Refreshes start first: they are so fast that the account may be suspended before a login ends.
    const sessions = await Promise.all([logIn(api, user), logIn(api, user)]);
    const traffic = Promise.all([logsIn(), logsIn(), logsIn(), ...sessions.map(refreshes)]);
    await expect.poll(() => tokens.length, { interval: 5, timeout: 15_000 }).toBeGreaterThan(10);
    const run = await operate('suspend', user.email);
    isRunning = false;
    await traffic;
    expect(run.exitCode).toBe(0);
    expect(await openSessionsOf(user.id)).toBe(0);
    const usable = await api.db
      .select()
      .from(refreshTokens)
      .where(
        and(
          eq(refreshTokens.userId, user.id),
          isNull(refreshTokens.revokedAt),
          gt(refreshTokens.expiresAt, new Date()),
        ),
      );
    expect(usable).toEqual([]);
    const statuses = await Promise.all(
      tokens.map(async (token) => (await whoAmI({ token })).status),
    );
    expect(new Set(statuses)).toEqual(new Set([401]));
  });

  test('twice in parallel suspends once', async () => {
    const user = await newUser(api);
    const runs = await Promise.all([
      operate('suspend', user.email),
      operate('suspend', user.email),
    ]);
    expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(await deedsTo(user.id)).toHaveLength(1);
  });
});

describe('sessions', () => {
  test('are listed with id, device, address and last use, and are ended together', async () => {
    const user = await newUser(api);
    await call(api, 'auth.login', {
      body: { email: user.email, password: somePassword },
      headers: { 'user-agent': 'curl/8.11.0' },
    });
    const { exitCode, stdout } = await operate('sessions', user.email);
    expect(exitCode).toBe(0);
    const [head, ...lines] = stdout.split('\n').map((line) => line.split(/ {2,}/));
    expect(head).toEqual(['ID', 'DEVICE', 'ADDRESS', 'LAST USED']);
    const rows = await api.db.select().from(sessions).where(eq(sessions.userId, user.id));
    expect(lines.map(([id]) => id).toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
    expect(lines[0]).toEqual([
      expect.any(String),
      'curl',
      '127.0.0.1',
      expect.stringMatching(/^\d{4}-\d\d-\d\dT.+Z$/),
    ]);

    const ended = await operate('end-sessions', user.email);
    expect(ended.stdout).toBe(`2 sessions of ${user.email} ended.`);
    const fresh = await logIn(api, user);
    expect((await whoAmI(user)).status).toBe(401);
    expect((await refresh(user.refreshToken)).status).toBe(401);
    expect((await whoAmI(fresh)).status).toBe(200);

    await operate('end-sessions', user.email);
    for (const name of ['sessions', 'end-sessions']) {
      const none = await operate(name, user.email);
      expect(none).toMatchObject({ exitCode: 0, stdout: `${user.email} has no open session.` });
    }
    expect(await deedsTo(user.id)).toHaveLength(2);
  });
});
