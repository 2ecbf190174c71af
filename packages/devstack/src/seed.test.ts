import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import nodemailer from 'nodemailer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeHttp, listen } from './http/loopback.ts';
import type { RunningMailInbox } from './mail/index.ts';
import { startMailInbox } from './mail/index.ts';
import { seedDemo } from './seed.ts';

const demo = { email: 'demo@example.com', password: 'secret-of-demo' };
let inbox: RunningMailInbox;

beforeAll(async () => {
  inbox = await startMailInbox();
});
afterAll(() => inbox.stop());

async function fieldsOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const parsed: unknown = JSON.parse(await text(request));
  return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
}

/** An API that knows one account, and sends its mails for real. */
async function startAccounts(options: { registrationStatus?: number } = {}) {
  const calls: string[] = [];
  const account = { isVerified: false, token: '' };
  const transport = nodemailer.createTransport(inbox.smtpUrl);
  const mailToken = async (to: string, token: string): Promise<void> => {
    const link = `http://localhost:3000/verify-email?token=${token}`;
    await transport.sendMail({ from: 'a@b.test', to, subject: 'Please verify', text: link });
  };
  const answer = async (request: IncomingMessage): Promise<number> => {
    const fields = await fieldsOf(request);
    calls.push(request.url ?? '');
    switch (request.url) {
      case '/api/auth/login':
        return account.isVerified && fields['password'] === demo.password ? 200 : 401;
      case '/api/auth/register':
        if (options.registrationStatus !== undefined) return options.registrationStatus;
        account.token = 'right-token_1';
        await mailToken('somebody.else@example.com', 'wrong-token');
        await mailToken(String(fields['email']), 'superseded-token');
        await mailToken(String(fields['email']), account.token);
        return 201;
      default:
        account.isVerified = fields['token'] === account.token;
        return account.isVerified ? 200 : 400;
    }
  };
  const server = createServer((request, response) => {
    void answer(request).then((status) => response.writeHead(status).end('{}'));
  });
  const port = await listen(server, 0);
  return {
    account,
    calls,
    apiUrl: `http://127.0.0.1:${port}`,
    stop: () => closeHttp(server),
  };
}

test('the demo account is registered and verified with its newest mailed link, once', async () => {
  const accounts = await startAccounts();
  const options = { apiUrl: accounts.apiUrl, mailUrl: inbox.url, demo };
  await seedDemo(options);
  expect(accounts.account.isVerified).toBe(true);
  await seedDemo(options);
  expect(accounts.calls.filter((call) => call === '/api/auth/register')).toHaveLength(1);
  await accounts.stop();
});

test('a refused step is named', async () => {
  const accounts = await startAccounts({ registrationStatus: 503 });
  const seeding = seedDemo({ apiUrl: accounts.apiUrl, mailUrl: inbox.url, demo });
  await expect(seeding).rejects.toThrow(/register answered 503/);
  await accounts.stop();
});
