import { expect, onTestFinished, test } from 'vitest';
import { inTime } from '../testing/in-time.ts';
import { tricklingMailServer } from '../testing/trickling-mail-server.ts';
import { createSmtpMailer } from './smtp.ts';

const mail = { to: 'someone@example.com', subject: 'Hello', text: 'Hello', html: 'Hello' };

async function stage(settings: { deadlineMs?: number } = {}) {
  const server = await tricklingMailServer();
  const mailer = createSmtpMailer({ url: server.url, from: 'a@example.com', ...settings });
  onTestFinished(() => mailer.close());
  return { server, mailer };
}

test('mails to a server that never ends its response miss their deadline, also those behind them, and leave no connection', async () => {
  const { server, mailer } = await stage({ deadlineMs: 500 });
  const sent = [1, 2, 3, 4].map(() => mailer.send(mail));
  const outcomes = await inTime(5_000, Promise.allSettled(sent));
  const message = 'the mail was not sent: ETIMEDOUT';
  const missed = { status: 'rejected', reason: expect.objectContaining({ message }) };
  expect(outcomes).toEqual([missed, missed, missed, missed]);
  await expect.poll(() => server.waiting()).toBe(0);
});

test('a mail is given up when its sender has to stop, and one that is sent later too', async () => {
  const { server, mailer } = await stage();
  const stopping = new AbortController();
  const sent = mailer.send(mail, stopping.signal);
  await expect.poll(() => server.waiting()).toBe(1);
  stopping.abort();
  await expect(inTime(5_000, sent)).rejects.toThrow('the mail was not sent: EABORT');
  await expect(inTime(5_000, mailer.send(mail, stopping.signal))).rejects.toThrow('EABORT');
  await expect.poll(() => server.waiting()).toBe(0);
});
