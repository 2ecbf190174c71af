import { expect, test } from 'vitest';
import { base32Of, newTotpSecret, stepOf, totpOf, totpPeriodSeconds, totpUri } from './totp.ts';

/** The secret of the test vectors in RFC 6238, appendix B. */
const secret = Buffer.from('12345678901234567890');

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code at second %i is that of RFC 6238', (seconds, code) => {
  expect(totpOf(secret, Math.floor(seconds / totpPeriodSeconds))).toBe(code);
  expect(stepOf(secret, code, new Date(seconds * 1000))).toBe(Math.floor(seconds / 30));
});

test('a code counts a step early and late, and no further', () => {
  const step = 50_000_000;
  const at = (offset: number) => new Date((step + offset) * totpPeriodSeconds * 1000);
  const code = totpOf(secret, step);
  expect([-1, 0, 1].map((offset) => stepOf(secret, code, at(offset)))).toEqual([step, step, step]);
  expect([-2, 2].map((offset) => stepOf(secret, code, at(offset)))).toEqual([null, null]);
});

test('blanks and dashes are ignored, anything else is wrong', () => {
  const now = new Date(59_000);
  expect(stepOf(secret, ' 287 082', now)).toBe(1);
  expect(stepOf(secret, '287-082', now)).toBe(1);
  for (const code of ['', '287', '2870820', '94287082', '２８７０８２', 'é7082', '287083']) {
    expect(stepOf(secret, code, now)).toBeNull();
  }
});

test('a secret is written in base32, as RFC 4648 does', () => {
  expect(base32Of(Buffer.from('foobar'))).toBe('MZXW6YTBOI');
  expect(base32Of(Buffer.from('fooba'))).toBe('MZXW6YTB');
  expect(base32Of(newTotpSecret())).toMatch(/^[A-Z2-7]{32}$/);
  expect(totpUri(secret, 'ada+1@example.com')).toBe(
    'otpauth://totp/Atelier:ada%2B1%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Atelier&algorithm=SHA1&digits=6&period=30',
  );
});
