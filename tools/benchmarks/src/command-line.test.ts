import { expect, test } from 'vitest';
import { readOptions } from './command-line.ts';

const ids = ['S0', 'S1', 'S4', 'S4-search', 'S8'];

test.each([
  [[], ids],
  [['--only', 'S8'], ['S8']],
  [
    ['--only', ' s4 , S1'],
    ['S1', 'S4', 'S4-search'],
  ],
  [['--only', 'S4-search'], ['S4-search']],
  [['--only', 'S'], []],
  [['--products'], ['S1']],
  [['--profile', 'S8'], ['S8']],
  [['--memory', 'S1'], ['S1']],
])('%j runs %j', (args, wanted) => {
  const { isWanted } = readOptions(args);
  expect(ids.filter((id) => isWanted(id))).toEqual(wanted);
});

test('a quick run has its own, smaller data and its own pace', () => {
  const [quick, full] = [readOptions(['--quick', '--rounds', '3']), readOptions([])];
  expect(quick.profile).not.toBe(full.profile);
  expect(quick.sizes.assets).toBeLessThan(full.sizes.assets);
  expect([quick.pace.rounds, full.pace.rounds >= 5]).toEqual([3, true]);
});

test.each([[['--rounds', '0']], [['--rounds', 'many']], [['--unknown']], [['S4']]])(
  '%j is refused',
  (args) => {
    expect(() => readOptions(args)).toThrow(TypeError);
  },
);
