import { once } from 'node:events';
import { connect } from 'node:net';
import { startMailInbox } from '@atelier/devstack';
import { expect, test } from 'vitest';
import { launchChromium } from './testing/chromium.ts';

/** Sends a mail by SMTP. */
async function sendMail(port: number, subject: string): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  const message = `Subject: ${subject}\r\n\r\nhello\r\n.`;
  const lines = [
    'HELO test',
    'MAIL FROM:<a@b.test>',
    'RCPT TO:<c@d.test>',
    'DATA',
    message,
    'QUIT',
  ];
  for (const line of lines) {
    await once(socket, 'data');
    socket.write(`${line}\r\n`);
  }
  await once(socket, 'close');
}

test('new mails appear above the others, which keep the focus; only their count is announced', async () => {
  await using resources = new AsyncDisposableStack();
  const inbox = await startMailInbox();
  resources.defer(() => inbox.stop());
  const browser = resources.use(await launchChromium());
  const page = await browser.newPage();
  await page.goto(inbox.url);
  const items = page.getByRole('listitem');
  const count = page.getByRole('status');
  await expect.poll(() => items.allInnerTexts()).toEqual([expect.stringContaining('No mail yet')]);
  expect(await count.innerText()).toBe('0 mails');

  await sendMail(inbox.smtpPort, 'first');
  await expect.poll(() => items.allInnerTexts()).toEqual([expect.stringContaining('first')]);
  expect(await count.innerText()).toBe('1 mail');
  await page.getByRole('link', { name: 'first' }).focus();

  await sendMail(inbox.smtpPort, 'second');
  await expect
    .poll(() => items.allInnerTexts())
    .toEqual(['second', 'first'].map((subject) => expect.stringContaining(subject)));
  expect(await count.innerText()).toBe('2 mails');
  expect(await page.locator(':focus').innerText()).toContain('first');
  expect(await page.locator('[aria-live], [role=status]').count()).toBe(1);

  await page.getByRole('button', { name: 'Delete all' }).click();
  await expect.poll(() => items.allInnerTexts()).toEqual([expect.stringContaining('No mail yet')]);
});
