import { expect, test } from 'vitest';
import { extensionOf } from './thumbnail.tsx';

test.each([
  ['logo.png', 'image/png', 'png'],
  ['logo.png', 'application/pdf', 'pdf'],
  ['photo.JPEG', 'image/jpeg', 'jpeg'],
  ['notes.md', 'text/plain', 'md'],
  ['film', 'video/mp4', 'mp4'],
  ['film.mov', 'video/x-other', 'mov'],
  ['README', 'application/octet-stream', ''],
])('of %s as %s, %s is shown', (assetName, assetType, shown) => {
  expect(extensionOf({ assetName, assetType })).toBe(shown);
});
