import { expect, test } from 'vitest';
import { matchFiles } from './match-files.ts';
import { noProgress, type UploadItem } from './upload-list.ts';

function file(name: string, lastModified = 1, content = 'abc'): File {
  return new File([content], name, { lastModified });
}

function item(id: string, name: string): UploadItem {
  const target = { organizationId: null, collectionId: 'desk' };
  const facts = {
    sizeBytes: 3,
    lastModified: 1,
    phase: 'interrupted',
    progress: noProgress,
  } as const;
  return { ...target, ...facts, id, name };
}

test('files are matched with interrupted uploads by name, size and date', () => {
  const chosen = [file('b'), file('new'), file('a', 2), file('a', 1, 'longer'), file('a')];
  const { found, others } = matchFiles(chosen, [item('1', 'a'), item('2', 'b'), item('3', 'c')]);
  expect([...found].map(([{ id }, { name }]) => [id, name])).toEqual([
    ['2', 'b'],
    ['1', 'a'],
  ]);
  expect(others).toEqual(chosen.slice(1, 4));
});

test('equal files are matched with one upload each, the first ones first', () => {
  const chosen = [file('a'), file('a'), file('a')];
  const { found, others } = matchFiles(chosen, [item('1', 'a'), item('2', 'a')]);
  expect([...found.keys()].map(({ id }) => id)).toEqual(['1', '2']);
  expect(others).toHaveLength(1);
});
