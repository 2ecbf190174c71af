import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { users } from '../../db/generated/schema.ts';
import { logIn, newUser, nextMail, somePassword, tokenIn } from '../../testing/accounts.ts';
import { call, someEmail } from '../../testing/api.ts';
import { setUpApi } from '../../testing/set-up.ts';

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex').toUpperCase();

const breached = 'a password from a breach';
const hashOfBreached = sha1(breached);
/** The prefixes that the range service received. */
let requested: { url: string; padding: string | undefined }[] = [];
let respond: RequestListener;
const byRange: RequestListener = (request, response) => {
  requested.push({ url: String(request.url), padding: String(request.headers['add-padding']) });
  const lines = [`${'0'.repeat(35)}:4`, `${sha1(somePassword).slice(5)}:0`];
  if (request.url === `/range/${hashOfBreached.slice(0, 5)}`) {
    lines.push(`${hashOfBreached.slice(5)}:17`);
  }
  response.end(lines.join('\r\n'));
};
const service = createServer((request, response) => respond(request, response));
service.listen(0, '127.0.0.1');
await once(service, 'listening');
afterAll(async () => {
  service.closeAllConnections();
  service.close();
});

const api = await setUpApi({
  PASSWORD_REFUSED_WORDS: 'Lovelace & Sons, analytical engine',
  BREACHED_PASSWORDS_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}/range/`,
});
beforeEach(() => {
  requested = [];
  respond = byRange;
});

const register = (body: object) => call(api, 'auth.register', { body });
const isStored = async (email: string) =>
  (await api.db.$count(users, eq(users.email, email))) === 1;

describe('a password that is easy to guess from its context', () => {
  test.each([
    ['the product', 'Atelier2026!'],
    ['the product, twice', 'atelierATELIER'],
    ['words of the place', 'LovelaceSons123'],
    ['more words of the place', '**engine engine** 1'],
    ['both', 'Lovelace@Atelier'],
  ])('is refused when it consists of %s', async (_, password) => {
    const email = someEmail();
    const { status, body } = await register({ email, password });
    expect([status, body.code]).toEqual([400, 'validation_failed']);
    expect(body.errors).toEqual([
      {
        in: 'body',
        path: ['password'],
        code: 'password_too_guessable',
        message: expect.any(String),
      },
    ]);
    expect(await isStored(email)).toBe(false);
    expect(requested).toEqual([]);
  });

  test.each([
    ['besides other words', 'atelier of grace'],
    ['within another word', 'ateliers'],
    ['nowhere: digits alone', '8213-9902-71'],
    ['nowhere: signs alone', '¡!¿?·#@~€¬'],
    ['nowhere, in other scripts', 'пароль-и-ещё'],
  ])('is accepted when it contains them %s', async (_, password) => {
    const email = someEmail();
    expect((await register({ email, password })).status).toBe(201);
    expect(await isStored(email)).toBe(true);
  });

  test('is refused at a reset as well, and keeps the token valid', async () => {
    const user = await newUser(api);
    await call(api, 'auth.requestPasswordReset', { body: { email: user.email } });
    const token = tokenIn(await nextMail(user.email, 2));
    const reset = (password: string) =>
      call(api, 'auth.resetPassword', { body: { token, password } });
    expect((await reset('atelier-1906')).body.errors[0].code).toBe('password_too_guessable');
    expect((await reset(breached)).body.errors[0].code).toBe('password_breached');
    await logIn(api, { email: user.email, password: somePassword });
    expect((await reset('amazing grace it is')).status).toBe(200);
  });
});

describe('a password from a breach', () => {
  test('is refused, and the service gets five digits', async () => {
    const email = someEmail();
    const { status, body } = await register({ email, password: breached });
    expect([status, body.errors[0].code]).toEqual([400, 'password_breached']);
    expect(requested).toEqual([{ url: `/range/${hashOfBreached.slice(0, 5)}`, padding: 'true' }]);
    expect(await isStored(email)).toBe(false);
  });

  test('gets the same response for a taken address', async () => {
    const { email } = await newUser(api);
    const { status, body } = await register({ email, password: breached });
    expect([status, body.errors[0].code]).toEqual([400, 'password_breached']);
  });

  test('is not a padding entry of the response', async () => {
    expect((await register({ email: someEmail(), password: somePassword })).status).toBe(201);
    expect(requested).toHaveLength(1);
  });

  test.each<[string, RequestListener]>([
    ['fails', (_, response) => void response.writeHead(503).end()],
    ['cuts the connection', (request) => request.socket.destroy()],
    ['says nothing', () => {}],
    ['sends elsewhere', (_, response) => void response.writeHead(302, { location: '/' }).end()],
    [
      'has no end',
      (_, response) => {
        const chunk = `${'F'.repeat(35)}:1\r\n`.repeat(2_000);
        const more = () => {
          while (response.writable && response.write(chunk));
        };
        response.on('drain', more);
        more();
      },
    ],
  ])('is accepted without a long wait when the service %s', async (_, listener) => {
    respond = listener;
    const email = someEmail();
    const started = performance.now();
    expect((await register({ email, password: breached })).status).toBe(201);
    expect(performance.now() - started).toBeLessThan(6_000);
    expect(await isStored(email)).toBe(true);
  });
});
