import { describe, expect, test } from 'vitest';
import { freeKey } from './policy.ts';

describe('a taken key', () => {
  test('gets the first free number, and stays within 5 characters', () => {
    expect(freeKey('WEB', new Set())).toBe('WEB');
    expect(freeKey('WEB', new Set(['WEB']))).toBe('WEB2');
    expect(freeKey('WEB', new Set(['WEB', 'WEB2', 'WEB4']))).toBe('WEB3');
    expect(freeKey('OTTFF', new Set(['OTTFF']))).toBe('OTTF2');
  });

  test('never runs out: other endings follow the numbers', () => {
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
