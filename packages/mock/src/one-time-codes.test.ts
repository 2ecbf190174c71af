import { expect, test } from 'vitest';
import { codeOf, stepAt } from './one-time-codes.ts';

/** The secret of RFC 6238, appendix B, in base32. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code at second %i is that of RFC 6238', (seconds, code) => {
  expect(codeOf(secret, stepAt(seconds * 1000))).toBe(code);
});
