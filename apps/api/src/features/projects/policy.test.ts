import { describe, expect, test } from 'vitest';
import { freeKey, suggestedKey } from './policy.ts';

describe('the key of a name', () => {
  test.each([
    ['Website', 'WEB'],
    ['Über uns', 'UU'],
    ['Überblick', 'UBE'],
    ['mobile app', 'MA'],
    ['One two three four five six seven', 'OTTFF'],
    ['Łódź', 'LOD'],
    ['Привет', 'PRI'],
    ['東京', 'DON'],
    ['ﬁnance', 'FIN'],
    ['X', 'X1'],
    ['2026', 'PRJ'],
    ['2026 plan', 'PLA'],
    ['3D', 'D1'],
    ['q3 2026', 'Q2'],
    ['— … —', 'PRJ'],
    ['\u202e\u200b', 'PRJ'],
    ["'; drop table projects; --", 'DTP'],
  ])('%j is %s', (name, key) => {
    expect(suggestedKey(name)).toBe(key);
  });

  test('is 2 to 5 letters and digits from a letter on, whatever the name', () => {
    for (let codePoint = 1; codePoint < 0x30000; codePoint += 1) {
      if (codePoint >= 0xd800 && codePoint < 0xe000) continue;
      const name = String.fromCodePoint(codePoint);
      expect(suggestedKey(`${name}9${name}`)).toMatch(/^[A-Z][A-Z0-9]{1,4}$/);
    }
  });
});

describe('a key that is taken', () => {
  test('gets the first free number, and stays within 5 characters', () => {
    expect(freeKey('WEB', new Set())).toBe('WEB');
    expect(freeKey('WEB', new Set(['WEB']))).toBe('WEB2');
    expect(freeKey('WEB', new Set(['WEB', 'WEB2', 'WEB4']))).toBe('WEB3');
    expect(freeKey('OTTFF', new Set(['OTTFF']))).toBe('OTTF2');
  });

  test('never runs out: past the numbers come other endings', () => {
    const numbered = Array.from({ length: 9998 }, (_, n) => `${n + 2}`);
    const taken = new Set(['WEB', ...numbered.map((n) => 'WEB'.slice(0, 5 - n.length) + n)]);
    const keys = Array.from({ length: 40 }, () => {
      const key = freeKey('WEB', taken);
      taken.add(key);
      return key;
    });
    expect(keys.slice(0, 2)).toEqual(['W0000', 'W0001']);
    expect(new Set(keys).size).toBe(40);
    for (const key of keys) expect(key).toMatch(/^W[A-Z0-9]{4}$/);
  });
});
