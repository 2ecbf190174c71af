import { expect, test } from 'vitest';
import { additionsTo, lockOf, migrationProblems } from './migration-rules.ts';

const released = {
  journal: [
    { idx: 0, when: 100, tag: '0000_first' },
    { idx: 1, when: 200, tag: '0001_second' },
  ],
  files: { '0000_first': 'aa', '0001_second': 'bb' },
};
const lock = lockOf(released);

test('an unchanged released migration is valid, and so is a newer one', () => {
  const next = {
    journal: [...released.journal, { idx: 2, when: 201, tag: '0002_third' }],
    files: { ...released.files, '0002_third': 'cc' },
  };
  expect(migrationProblems(released, lock)).toEqual([]);
  expect(migrationProblems(next, lock)).toEqual([]);
  expect(additionsTo(lock, next)).toEqual(['0002_third']);
});

test('a released migration is rejected if its SQL or date was edited, or if it is missing', () => {
  const edited = { ...released, files: { ...released.files, '0000_first': 'changed' } };
  expect(migrationProblems(edited, lock)).toEqual([expect.stringMatching(/^0000_first .*edited/)]);

  const redated = {
    ...released,
    journal: released.journal.with(1, { idx: 1, when: 201, tag: '0001_second' }),
  };
  expect(migrationProblems(redated, lock)).toEqual([
    expect.stringMatching(/^0001_second .*edited/),
  ]);

  const gone = { journal: released.journal.slice(0, 1), files: { '0000_first': 'aa' } };
  expect(migrationProblems(gone, lock)).toEqual([expect.stringMatching(/^0001_second .*gone/)]);
});

test.each([200, 199])(
  'a migration dated %i after one of 200 is rejected, because it would be skipped',
  (when) => {
    const late = {
      journal: [...released.journal, { idx: 2, when, tag: '0002_late' }],
      files: { ...released.files, '0002_late': 'cc' },
    };
    expect(migrationProblems(late, lock)).toEqual([expect.stringMatching(/^0002_late .*skipped/)]);
  },
);

test('journal and files have to match', () => {
  const stray = { ...released, files: { ...released.files, '0009_stray': 'cc' } };
  expect(migrationProblems(stray, lock)).toEqual([
    expect.stringMatching(/^0009_stray.sql .*never run/),
  ]);
  const missing = {
    ...released,
    journal: [...released.journal, { idx: 2, when: 300, tag: '0002_missing' }],
  };
  expect(migrationProblems(missing, lock)).toEqual(['0002_missing.sql is missing.']);
});
