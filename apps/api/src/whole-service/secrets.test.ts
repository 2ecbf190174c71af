// @module-tag slow

import { createHash, randomBytes } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { base32Of } from '../domain/second-factor/totp.ts';
import { confirmTokenOf, undoTokenOf } from '../features/account/testing.ts';
import { mailedTokenOf, newUser, nextMail, somePassword, tokenIn } from '../testing/accounts.ts';
import {
  call,
  cloneDatabase,
  send,
  someEmail,
  TestClock,
  testEnvironment,
} from '../testing/api.ts';
import { endApiProcesses, startApiProcess } from '../testing/api-process.ts';
import { Browser } from '../testing/browser.ts';
import { databaseText } from '../testing/database-text.ts';
import { invite } from '../testing/invitations.ts';
import { sinkUrl } from '../testing/receiver.ts';
import { enrol } from '../testing/second-factors.ts';
import { setUpApi } from '../testing/set-up.ts';

const secretVariables = {
  JWT_SECRET: 'the signing key of the secrets test',
  TOKEN_ENVELOPE_KEY: 'fedcba9876543210'.repeat(4),
};

const databaseUrl = await cloneDatabase();
const reader = await setUpApi({ JOBS: 'separate', ...secretVariables }, { databaseUrl });
afterEach(endApiProcesses);

/** Every encoding in which a text could occur. */
const formsOf = (secret: string) => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString('hex'),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  Buffer.from(secret).toString('base64url'),
];

test('no secret from the lifetime of an account is in the log of any level, or in the database', async () => {
  const environment: Record<string, string> = {
    ...testEnvironment(databaseUrl),
    ...secretVariables,
  };
  const api = await startApiProcess({ ...environment, LOG_LEVEL: 'trace' });
  const secrets = new Map<string, string>();
  const keep = (name: string, secret: unknown): string => {
    expect([name, typeof secret]).toEqual([name, 'string']);
    secrets.set(name, String(secret));
    return String(secret);
  };
  for (const name of [
    'JWT_SECRET',
    'TOKEN_ENVELOPE_KEY',
    'S3_SECRET_KEY',
    'OAUTH_GOOGLE_CLIENT_SECRET',
    'OAUTH_GITHUB_CLIENT_SECRET',
  ]) {
    keep(name, environment[name]);
  }

  const email = someEmail('ada');
  const password = keep('password', `${somePassword} 1`);
  const register = { body: { email, password }, headers: { 'idempotency-key': 'once' } };
  await call(api, 'auth.register', register);
  await call(api, 'auth.register', register);
  const verification = keep('verification token', tokenIn(await nextMail(email)));
  await call(api, 'auth.verifyEmail', { body: { token: verification } });
  await call(api, 'auth.verifyEmail', { body: { token: verification } });

  const mistyped = keep('mistyped password', 'correct hrose battery staple');
  expect((await call(api, 'auth.login', { body: { email, password: mistyped } })).status).toBe(400);
  const { token } = (await call(api, 'auth.login', { body: { email, password } })).body.data;
  keep('access token', token.accessToken);
  const { data } = (
    await call(api, 'auth.refresh', {
      body: { refreshToken: keep('refresh token', token.refreshToken) },
      headers: { 'idempotency-key': keep('key of a refresh', randomBytes(16).toString('hex')) },
    })
  ).body;
  keep('second access token', data.token);
  keep('second refresh token', data.refreshToken);

  const team = (
    await call(api, 'organizations.create', { token: data.token, body: { name: 'Secretive' } })
  ).body.data;
  const guest = someEmail('guest');
  const offer = { teamId: String(team.id), email: guest, mails: 1 };
  const invitation = await invite(api, { token: data.token }, offer);
  keep('invitation token', invitation.token);
  await call(api, 'organizations.getInvitation', { params: { token: invitation.token } });

  const made = await call(api, 'apiKeys.create', {
    token: data.token,
    headers: { 'idempotency-key': 'one key' },
    body: { name: 'Secretive', preset: 'everything', organizationIds: [team.id] },
  });
  const apiKey = keep('API key', made.body.data.key);
  expect((await call(api, 'tasks.list', { token: apiKey })).status).toBe(200);

  const collection = await call(api, 'collections.create', {
    token: data.token,
    body: { title: 'Files' },
  });
  const file = { fileName: 'a.bin', contentType: 'application/octet-stream', fileSize: 3 };
  const upload = await call(api, 'uploads.initiate', {
    token: data.token,
    body: { ...file, collectionId: collection.body.data.id },
  });
  expect(upload.status).toBe(201);

  for (const provider of ['google', 'github'] as const) {
    const verifier = keep(`${provider} verifier`, randomBytes(32).toString('base64url'));
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const page = await new Browser(api).signIn(provider, someEmail(provider), challenge);
    const code = keep(`${provider} exchange code`, page.searchParams.get('code'));
    const exchanged = await call(api, 'auth.exchange', { body: { code, verifier } });
    keep(`access token by ${provider}`, exchanged.body.data.token.accessToken);
    keep(`refresh token by ${provider}`, exchanged.body.data.token.refreshToken);
  }

  const contested = someEmail('contested');
  for (const attempt of [3, 4]) {
    const chosen = keep(`password ${attempt}`, `${somePassword} ${attempt}`);
    await call(api, 'auth.register', { body: { email: contested, password: chosen } });
  }
  const verified = await call(api, 'auth.verifyEmail', {
    body: { token: keep('contested verification token', tokenIn(await nextMail(contested, 2))) },
  });
  keep('token to choose a password', verified.body.data.resetToken);

  await call(api, 'auth.requestPasswordReset', { body: { email } });
  const reset = keep('reset token', tokenIn(await nextMail(email, 2)));
  await call(api, 'auth.verifyToken', { query: { token: reset } });
  const newPassword = keep('new password', `${somePassword} 2`);
  const changed = await call(api, 'auth.resetPassword', {
    body: { token: reset, password: newPassword },
  });
  expect(changed.status).toBe(200);
  await protectAnAccount(api, keep);
  await shareALink(api, keep);
  await call(api, 'apiKeys.reportLeak', { body: { key: apiKey } });
  await call(api, 'tasks.list', { token: apiKey, query: { q: apiKey } });
  // Replays, misplaced tokens, and unreadable bodies.
  await call(api, 'auth.refresh', { body: { refreshToken: token.refreshToken } });
  await call(api, 'auth.logout', { body: { refreshToken: data.refreshToken } });
  await call(api, 'auth.user', { token: data.refreshToken });
  await send(api, `/nowhere/${reset}?token=${verification}`, {
    headers: { authorization: `Bearer ${token.accessToken}`, cookie: `x=${token.refreshToken}` },
  });
  await send(api, '/api/auth/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"email":"${email}","password":"${newPassword}"`,
  });

  api.kill('SIGTERM');
  await api.exited();
  const log = api.output();
  const database = await databaseText(reader);
  // Both are what they claim to be.
  expect(log).toContain('/api/auth/reset-password');
  expect(database).toContain(email);
  expect(database).toContain(createHash('sha256').update(invitation.token).digest('hex'));

  const places = { log, database };
  const found = [...secrets].flatMap(([name, secret]) =>
    Object.entries(places).flatMap(([place, text]) =>
      formsOf(secret).some((form) => text.includes(form)) ? [`${name} in the ${place}`] : [],
    ),
  );
  expect(found).toEqual([]);
  expect(secrets.size).toBe(50);
});

type Keep = (name: string, secret: unknown) => string;

/** Turns everything on that protects an account, moves it to another email, and asks for its deletion. */
async function protectAnAccount({ url }: { readonly url: string }, keep: Keep): Promise<void> {
  const api = { url, clock: new TestClock() };
  const grace = await newUser(api, 'grace');
  const { token } = grace;
  const { secret, recoveryCodes } = await enrol(api, grace);
  keep('secret of an app', base32Of(secret));
  keep('secret of an app in bytes', secret.toString('hex'));
  for (const code of recoveryCodes) keep(`recovery code ${code}`, code.replaceAll('-', ''));
  const { email, password } = grace;
  const used = { kind: 'recovery', code: recoveryCodes[0] };
  const body = { email, password, secondFactor: used };
  expect((await call(api, 'auth.login', { body })).status).toBe(200);

  const team = await call(api, 'organizations.create', { token, body: { name: 'Protected' } });
  const hook = await call(api, 'webhooks.create', {
    token,
    params: { id: team.body.data.id },
    body: { url: await sinkUrl(), events: ['*'] },
  });
  keep('secret of a webhook', hook.body.data.secret);
  const removal = { token, params: { id: team.body.data.id }, query: { confirmName: 'Protected' } };
  expect((await call(api, 'organizations.remove', removal)).status).toBe(200);

  const newEmail = someEmail('moved');
  await call(api, 'account.requestEmailChange', { token, body: { newEmail } });
  const confirm = keep('link to a new email', await confirmTokenOf(newEmail));
  await call(api, 'account.confirmEmailChange', { body: { token: confirm } });
  keep('link to undo it', await undoTokenOf(email));
  const deletion = { token, body: { confirmation: newEmail } };
  expect((await call(api, 'account.requestDeletion', deletion)).status).toBe(200);
  keep('link to keep an account', await mailedTokenOf(newEmail, 'Your account will be deleted'));
}

/** Shares a collection with a password, and visits it, also with what is wrong or misplaced. */
async function shareALink({ url }: { readonly url: string }, keep: Keep): Promise<void> {
  const api = { url, clock: new TestClock() };
  const { token } = await newUser(api, 'sharer');
  const { body: made } = await call(api, 'collections.create', {
    token,
    body: { title: 'Shared' },
  });
  const password = keep('password of a share', 'printer 4711 of the secrets test');
  const target = { targetType: 'COLLECTION', targetId: made.data.id, password };
  const { body: share } = await call(api, 'shares.create', { token, body: target });
  const linked = keep('token of a share', share.data.url.split('#')[1]);
  const wrong = keep('wrong password of a share', 'printer 4712 of the secrets test');
  await call(api, 'shares.open', { body: { token: linked, password: wrong } });
  const opened = await call(api, 'shares.open', { body: { token: linked, password } });
  const ticket = keep('ticket of a share', opened.body.data.ticket);
  for (const authorization of [`Share ${ticket}`, `Bearer ${ticket}`, `Share ${linked}`]) {
    await call(api, 'shares.sharedAssets', { headers: { authorization } });
  }
  await send(api, `/api/public/share?ticket=${ticket}&token=${linked}`);
  await send(api, `/share/${linked}`);
  const rotated = await call(api, 'shares.rotate', { token, params: { id: share.data.id } });
  keep('new token of a share', rotated.body.data.url.split('#')[1]);
}
