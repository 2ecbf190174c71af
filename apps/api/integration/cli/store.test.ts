import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../../../packages/cli/src/store.ts';

const url = 'https://api.example.com';
let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'atelier-store-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
});

function lockIn(folder: string) {
  const { lock } = openStore({ environment: { ATELIER_CONFIG_DIR: folder } }).tokensOf(url);
  if (!lock) throw new Error('The store has no lock');
  return lock;
}

describe('the lock of the tokens', () => {
  const file = () => join(directory, 'lock');

  test('a folder that refuses it is an error', { timeout: 10_000 }, async () => {
    await chmod(directory, 0o500);
    // Permissions don't stop root, but no user can add files there.
    const folder = process.getuid?.() === 0 ? '/proc/self' : directory;
    await expect(lockIn(folder)(async () => 'taken')).rejects.toThrow(/EACCES|ENOENT/);
  });

  test.each([
    ['before', -120_000],
    ['after the clock was set back', 3_600_000],
  ])('one that was left %s does not stop others', { timeout: 10_000 }, async (_when, ageMs) => {
    await writeFile(file(), 'ended');
    const since = new Date(Date.now() + ageMs);
    await utimes(file(), since, since);
    expect(await lockIn(directory)(async () => 'taken')).toBe('taken');
    expect(existsSync(file())).toBe(false);
  });

  test('a run that lost it leaves it to the one that holds it', async () => {
    await lockIn(directory)(() => writeFile(file(), 'another run'));
    expect(await readFile(file(), 'utf8')).toBe('another run');
  });

  test('runs take it one after the other', async () => {
    const events: string[] = [];
    const task = (name: string) => async () => {
      events.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      events.push(`${name} ends`);
    };
    await Promise.all([lockIn(directory)(task('a')), lockIn(directory)(task('b'))]);
    expect(events.map((event) => event.slice(2))).toEqual(['begins', 'ends', 'begins', 'ends']);
    expect(existsSync(file())).toBe(false);
  });
});
