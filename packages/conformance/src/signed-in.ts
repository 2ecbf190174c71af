import { logIn } from './accounts.ts';
import { visitShare, type Fixtures } from './fixtures.ts';
import type { Probe } from './probe.ts';
import { sharedRenewal } from './shared-renewal.ts';

/** A sign-in counts as a confirmation for ten minutes: this leaves the other half to the check that starts. */
const renewAfterMs = 5 * 60_000;

/** What expires during a long run. */
type Renewed = Pick<Fixtures, 'owner' | 'outsider' | 'viewer' | 'share'>;

interface Renewal {
  readonly now: () => number;
  readonly signIn: typeof logIn;
  readonly visit: typeof visitShare;
}

const onDeployment: Renewal = { now: Date.now, signIn: logIn, visit: visitShare };

/** Returns the fixtures for a check that starts. */
export type FixturesFor<Known> = (probe: Probe) => Promise<Known>;

/**
 * Signs the accounts of fixtures in again once their sessions are old, and visits their share again, for confirmations,
 * access tokens and the tickets of visits expire during a long run. Checks that start meanwhile wait for the same sign-ins; the
 * sessions and visits of those that run stay open.
 */
export function keepSignedIn<Known extends Renewed>(
  fixtures: Known,
  { now, signIn, visit }: Renewal = onDeployment,
): FixturesFor<Known> {
  let current = fixtures;
  const renewAll = sharedRenewal(async (probe) => {
    current = { ...fixtures, ...(await renew(probe, fixtures, { signIn, visit })) };
  }, 'the accounts could not sign in again');
  return async (probe) => {
    if (now() - current.owner.signedInAt >= renewAfterMs) await renewAll(probe);
    return current;
  };
}

async function renew(
  probe: Probe,
  fixtures: Renewed,
  { signIn, visit }: Pick<Renewal, 'signIn' | 'visit'>,
): Promise<Renewed> {
  const [owner, outsider, viewer, share] = await Promise.all([
    signIn(probe, fixtures.owner),
    signIn(probe, fixtures.outsider),
    signIn(probe, fixtures.viewer),
    visit(probe, fixtures.share),
  ]);
  return { owner, outsider, viewer, share };
}
