import { setImmediate as nextTick } from 'node:timers/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { createPasswordHasher, dummyHash, type PasswordHasher } from './passwords.ts';

describe('the password hasher', () => {
  const started: PasswordHasher[] = [];
  afterEach(async () => {
    await Promise.all(started.splice(0).map((hasher) => hasher.close()));
  });
  const hasherOf = (threads: number): PasswordHasher => {
    const hasher = createPasswordHasher(threads);
    started.push(hasher);
    return hasher;
  };

  test('accepts the password and nothing else', async () => {
    const passwords = hasherOf(2);
    const hash = await passwords.hash('correct horse');
    expect(await passwords.verify(hash, 'correct horse')).toBe(true);
    expect(await passwords.verify(hash, 'correct horse ')).toBe(false);
    expect(await passwords.verify(null, 'no account has this password')).toBe(false);
  });

  test('compares with a hash of the same cost if there is no account', async () => {
    const hash = await hasherOf(1).hash('correct horse');
    const parametersOf = (text: string) => text.split('$').slice(0, 4);
    expect(parametersOf(hash)).toEqual(['', 'argon2id', 'v=19', 'm=19456,t=2,p=1']);
    expect(parametersOf(dummyHash)).toEqual(parametersOf(hash));
    expect(dummyHash).toHaveLength(hash.length);
  });

  test.skipIf(process.platform !== 'linux')(
    'works in threads that come after requests (priorities of threads: Linux alone)',
    async () => {
      const before = nicenessOfThreads().length;
      await hasherOf(1).hash('correct horse');
      const after = nicenessOfThreads();
      expect(after.length).toBeGreaterThan(before);
      // Relative to the process; the system has none above 19.
      expect(Math.max(...after)).toBe(Math.min(19, nicenessOf('self') + 10));
    },
  );

  test('works again after closing', async () => {
    const passwords = hasherOf(1);
    const hash = await passwords.hash('correct horse');
    const waiting = passwords.hash('interrupted');
    await Promise.all([expect(waiting).rejects.toThrow(), passwords.close()]);
    expect(await passwords.verify(hash, 'correct horse')).toBe(true);
  });

  test('leaves the event loop free while it works', async () => {
    const passwords = hasherOf(2);
    let turns = 0;
    let isDone = false;
    const work = Promise.all(Array.from({ length: 6 }, () => passwords.hash('correct horse'))).then(
      () => (isDone = true),
    );
    while (!isDone) {
      await nextTick();
      turns += 1;
    }
    await work;
    expect(turns).toBeGreaterThan(50);
  });

  test('refuses callers rather than queue without limit', async () => {
    const passwords = hasherOf(1);
    const outcomes = await Promise.all(
      Array.from({ length: 520 }, async (_, index) => {
        // All start at once; those beyond the queue are refused without any hashing.
        try {
          if (index < 501) void passwords.verify(null, 'x').catch(() => {});
          else await passwords.verify(null, 'x');
          return 'taken';
        } catch (error) {
          return error instanceof Error && 'code' in error ? error.code : error;
        }
      }),
    );
    expect(outcomes.slice(501)).toEqual(Array(19).fill('service_unavailable'));
  });
});

function nicenessOfThreads(): number[] {
  return readdirSync('/proc/self/task').map((thread) => nicenessOf(`self/task/${thread}`));
}

function nicenessOf(path: string): number {
  const text = readFileSync(`/proc/${path}/stat`, 'utf8');
  // The name, in parentheses, may contain spaces; the field is the nineteenth.
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[16]);
}
