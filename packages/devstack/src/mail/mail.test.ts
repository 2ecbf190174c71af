// @module-tag slow

import { request } from 'node:http';
import { connect } from 'node:net';
import { once } from 'node:events';
import type { SendMailOptions, Transporter } from 'nodemailer';
import nodemailer from 'nodemailer';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Inbox } from './inbox.ts';
import type { ReceivedMail, RunningMailInbox } from './index.ts';
import { startMailInbox } from './index.ts';

let inbox: RunningMailInbox;
let transport: Transporter;

beforeAll(async () => {
  inbox = await startMailInbox();
  transport = nodemailer.createTransport(inbox.smtpUrl);
});

beforeEach(async () => {
  await fetch(`${inbox.url}/email`, { method: 'DELETE' });
});

afterAll(async () => {
  transport.close();
  await inbox.stop();
});

async function received(query = ''): Promise<ReceivedMail[]> {
  const response = await fetch(`${inbox.url}/email${query}`);
  expect(response.status).toBe(200);
  // Each test checks the fields that it reads.
  return (await response.json()) as ReceivedMail[];
}

async function onlyMail(): Promise<ReceivedMail> {
  const [mail, ...others] = await received();
  if (mail === undefined || others.length > 0) throw new Error('expected exactly one mail');
  return mail;
}

function mail(fields: SendMailOptions = {}): SendMailOptions {
  return {
    from: 'app@atelier.test',
    to: 'ann@example.com',
    subject: 'Hello',
    text: 'hi',
    ...fields,
  };
}

/** Sends a request with a Host header, which fetch does not allow. */
async function statusWithHost(path: string, host: string): Promise<number | undefined> {
  const asked = request({ port: inbox.httpPort, host: '127.0.0.1', path, headers: { host } });
  asked.end();
  const [response] = await once(asked, 'response');
  response.resume();
  return response.statusCode;
}

describe('receiving', () => {
  test('returns text, HTML, subject and addresses decoded', async () => {
    await transport.sendMail(
      mail({
        from: '"Atelier ✂" <app@atelier.test>',
        to: '"Änn Bø" <ann@example.com>, bob@example.com',
        subject: 'Bitte prüfen – verify ✓',
        text: 'Grüße: http://localhost:3000/verify-email?token=a-b_c',
        html: '<p>Grüße <a href="http://localhost:3000/verify-email?token=a-b_c">hier</a></p>',
      }),
    );
    expect(await onlyMail()).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      from: { address: 'app@atelier.test', name: 'Atelier ✂' },
      headers: expect.objectContaining({ 'mime-version': '1.0' }),
      to: [
        { address: 'ann@example.com', name: 'Änn Bø' },
        { address: 'bob@example.com', name: '' },
      ],
      subject: 'Bitte prüfen – verify ✓',
      text: expect.stringContaining('Grüße: http://localhost:3000/verify-email?token=a-b_c'),
      html: expect.stringContaining('href="http://localhost:3000/verify-email?token=a-b_c"'),
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
  });

  test('keeps the order of arrival, newest last, and finds each by its id', async () => {
    for (const subject of ['first', 'second', 'third']) await transport.sendMail(mail({ subject }));
    const mails = await received();
    expect(mails.map(({ subject }) => subject)).toEqual(['first', 'second', 'third']);
    const second = await fetch(`${inbox.url}/email/${mails[1]?.id}`);
    expect(await second.json()).toEqual(mails[1]);
    expect((await fetch(`${inbox.url}/email/none`)).status).toBe(404);
  });

  test('loses none of forty mails sent at once', async () => {
    const pooled = nodemailer.createTransport({
      url: inbox.smtpUrl,
      pool: true,
      maxConnections: 10,
    });
    const subjects = Array.from({ length: 40 }, (_, index) => `mail ${index}`);
    await Promise.all(subjects.map((subject) => pooled.sendMail(mail({ subject }))));
    pooled.close();
    const mails = await received();
    expect(mails.map(({ subject }) => subject).toSorted()).toEqual(subjects.toSorted());
  });

  test('shows blind copies, which only the envelope names', async () => {
    await transport.sendMail(mail({ bcc: 'hidden@example.com' }));
    expect((await onlyMail()).to.map(({ address }) => address)).toContain('hidden@example.com');
  });

  test('finds the mails of one recipient, also of a blind copy, in any case', async () => {
    const both = mail({ to: 'Ann+1@example.com', bcc: 'hidden@example.com', subject: 'both' });
    await transport.sendMail(both);
    await transport.sendMail(mail({ to: 'ann@example.com', subject: 'other' }));
    const to = async (address: string) => {
      const found = await received(`?to=${encodeURIComponent(address)}`);
      return found.map(({ subject }) => subject);
    };
    expect(await to('ann+1@EXAMPLE.com')).toEqual(['both']);
    expect(await to('hidden@example.com')).toEqual(['both']);
    expect(await to('nobody@example.com')).toEqual([]);
    expect(await to('')).toEqual([]);
  });

  test('is empty after DELETE', async () => {
    await transport.sendMail(mail());
    expect((await fetch(`${inbox.url}/email`, { method: 'DELETE' })).status).toBe(200);
    expect(await received()).toEqual([]);
  });
});

describe('hostile senders', () => {
  test('a message over 10 MiB is rejected, with or without a declared size, and the next one is accepted', async () => {
    const text = 'x'.repeat(11 * 1024 * 1024);
    await expect(transport.sendMail(mail({ text }))).rejects.toMatchObject({ responseCode: 552 });
    expect(
      await dictate(`MAIL FROM:<a@b.test>`, 'RCPT TO:<c@d.test>', 'DATA', `${text}\r\n.`),
    ).toMatch(/^552 /m);
    await transport.sendMail(mail({ subject: 'after' }));
    expect((await onlyMail()).subject).toBe('after');
  });

  test('a sender that disconnects in the middle leaves no mail and disturbs no other sender', async () => {
    const socket = connect(inbox.smtpPort, '127.0.0.1');
    await once(socket, 'data');
    socket.write('EHLO x\r\nMAIL FROM:<a@b.test>\r\nRCPT TO:<c@d.test>\r\nDATA\r\nSubject: half');
    await once(socket, 'data');
    socket.resetAndDestroy();
    await transport.sendMail(mail({ subject: 'whole' }));
    expect((await onlyMail()).subject).toBe('whole');
  });

  test('an endlessly nested message is rejected', async () => {
    const levels = Array.from(
      { length: 200 },
      (_, level) => `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`,
    );
    const response = await dictate(
      'MAIL FROM:<a@b.test>',
      'RCPT TO:<c@d.test>',
      'DATA',
      `${levels.join('')}\r\n.`,
    );
    expect(response).toMatch(/^554 /m);
    expect(await received()).toEqual([]);
  });

  test('a message with more than 256 KiB of headers is rejected', async () => {
    const headers = Array.from({ length: 300 }, (_, index) => `X-${index}: ${'x'.repeat(900)}\r\n`);
    const lines = ['MAIL FROM:<a@b.test>', 'RCPT TO:<c@d.test>', 'DATA'];
    expect(await dictate(...lines, `${headers.join('')}\r\nhi\r\n.`)).toMatch(/^554 /m);
    expect(await received()).toEqual([]);
  });

  test('a message has at most 1,000 recipients', async () => {
    const recipients = Array.from({ length: 1_001 }, (_, index) => `RCPT TO:<c${index}@d.test>`);
    expect(await dictate('MAIL FROM:<a@b.test>', ...recipients)).toMatch(/^452 /m);
  });

  test('a message without headers or sender has empty texts', async () => {
    await dictate('MAIL FROM:<>', 'RCPT TO:<c@d.test>', 'DATA', '\r\nbody\r\n.');
    expect(await onlyMail()).toMatchObject({
      from: { address: '' },
      to: [{ address: 'c@d.test' }],
      subject: '',
      html: '',
    });
  });

  /** Sends SMTP lines, each after the reply to the previous one. */
  async function dictate(...lines: string[]): Promise<string> {
    const socket = connect(inbox.smtpPort, '127.0.0.1');
    let heard = '';
    for (const line of ['', 'HELO test', ...lines]) {
      if (line !== '') socket.write(`${line}\r\n`);
      const [chunk] = await once(socket, 'data');
      heard += String(chunk);
    }
    socket.end('QUIT\r\n');
    await once(socket, 'close');
    return heard;
  }
});

describe('the page', () => {
  const attack = '<script>fetch("/email")</script><img src=x onerror=alert(1)>';

  test('escapes all content of a mail', async () => {
    await transport.sendMail(
      mail({ subject: attack, from: { name: attack, address: 'x@y.test' }, text: attack }),
    );
    const { id } = await onlyMail();
    for (const path of ['/', `/mail/${id}`]) {
      const markup = await (await fetch(inbox.url + path)).text();
      expect(markup).toContain('&lt;script&gt;');
      expect(markup).not.toContain('<script>fetch');
      expect(markup).not.toContain('<img src=x');
    }
  });

  test('runs only its own script file, and can not be framed', async () => {
    const response = await fetch(inbox.url);
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test("shows the sender's markup only in a sandbox without scripts or remote content", async () => {
    await transport.sendMail(
      mail({ html: `${attack}<A HREF="https://evil.test" target="_top">go</a>` }),
    );
    const { id } = await onlyMail();
    const page = await (await fetch(`${inbox.url}/mail/${id}`)).text();
    expect(page).toMatch(/<iframe[^>]*sandbox="allow-popups allow-popups-to-escape-sandbox"/);
    const body = await fetch(`${inbox.url}/mail/${id}/html`);
    const policy = body.headers.get('content-security-policy');
    expect(policy).toMatch(/^sandbox allow-popups allow-popups-to-escape-sandbox;/);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('script-src');
    expect(await body.text()).toContain('<A target="_blank" rel="noopener noreferrer" HREF=');
  });

  test('links URLs in plain text, and nothing else', async () => {
    await transport.sendMail(
      mail({ text: 'see https://example.com/a?b=1&c="x and javascript:alert(1)' }),
    );
    const { id } = await onlyMail();
    const page = await (await fetch(`${inbox.url}/mail/${id}`)).text();
    expect(page).toContain(
      '<a href="https://example.com/a?b=1&amp;c=" target="_blank" rel="noopener noreferrer">',
    );
    expect(page).not.toContain('href="javascript:');
  });

  test('accepts loopback host names only', async () => {
    expect(await statusWithHost('/email', 'localhost:1080')).toBe(200);
    expect(await statusWithHost('/email', `127.0.0.1:${inbox.httpPort}`)).toBe(200);
    for (const host of ['evil.test', 'localhost.evil.test', '127.0.0.1.evil.test:1080']) {
      expect(await statusWithHost('/email', host)).toBe(421);
    }
  });

  test('grants other origins no access', async () => {
    const response = await fetch(`${inbox.url}/email`, {
      headers: { origin: 'https://evil.test' },
    });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    const preflight = await fetch(`${inbox.url}/email`, { method: 'OPTIONS' });
    expect(preflight.status).toBe(405);
  });

  test('returns errors for unknown paths and methods', async () => {
    expect((await fetch(`${inbox.url}/mail/none`)).status).toBe(404);
    expect((await fetch(`${inbox.url}/mail/none/html`)).status).toBe(404);
    expect((await fetch(`${inbox.url}/../../etc/passwd`)).status).toBe(404);
    expect((await fetch(`${inbox.url}/email`, { method: 'POST' })).status).toBe(405);
  });
});

describe('bounds', () => {
  const kept = (subject: string, text = ''): ReceivedMail => ({
    id: subject,
    from: { address: '', name: '' },
    to: [],
    subject,
    text,
    html: '',
    date: '2026-01-01T00:00:00.000Z',
    headers: {},
  });

  test('the oldest mails are evicted when there are too many', () => {
    const small = new Inbox({ mails: 3, totalCharacters: 1_000 });
    for (const subject of ['a', 'b', 'c', 'd', 'e']) small.add(kept(subject));
    expect(small.mails.map(({ id }) => id)).toEqual(['c', 'd', 'e']);
  });

  test('the oldest mails are evicted when there is too much data, the newest always stays', () => {
    const small = new Inbox({ mails: 10, totalCharacters: 100 });
    small.add(kept('a', 'x'.repeat(60)));
    small.add(kept('b', 'x'.repeat(60)));
    expect(small.mails.map(({ id }) => id)).toEqual(['b']);
    small.add(kept('c', 'x'.repeat(500)));
    expect(small.mails.map(({ id }) => id)).toEqual(['c']);
    small.clear();
    small.add(kept('d', 'x'.repeat(90)));
    small.add(kept('e'));
    expect(small.mails.map(({ id }) => id)).toEqual(['d', 'e']);
  });

  test.each<[string, Partial<ReceivedMail>]>([
    ['headers', { headers: { ['x'.repeat(30)]: 'x'.repeat(30) } }],
    ['recipients', { to: [{ address: 'x'.repeat(30), name: 'x'.repeat(30) }] }],
    ['sender', { from: { address: 'x'.repeat(30), name: 'x'.repeat(30) } }],
    ['formatted text', { html: 'x'.repeat(60) }],
  ])('the size of a mail includes its %s', (_, fields) => {
    const small = new Inbox({ mails: 10, totalCharacters: 100 });
    for (const subject of ['a', 'b']) small.add({ ...kept(subject), ...fields });
    expect(small.mails.map(({ id }) => id)).toEqual(['b']);
  });
});

test('a second inbox on the same port is rejected, and stopping releases the ports', async () => {
  const first = await startMailInbox();
  await expect(startMailInbox({ smtpPort: first.smtpPort })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
  await expect(startMailInbox({ httpPort: first.httpPort })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
  await first.stop();
  const second = await startMailInbox({ smtpPort: first.smtpPort, httpPort: first.httpPort });
  expect((await fetch(`${second.url}/email`)).status).toBe(200);
  await second.stop();
});
