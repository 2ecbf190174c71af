import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadSecrets } from './secrets.ts';

const root = mkdtempSync(join(tmpdir(), 'devstack-secrets-'));
const path = join(root, 'secrets.json');
afterAll(() => rmSync(root, { recursive: true }));

test('secrets are generated once, for their owner only, and satisfy the service', () => {
  const generated = loadSecrets(root);
  expect(generated.tokenEnvelopeKey).toMatch(/^[0-9a-f]{64}$/);
  expect(Buffer.byteLength(generated.jwtSecret)).toBeGreaterThanOrEqual(32);
  expect(new Set(Object.values(generated)).size).toBe(Object.values(generated).length);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  chmodSync(path, 0o644);
  expect(loadSecrets(root)).toEqual(generated);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test.each([
  ['malformed JSON', (text: string) => text.slice(0, -20), /it is not JSON/],
  [
    'a short key',
    (text: string) => text.replace(/"tokenEnvelopeKey": "./, '"tokenEnvelopeKey": "'),
    /tokenEnvelopeKey/,
  ],
  [
    'a missing secret',
    (text: string) => text.replace('jwtSecret', 'other'),
    /jwtSecret is missing/,
  ],
  ['another JSON value', () => '[]', /jwtSecret is missing/],
  ['nothing', () => '', /it is not JSON/],
])('a file with %s is named without its secrets', (_, damage, message) => {
  const sound = readFileSync(path, 'utf8');
  const { jwtSecret, s3SecretKey } = loadSecrets(root);
  writeFileSync(path, damage(sound));
  let refused = '';
  try {
    loadSecrets(root);
  } catch (error) {
    refused = String(error);
  }
  expect(refused).toMatch(message);
  expect(refused).toContain(path);
  expect(refused).toContain('Delete it');
  expect(refused).toContain('authenticator apps and recovery codes no longer work');
  expect(refused).not.toContain(jwtSecret);
  expect(refused).not.toContain(s3SecretKey);
  writeFileSync(path, sound);
});
