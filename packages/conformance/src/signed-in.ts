import { logIn, type Account } from './accounts.ts';
import { NotRun } from './findings.ts';
import type { Fixtures } from './fixtures.ts';
import type { Probe } from './probe.ts';

/** A sign-in counts as a confirmation for ten minutes: this leaves the other half to the check that starts. */
const renewAfterMs = 5 * 60_000;

type Accounts = Pick<Fixtures, 'owner' | 'outsider' | 'viewer'>;

/** Returns the fixtures for a check that starts. */
export type FixturesFor<Known> = (probe: Probe) => Promise<Known>;

/**
 * Signs the accounts of fixtures in again once their sessions are old, for confirmations and access tokens expire during a
 * long run. Checks that start meanwhile wait for the same sign-ins; the sessions of those that run stay open.
 */
export function keepSignedIn<Known extends Accounts>(
  fixtures: Known,
  { now, signIn }: { now: () => number; signIn: typeof logIn } = { now: Date.now, signIn: logIn },
): FixturesFor<Known> {
  let current = fixtures;
  let pending: Promise<Accounts> | null = null;
  return async (probe) => {
    if (now() - current.owner.signedInAt < renewAfterMs) return current;
    const isFirst = pending === null;
    pending ??= signAllIn(fixtures, (account) => signIn(probe, account)).finally(() => {
      pending = null;
    });
    try {
      current = { ...fixtures, ...(await pending) };
    } catch (error) {
      // The check that signed in reports the reason.
      throw isFirst ? error : new NotRun('the accounts could not sign in again');
    }
    return current;
  };
}

async function signAllIn(
  { owner, outsider, viewer }: Accounts,
  signIn: (account: Account) => Promise<Account>,
): Promise<Accounts> {
  const renewed = await Promise.all([signIn(owner), signIn(outsider), signIn(viewer)]);
  return { owner: renewed[0], outsider: renewed[1], viewer: renewed[2] };
}
