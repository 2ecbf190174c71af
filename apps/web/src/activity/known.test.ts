import { expect, test } from 'vitest';
import { resourceOf, sentenceOf } from './known.ts';

test('describes known actions', () => {
  expect(sentenceOf('user.logout')).toBe('signed out as {name}');
  expect(resourceOf('asset')?.icon).toBe('file-text');
});

test('still names actions that are newer than this build', () => {
  expect(sentenceOf('asset.watermark')).toBe('performed “asset.watermark” on {name}');
  expect(resourceOf('watermark')).toBeUndefined();
});
