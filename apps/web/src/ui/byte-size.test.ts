import { expect, test } from 'vitest';
import { byteSize } from './byte-size.tsx';

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1 kB'],
  [1_440_000, '1.4 MB'],
  [5_368_709_120, '5.4 GB'],
  [10_737_418_240, '10.7 GB'],
  [250_000_000_000, '250 GB'],
  [1_099_511_627_776, '1.1 TB'],
])('formats %i bytes as %j', (bytes, expected) => {
  expect(byteSize(bytes)).toBe(expected);
});
