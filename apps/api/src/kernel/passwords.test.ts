import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createPasswordHasher } from './passwords.ts';

describe('the password hasher', () => {
  test('accepts the password and nothing else', async () => {
    const passwords = await createPasswordHasher(2);
    const hash = await passwords.hash('correct horse');
    expect(await passwords.verify(hash, 'correct horse')).toBe(true);
    expect(await passwords.verify(hash, 'correct horse ')).toBe(false);
    expect(await passwords.verify(null, 'no account has this password')).toBe(false);
  });

  test('leaves the event loop free while it works', async () => {
    const passwords = await createPasswordHasher(2);
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

  test('turns callers away rather than queue without end', async () => {
    const passwords = await createPasswordHasher(1);
    const outcomes = await Promise.all(
      Array.from({ length: 520 }, async (_, index) => {
        // All ask at once; those past the queue are refused without any hashing.
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
