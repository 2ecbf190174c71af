import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const benchmarks = join(import.meta.dirname, '..');

/** Returns the hash of the driver's patch in a lockfile. */
function patchOfDriver(lockfile: string): string | undefined {
  return /postgres@[\d.]+\(patch_hash=([0-9a-f]{64})\)/.exec(readFileSync(lockfile, 'utf8'))?.[1];
}

test('the opponents run on the same patched driver as the service', () => {
  const ours = patchOfDriver(join(benchmarks, '..', '..', 'pnpm-lock.yaml'));
  expect(ours).toBeDefined();
  expect(patchOfDriver(join(benchmarks, 'opponents', 'pnpm-lock.yaml'))).toBe(ours);
});
