import { expect, test } from 'vitest';
import { fold, loadFold } from './folding.ts';

test('spellings that people take for the same are equal', async () => {
  expect(await fold('ÅNGSTRÖM ｗｉｄｅ Größe')).toBe('angstrom wide grosse');
  expect(await fold('e\u0301\u0323')).toBe('e');
});

test.each([
  ['marks', '\u0300\u0323'],
  ['letters that become marks', '\u0300\uff9e'],
])('a letter with thousands of %s takes no longer than other letters', async (_name, marks) => {
  const foldNow = await loadFold();
  const microseconds = (text: string, times: number) => {
    const begin = process.threadCpuUsage();
    for (let time = 0; time < times; time += 1) foldNow(text);
    const { user, system } = process.threadCpuUsage(begin);
    return user + system;
  };
  const count = 20_000;
  foldNow('ö');
  // Many times: short measurements may be zero.
  const ordinary = microseconds('öä'.repeat(count), 200);
  expect(microseconds(`a${marks.repeat(count)}b`, 1)).toBeLessThan(ordinary);
  expect(foldNow(`a${marks.repeat(count)}b`)).toMatch(/^a.{0,90}b$/);
});
