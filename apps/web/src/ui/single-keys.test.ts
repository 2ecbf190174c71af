import { afterEach, expect, test, vi } from 'vitest';
import { isSwitchedOff, switchSingleKeys } from './single-keys.ts';

// Node warns about its own.
vi.hoisted(() => vi.stubGlobal('localStorage', undefined));
afterEach(() => switchSingleKeys(true));

const keys = ['f', 'J', '1', '+', '/', 'ArrowLeft', 'Home', 'Escape', 'Enter'];

test('letters, digits and signs are switched off, keys with a name are not', () => {
  expect(keys.filter((key) => isSwitchedOff({ key }))).toEqual([]);
  switchSingleKeys(false);
  expect(keys.filter((key) => isSwitchedOff({ key }))).toEqual(['f', 'J', '1', '+', '/']);
});
