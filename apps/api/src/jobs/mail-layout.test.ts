// @module-tag slow

import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findingsOfAxe, hasChromium, launchChromium } from '../testing/chromium.ts';
import { deletedMail, deletionMail } from './delete-account/mails.ts';
import { colors } from './mail-layout.ts';
import { verificationMail } from './mailed-tokens/mails.ts';
import { invitationMail } from './mails.ts';
import { digestMail } from './notifications/mails.ts';
import { someNotification } from './notifications/testing/some-notification.ts';

const to = 'grace@example.com';
const link = `https://app.example.com/invitations/${'x'.repeat(64)}`;
const addresses = {
  to,
  appUrl: 'https://app.example.com',
  apiUrl: 'https://api.example.com',
  unsubscribeToken: 'token',
};
/** One of each form. */
const mails = [
  verificationMail(to, link),
  invitationMail({
    to,
    inviterName: 'Ada <Lovelace> & "friends"',
    organizationName: 'Harbour Studio'.repeat(8),
    link,
    expiresAt: new Date('2026-11-28T09:30:00.000Z'),
  }),
  deletionMail(to, {
    link,
    deletesAt: new Date(0),
    origin: { device: 'Firefox on Linux', ipAddress: '192.0.2.7' },
  }),
  deletedMail(to),
  digestMail([someNotification('A name'), someNotification('x'.repeat(120))], {
    ...addresses,
    id: 'digest',
    moreCount: 3,
  }),
] as const;

test('the colours are those of the web app', () => {
  const styles = readFileSync(new URL('../../../web/src/styles.css', import.meta.url), 'utf8');
  for (const [name, [light, dark]] of Object.entries(colors)) {
    expect(styles).toContain(`--color-${name}: light-dark(${light}, ${dark});`);
  }
});

test.each(mails)('$subject loads nothing', ({ html }) => {
  expect(html).not.toMatch(/<(img|script|link|iframe|svg)|url\(|@import|src=/);
});

describe.skipIf(!hasChromium)('in a browser', { timeout: 60_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  describe.each(['light', 'dark'] as const)('%s, 360 pixels wide', (colorScheme) => {
    test.each(mails)(
      '$subject fits, has no finding of axe and says what its text says',
      async (mail) => {
        const page = await browser.newPage({ viewport: { width: 360, height: 740 }, colorScheme });
        await page.setContent(mail.html);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
        expect((await findingsOfAxe(page)).findings).toEqual([]);
        const index = colorScheme === 'light' ? 0 : 1;
        expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
          rgb(colors.canvas[index]),
        );
        const shown = words(await page.locator('body').innerText());
        const links = await page.evaluate<string[]>(
          `[...document.querySelectorAll('a')].map((one) => one.getAttribute('href'))`,
        );
        const labels = await page.locator('td > a').allInnerTexts();
        expect(shown.filter((word) => !words(mail.text).includes(word))).toEqual(
          [...words('A Atelier'), ...labels.flatMap(words)].filter(
            (word) => !words(mail.text).includes(word),
          ),
        );
        expect(words(mail.text).filter((word) => ![...shown, ...links].includes(word))).toEqual([]);
        await page.close();
      },
    );
  });
});

function words(text: string): string[] {
  return text
    .split(/\s+/)
    .map((word) => word.replace(/[.:]$/, ''))
    .filter((word) => word !== '' && word !== '-');
}

function rgb(hex: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return `rgb(${red}, ${green}, ${blue})`;
}
