import { LinkifyIt } from 'linkify-it';
import tlds from 'tlds' with { type: 'json' };
import { describe, expect, test } from 'vitest';
import type { Mail } from '../ports/mailer.ts';
import { invitationMail } from './mails.ts';
import { digestMail, subjectMail } from './notifications/mails.ts';
import { someNotification } from './notifications/testing/some-notification.ts';
import { quoted } from './quoted.ts';

/** As eager as mail programs: every top-level domain, bare host names and emails. */
const linkifier = new LinkifyIt({ fuzzyLink: true, fuzzyEmail: true, fuzzyIP: true, tlds });

const linksIn = (text: string) => (linkifier.match(text) ?? []).map(({ raw }) => raw);

/** Returns the links of a linkifier, which may also compose the characters first, or drop zero-width ones. */
const linksSeenIn = (text: string) => [
  ...linksIn(text),
  ...linksIn(text.normalize('NFKC')),
  ...linksIn(text.replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')),
];

const hostile = [
  'www.evil-login.com',
  'evil-login.com',
  'evil.com/x',
  'EVIL.COM/login?a=b#c',
  'evil.com:8443/x',
  'Log in at https://evil.example/login',
  'HTTPS://EVIL.EXAMPLE',
  'http:evil.com',
  'ftp://evil.example/a',
  '//evil.com/x',
  '//evil',
  'https://localhost:3000',
  'https:/\\evil.com',
  'https:\\\\evil.com',
  '\\\\evil\\share',
  'file:///etc/passwd',
  'mailto:eve@evil.com',
  'eve@evil.com',
  'eve+x@mail.evil.co.uk',
  'user:pass@evil.com',
  '203.0.113.7',
  '203.0.113.7/login',
  '203.0.113.7:8080',
  'https://203.0.113.7',
  'https://[2001:db8::1]/x',
  'evil.zip',
  'invoice.mov',
  'setup.sh',
  'a.b.c.evil.io',
  'xn--80ak6aa92e.com',
  'аррӏе.com',
  'пример.рф',
  '例え.テスト.jp',
  'evil。com',
  'evil．com',
  'evil｡com',
  'evil․com',
  'evil﹒com',
  'www。evil．com／login',
  'evil.\u200bcom',
  'evil\u200b.com',
  'evil.\u2060com',
  'ev\u00adil.com',
  'evil.\u200dcom',
  'evil.\ufe0fcom',
  'ht\u200btps://evil.com',
  'https:\u200b//evil.com',
  'evil\u202e.com',
  '(evil.com)',
  '“evil.com”',
  'visit:evil.com',
  'Acme|evil.com',
  'Acme,evil.com!',
  '2.0.evil.com',
  '1.5@evil.com',
  'x/1.2.3.4',
  'x'.repeat(105) + '.evil-login.com/' + 'y'.repeat(20),
];

/** The service's own links. */
const ownLink =
  /https:\/\/app\.example\.com\/(?:projects\/1\?task=2|notifications|unsubscribe\?token=token)/g;
const appLink = 'https://app.example.com/projects/1?task=2';
const addresses = {
  to: 'grace@example.com',
  appUrl: 'https://app.example.com',
  apiUrl: 'https://api.example.com',
  unsubscribeToken: 'token',
};
const mailsWith = (name: string): readonly Mail[] => [
  invitationMail({
    to: 'victim+www.evil-login.com@example.com',
    inviterName: name,
    organizationName: name,
    link: appLink,
    expiresAt: new Date('2026-11-28T09:30:00.000Z'),
  }),
  subjectMail([someNotification(name)], { ...addresses, projectName: name }),
  digestMail([someNotification(name)], { ...addresses, id: 'digest', moreCount: 0 }),
];

/** Returns the visible part of a mail's HTML, without the service's own links. */
const shownIn = (html: string) =>
  html
    .replaceAll(/<a href="[^"]*"[^>]*>[^<]*<\/a>/g, '')
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

describe.each(hostile)('text of another user, %j', (name) => {
  test('is no link after quoting', () => {
    expect(linksSeenIn(quoted(name))).toEqual([]);
  });

  test('creates no link in subject, text or HTML of any mail', () => {
    for (const { subject, text, html } of mailsWith(name)) {
      expect(linksSeenIn(subject)).toEqual([]);
      expect(linksSeenIn(text.replaceAll(ownLink, ''))).toEqual([]);
      expect(linksSeenIn(shownIn(html))).toEqual([]);
      const anchors = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, link = '']) => link);
      // The link of a button is repeated as an address.
      const own = [...new Set(anchors)];
      expect(own.filter((link) => !link.startsWith('https://app.example.com/'))).toEqual([]);
      expect(html.match(/<a /g)).toHaveLength(anchors.length);
      expect(own).not.toEqual([]);
      expect(linksIn(text)).toEqual(own.map(() => expect.stringMatching(ownLink.source)));
    }
  });
});

test('the linkifier of these tests finds links in unquoted text', () => {
  const unseen = hostile.filter((name) => linksSeenIn(name).length === 0);
  // Other mail programs link these.
  expect(unseen).toEqual(expect.arrayContaining(['\\\\evil\\share']));
  expect(hostile.length - unseen.length).toBeGreaterThan(40);
});

test.each([
  ['Analytical Engines', 'Analytical Engines'],
  ['Acme Inc.', 'Acme Inc.'],
  ['Acme Inc., St. Gallen (CH.)', 'Acme Inc., St. Gallen (CH.)'],
  ['J.R.R. Tolkien', 'J. R. R. Tolkien'],
  ['Release 2.0', 'Release 2.0'],
  ['Release 2.0.', 'Release 2.0.'],
  ['Price: 3.5 €/kg, 10:30', 'Price: 3.5 €/kg, 10:30'],
  ['and/or', 'and/or'],
  ['Wait…', 'Wait…'],
  ['Well...', 'Well...'],
  ['👩‍🚀 ❤️', '👩‍🚀 ❤️'],
  ['می‌خواهم', 'می‌خواهم'],
  ['www.evil-login.com', 'www. evil-login. com'],
  ['https://evil.com', 'https: / /evil. com'],
  ['Line\r\nof its own\u2028and more', 'Line of its own and more'],
  ['', ''],
])('%j reads %j', (typed, shown) => {
  expect(quoted(typed)).toBe(shown);
});

test('a long text is truncated, which creates no link', () => {
  expect(quoted('ü'.repeat(255))).toBe(`${'ü'.repeat(119)}…`);
});
