import { expect, test } from 'vitest';
import { sentenceOf } from './activity-sentence.ts';

const update = (field: string, from: unknown, to: unknown) =>
  sentenceOf({ action: 'asset.update', changes: [{ field, from, to }] });

test('says which field changed', () => {
  expect(update('assetName', 'a.png', 'b.png')).toBe('renamed it from “a.png” to “b.png”');
  expect(update('collectionId', '1', '2')).toBe('moved it to another collection');
  expect(update('publicLinkEnabled', false, true)).toBe('turned the public link on');
  expect(update('publicLinkEnabled', true, false)).toBe('turned the public link off');
});

test('names no field when several or unknown fields changed', () => {
  const changes = [
    { field: 'assetName', from: 'a', to: 'b' },
    { field: 'collectionId', from: '1', to: '2' },
  ];
  expect(sentenceOf({ action: 'asset.update', changes })).toBe('changed this asset');
  expect(update('shape', 1, 2)).toBe('changed this asset');
});

test.each([
  ['NONE', 'took the review back'],
  ['IN_REVIEW', 'asked for a review'],
  ['APPROVED', 'approved it'],
  ['CHANGES_REQUESTED', 'asked for changes'],
  ['OF_LATER', 'changed the review'],
])('says what a review changed to: %s', (to, sentence) => {
  const changes = [{ field: 'review', from: 'OF_BEFORE', to }];
  expect(sentenceOf({ action: 'asset.change_review', changes })).toBe(sentence);
});

test('names an action that has no text', () => {
  expect(sentenceOf({ action: 'upload.abort', changes: [] })).toBe('performed “upload.abort”');
});
