import { logIn } from './seed/people.ts';

/** Access tokens for as long as a run takes: one is good for 15 minutes, which a run is not done in. */
export interface AccessTokens {
  /** One for each person, in their order. */
  current(): readonly string[];
  /** Logs everybody in again when it is time to; called between rounds. */
  renew(): Promise<void>;
}

const renewedAfterMs = 5 * 60 * 1000;

export async function openAccessTokens(
  apiUrl: string,
  emails: readonly string[],
): Promise<AccessTokens> {
  let tokens = await logIn(apiUrl, emails);
  let madeAt = performance.now();
  return {
    current: () => tokens,
    async renew() {
      if (performance.now() - madeAt < renewedAfterMs) return;
      tokens = await logIn(apiUrl, emails);
      madeAt = performance.now();
    },
  };
}
