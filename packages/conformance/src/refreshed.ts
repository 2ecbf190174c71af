import { randomBytes } from 'node:crypto';
import type { Account } from './accounts.ts';
import type { Probe } from './probe.ts';
import { sharedRenewal } from './shared-renewal.ts';
import type { FixturesFor } from './signed-in.ts';

/** An access token lasts for 15 minutes: this leaves most of them to the check that starts. */
const refreshAfterMs = 5 * 60_000;

type Tokens = Pick<Account, 'token' | 'refreshToken'>;

interface Refreshing {
  readonly now: () => number;
  readonly refresh: (probe: Probe, refreshToken: string, key: string) => Promise<Tokens>;
}

const newKey = () => randomBytes(16).toString('base64url');

/** Replaces the tokens of a session. @throws Abandoned when it fails */
async function refreshOnDeployment(
  probe: Probe,
  refreshToken: string,
  key: string,
): Promise<Tokens> {
  const headers = { 'idempotency-key': key };
  return probe.succeed('auth.refresh', { headers, body: { refreshToken } });
}

/**
 * Refreshes the session of the owner once its tokens are old, for they expire during a long run. Checks that start meanwhile
 * wait for the same refresh. The owner is replaced in place, because other fixtures throw when they are read.
 */
export function keepRefreshed<Known extends { owner: Account }>(
  fixtures: Known,
  { now = Date.now, refresh = refreshOnDeployment }: Partial<Refreshing> = {},
): FixturesFor<Known> {
  let refreshedAt = fixtures.owner.signedInAt;
  // A refresh without a response is repeated under its key: without it, the used token would end every session of the account.
  let key = newKey();
  const replaceTokens = sharedRenewal(async (probe) => {
    const { token, refreshToken } = await refresh(probe, fixtures.owner.refreshToken, key);
    fixtures.owner = { ...fixtures.owner, token, refreshToken };
    key = newKey();
    refreshedAt = now();
  }, 'the session could not be refreshed');
  return async (probe) => {
    if (now() - refreshedAt >= refreshAfterMs) await replaceTokens(probe);
    return fixtures;
  };
}
