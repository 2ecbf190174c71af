import { describe, expect, test } from 'vitest';
import { Coverage } from './coverage.ts';
import { Abandoned, NotRun } from './findings.ts';
import { Probe } from './probe.ts';
import { keepRefreshed } from './refreshed.ts';

const minute = 60_000;

const probe = new Probe({
  deployment: { baseUrl: '', mailApiUrl: null },
  coverage: new Coverage(),
  allowMissing: false,
});

/** Keeps the session of an account by a clock that the test sets. */
function setUp() {
  const clock = { ms: 0 };
  const refreshes: { refreshToken: string; key: string }[] = [];
  const deployment = { isLosing: false };
  const fixtures = {
    owner: {
      id: 'owner',
      email: 'owner@example.com',
      password: 'password',
      token: 'access at 0',
      refreshToken: 'refresh at 0',
      personalOrganizationId: '',
      signedInAt: 0,
    },
    get share(): never {
      throw new NotRun('needs a share of its own');
    },
  };
  const fixturesFor = keepRefreshed(fixtures, {
    now: () => clock.ms,
    refresh: (_, refreshToken, key) => {
      refreshes.push({ refreshToken, key });
      if (deployment.isLosing) return Promise.reject(new Abandoned('there was no response'));
      const minutes = clock.ms / minute;
      return Promise.resolve({
        token: `access at ${minutes}`,
        refreshToken: `refresh at ${minutes}`,
      });
    },
  });
  const token = async () => (await fixturesFor(probe)).owner.token;
  return { clock, deployment, fixtures, refreshes, token };
}

describe('the session of an existing account', () => {
  test('keeps its tokens for less than five minutes', async () => {
    const { clock, refreshes, token } = setUp();
    clock.ms = 5 * minute - 1;
    expect(await token()).toBe('access at 0');
    expect(refreshes).toEqual([]);
  });

  test('is refreshed every five minutes, once for all checks that start meanwhile', async () => {
    const { clock, fixtures, refreshes, token } = setUp();
    for (const minutes of [5, 10]) {
      clock.ms = minutes * minute;
      const expected = `access at ${minutes}`;
      expect(await Promise.all([token(), token()])).toEqual([expected, expected]);
      expect(await token()).toBe(expected);
    }
    expect(refreshes.map(({ refreshToken }) => refreshToken)).toEqual([
      'refresh at 0',
      'refresh at 5',
    ]);
    expect(new Set(refreshes.map(({ key }) => key)).size).toBe(2);
    // The sign-out at the end reads it here.
    expect(fixtures.owner.refreshToken).toBe('refresh at 10');
  });

  test('a refresh that is lost fails one check, and the next one repeats it under its key', async () => {
    const { clock, deployment, refreshes, token } = setUp();
    clock.ms = 5 * minute;
    deployment.isLosing = true;
    expect(await Promise.allSettled([token(), token()])).toEqual([
      { status: 'rejected', reason: new Abandoned('there was no response') },
      { status: 'rejected', reason: new NotRun('the session could not be refreshed') },
    ]);
    deployment.isLosing = false;
    expect(await token()).toBe('access at 5');
    expect(refreshes).toHaveLength(2);
    expect(refreshes[1]).toEqual(refreshes[0]);
  });
});
