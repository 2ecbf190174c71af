import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { issueApiKey, looksLikeApiKey, readApiKey } from './api-keys.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

test.each([
  { kind: 'PERSONAL', form: /^atl_pat_[0-9A-Za-z]{46}$/ },
  { kind: 'SERVICE', form: /^atl_svc_[0-9A-Za-z]{46}$/ },
] as const)(
  'a $kind key has the form that secret scanners look for, and its parts for display',
  (wanted) => {
    const { key, keyHash, prefix, lastFour } = issueApiKey(wanted.kind);
    expect(key).toMatch(wanted.form);
    expect(key.startsWith(prefix) && key.endsWith(lastFour)).toBe(true);
    expect([prefix.length, lastFour.length]).toEqual([12, 4]);
    expect(readApiKey(key)).toEqual({ keyHash, kind: wanted.kind });
    expect(issueApiKey(wanted.kind).key).not.toBe(key);
  },
);

test('a checksum is that of all before it, in base62 with leading zeros', () => {
  // The checksum of this key, made by another program, is smaller than most: it begins with zeros.
  const known = `atl_pat_${'0'.repeat(40)}`;
  const found = digits.split('').flatMap((last) => {
    const key = `${known}${checksumBy(known).slice(0, -1)}${last}`;
    return readApiKey(key) ? [key] : [];
  });
  expect(found).toEqual([`${known}${checksumBy(known)}`]);
});

/** CRC-32 bit by bit. */
function checksumBy(text: string): string {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  let rest = BigInt((crc ^ 0xffffffff) >>> 0);
  let checksum = '';
  while (checksum.length < 6) {
    checksum = `${digits[Number(rest % 62n)]}${checksum}`;
    rest /= 62n;
  }
  return checksum;
}

test('a key with any other character in any place is none', () => {
  const { key } = issueApiKey('PERSONAL');
  for (let place = 0; place < key.length; place += 1) {
    const other = key[place] === 'x' ? 'y' : 'x';
    expect(readApiKey(key.slice(0, place) + other + key.slice(place + 1))).toBe(null);
  }
  for (const wrong of [`${key}0`, key.slice(1), ` ${key}`, key.slice(0, -1), `${key}\n`, '']) {
    expect(readApiKey(wrong)).toBe(null);
  }
});

test('of 10,000 values of the right form, hardly any has the right checksum', () => {
  const invented = Array.from({ length: 10_000 }, () => {
    const characters = Array.from({ length: 46 }, () => digits[randomInt(digits.length)]);
    return `atl_pat_${characters.join('')}`;
  });
  // One in 57 billion does.
  expect(invented.filter((key) => readApiKey(key) !== null)).toEqual([]);
  expect(invented.every(looksLikeApiKey)).toBe(true);
});
