import { signIn } from './seed/accounts.ts';

/** Access tokens for a whole run, which takes longer than the 15 minutes of one token. */
export interface AccessTokens {
  /** The token of each person, in their order. */
  current(): readonly string[];
  /** Logs all persons in again if the tokens are old. Called between rounds. */
  renew(): Promise<void>;
}

const renewedAfterMs = 5 * 60 * 1000;

export async function openAccessTokens(
  apiUrl: string,
  emails: readonly string[],
): Promise<AccessTokens> {
  let tokens = await signIn(apiUrl, emails);
  let madeAt = performance.now();
  return {
    current: () => tokens,
    async renew() {
      if (performance.now() - madeAt < renewedAfterMs) return;
      tokens = await signIn(apiUrl, emails);
      madeAt = performance.now();
    },
  };
}
