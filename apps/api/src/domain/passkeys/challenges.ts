import { randomBytes } from 'node:crypto';
import { lifetimes } from '@atelier/contract';
import type { Executor } from '../../db/executor.ts';
import type { Deps } from '../../deps.ts';
import { hashSecretToken } from '../../kernel/secret-tokens.ts';
import { consumeChallenge, insertChallenge, type ChallengeUse } from './queries.ts';

/** The challenges that passkeys sign. */
export function passkeyChallenges({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  return {
    /** @returns 32 random bytes in base64url, valid once, for this use and 5 minutes */
    async issue(use: ChallengeUse, tx: Executor = db): Promise<string> {
      const challenge = randomBytes(32).toString('base64url');
      const expiresAt = new Date(clock.now().getTime() + lifetimes.passkeyChallengeSeconds * 1000);
      await insertChallenge(tx, { ...use, challengeHash: hashSecretToken(challenge), expiresAt });
      return challenge;
    },

    /**
     * Uses up the challenge that a response claims to have signed, before anything else is read of the response.
     *
     * The claim only looks the challenge up: one that the service has not issued, or that was used, isn't found.
     *
     * @param clientData - `clientDataJSON` of the response, in base64url
     * @returns the challenge, if it was valid for this use
     */
    async take(clientData: string, use: ChallengeUse): Promise<string | null> {
      const challenge = challengeIn(clientData);
      if (challenge === null) return null;
      const challengeHash = hashSecretToken(challenge);
      return (await consumeChallenge(db, { ...use, challengeHash }, clock.now()))
        ? challenge
        : null;
    },
  };
}

function challengeIn(clientData: string): string | null {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(clientData, 'base64url').toString());
    if (typeof parsed !== 'object' || parsed === null || !('challenge' in parsed)) return null;
    return typeof parsed.challenge === 'string' ? parsed.challenge : null;
  } catch {
    return null;
  }
}
