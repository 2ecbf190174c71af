import { describe, expect, test } from 'vitest';
import type { Account } from './accounts.ts';
import { Coverage } from './coverage.ts';
import { Abandoned, NotRun } from './findings.ts';
import { Probe } from './probe.ts';
import { keepSignedIn } from './signed-in.ts';

const minute = 60_000;

const probe = new Probe({
  deployment: { baseUrl: '', mailApiUrl: null },
  coverage: new Coverage(),
  allowMissing: false,
});

function accountNamed(id: string): Account {
  return {
    id,
    email: `${id}@example.com`,
    password: 'password',
    token: `${id} at 0`,
    refreshToken: '',
    personalOrganizationId: '',
    signedInAt: 0,
  };
}

/** Keeps accounts signed in by a clock that the test sets. */
function setUp() {
  const clock = { ms: 0 };
  const signIns: string[] = [];
  const visits: string[] = [];
  const deployment = {
    signIn: ({ id }: Account) => Promise.resolve(`${id} at ${clock.ms / minute}`),
  };
  const fixturesFor = keepSignedIn(
    {
      owner: accountNamed('owner'),
      outsider: accountNamed('outsider'),
      viewer: accountNamed('viewer'),
      share: { id: 'a share', token: 'its link', ticket: 'ticket at 0' },
      taskId: 'a task',
    },
    {
      now: () => clock.ms,
      signIn: async (_, credentials) => {
        // The kit signs in the accounts of its fixtures only.
        const account = credentials as Account;
        signIns.push(account.id);
        return { ...account, token: await deployment.signIn(account), signedInAt: clock.ms };
      },
      visit: (_, { id, token }) => {
        visits.push(token);
        return Promise.resolve({ id, token, ticket: `ticket at ${clock.ms / minute}` });
      },
    },
  );
  const tokens = async () => {
    const { owner, outsider, viewer } = await fixturesFor(probe);
    return [owner.token, outsider.token, viewer.token];
  };
  return { clock, deployment, fixturesFor, signIns, tokens, visits };
}

describe('the accounts of the fixtures', () => {
  test('keep their sessions for less than five minutes', async () => {
    const { clock, tokens, signIns } = setUp();
    clock.ms = 5 * minute - 1;
    expect(await tokens()).toEqual(['owner at 0', 'outsider at 0', 'viewer at 0']);
    expect(signIns).toEqual([]);
  });

  test('sign in again every five minutes, once for all checks that start meanwhile', async () => {
    const { clock, fixturesFor, tokens, signIns } = setUp();
    for (const minutes of [5, 10]) {
      clock.ms = minutes * minute;
      const expected = ['owner', 'outsider', 'viewer'].map((id) => `${id} at ${minutes}`);
      expect(await Promise.all([tokens(), tokens()])).toEqual([expected, expected]);
      expect(await tokens()).toEqual(expected);
    }
    expect(signIns).toHaveLength(6);
    expect((await fixturesFor(probe)).taskId).toBe('a task');
  });

  test('visit their share again with the sign-ins, because its ticket expires', async () => {
    const { clock, fixturesFor, visits } = setUp();
    expect((await fixturesFor(probe)).share.ticket).toBe('ticket at 0');
    expect(visits).toEqual([]);
    clock.ms = 35 * minute;
    const renewed = { id: 'a share', token: 'its link', ticket: 'ticket at 35' };
    const shares = await Promise.all([fixturesFor(probe), fixturesFor(probe)]);
    expect(shares.map(({ share }) => share)).toEqual([renewed, renewed]);
    expect(visits).toEqual(['its link']);
  });

  test('a sign-in that fails fails one check, and the next one tries again', async () => {
    const { clock, deployment, tokens } = setUp();
    const { signIn } = deployment;
    clock.ms = 5 * minute;
    deployment.signIn = () => Promise.reject(new Abandoned('status 200'));
    const failed = await Promise.allSettled([tokens(), tokens()]);
    expect(failed).toEqual([
      { status: 'rejected', reason: new Abandoned('status 200') },
      { status: 'rejected', reason: new NotRun('the accounts could not sign in again') },
    ]);
    deployment.signIn = signIn;
    expect(await tokens()).toEqual(['owner at 5', 'outsider at 5', 'viewer at 5']);
  });
});
