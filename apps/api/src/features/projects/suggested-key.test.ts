import { describe, expect, test } from 'vitest';
import { suggestedKey } from './suggested-key.ts';

describe('the key for a name', () => {
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

  test('is 2 to 5 letters and digits, starting with a letter, for any name', () => {
    for (let codePoint = 1; codePoint < 0x30000; codePoint += 1) {
      if (codePoint >= 0xd800 && codePoint < 0xe000) continue;
      const name = String.fromCodePoint(codePoint);
      expect(suggestedKey(`${name}9${name}`)).toMatch(/^[A-Z][A-Z0-9]{1,4}$/);
    }
  });
});
