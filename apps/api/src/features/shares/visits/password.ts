import { setTimeout as delay } from 'node:timers/promises';
import type { Deps } from '../../../deps.ts';
import { enqueueJobOf } from '../../../domain/job-queue.ts';
import { giveBack, limitInUse, limitReached, settle } from '../../../domain/rate-limits.ts';
import { noteGuessing, type LinkedShare } from '../../../domain/shares/queries/visits.ts';
import { Failure } from '../../../kernel/errors.ts';
import { wideNetworkOf } from '../../../http/caller-address.ts';
import type { Draw } from '../../../ports/rate-limiter.ts';

/** How long an opening waits for others that are under way, each time. */
const pausesMs = [50, 100, 200, 400, 800, 1_000, 1_000, 1_000];

interface Attempt {
  readonly password: string | undefined;
  readonly address: string;
}

/** Checks the passwords of shares, a limited number of times. */
export function passwordChecks(
  deps: Pick<Deps, 'db' | 'clock' | 'passwords' | 'rateLimiter' | 'log'>,
) {
  const { db, clock, passwords, rateLimiter } = deps;

  async function tellSharer(share: LinkedShare): Promise<void> {
    await db.transaction(async (tx) => {
      if (!(await noteGuessing(tx, share, clock.now()))) return;
      const { organizationId, id: shareId } = share;
      const payload = { organizationId, shareId, reason: 'share_guessing' } as const;
      await enqueueJobOf(tx, organizationId, { name: 'notice_share', payload });
    });
  }

  /**
   * Draws from the quotas of the share and its password: a guess on one says nothing about others that the same network
   * opens, nor about the password that replaces it.
   *
   * @returns the draws, or the one that was refused
   */
  async function draw(
    share: LinkedShare,
    address: string,
  ): Promise<{ readonly allowed: readonly Draw[]; readonly refused: Draw | null }> {
    const network = wideNetworkOf(address) ?? 'unknown';
    const guessed = `${share.id} ${share.revision}`;
    const quotas = [
      ['share-password-network', `${guessed} ${network}`],
      ['share-password', guessed],
    ] as const;
    const allowed: Draw[] = [];
    for (const [name, subject] of quotas) {
      const drawn = await rateLimiter.draw(name, subject);
      if (drawn && !drawn.isAllowed) {
        await giveBack(allowed, deps);
        return { allowed: [], refused: drawn };
      }
      if (drawn) allowed.push(drawn);
    }
    return { allowed, refused: null };
  }

  /**
   * Draws before the password is compared, so that no more guesses can be under way than may be wrong. Right ones that are under
   * way give back what they drew: then this waits for them.
   *
   * @throws Failure `rate_limited` (429)
   */
  async function drawInTurn(share: LinkedShare, address: string): Promise<readonly Draw[]> {
    for (const pauseMs of [...pausesMs, null]) {
      const { allowed, refused } = await draw(share, address);
      if (!refused) return allowed;
      if (await rateLimiter.isSpent(refused)) {
        await tellSharer(share);
        throw limitReached(refused, clock.now());
      }
      if (pauseMs !== null) await delay(pauseMs);
    }
    throw limitInUse();
  }

  /**
   * @param onWrong - notes a wrong password
   * @throws Failure `share_password_required` or `share_password_wrong` (401), `rate_limited` (429)
   */
  return async (
    share: LinkedShare,
    { password, address }: Attempt,
    onWrong: () => void,
  ): Promise<void> => {
    if (share.passwordHash === null) return;
    if (password === undefined) throw new Failure('share_password_required');
    const draws = await drawInTurn(share, address);
    if (await passwords.verify(share.passwordHash, password)) {
      await giveBack(draws, deps);
      return;
    }
    await settle(draws, deps);
    onWrong();
    throw new Failure('share_password_wrong');
  };
}
