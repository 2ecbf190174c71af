import type { SharePolicy } from '@atelier/contract';
import { dayMs } from '../../kernel/durations.ts';
import { Failure } from '../../kernel/errors.ts';

/** The latest time at which a share may expire. */
export function lastExpiry(maxDays: number, now: Date): Date {
  return new Date(now.getTime() + maxDays * dayMs);
}

/**
 * Returns when a new share expires.
 *
 * @param wanted - undefined: in as many days as by default, or as the policy allows
 */
export function expiryOf(
  wanted: string | null | undefined,
  { policy, now, defaultDays }: { policy: SharePolicy; now: Date; defaultDays: number },
): Date | null {
  if (wanted === null) return null;
  if (wanted !== undefined) return new Date(wanted);
  return lastExpiry(Math.min(defaultDays, policy.maxDays ?? defaultDays), now);
}

/** @throws Failure `validation_failed` (400) for an expiry that has passed */
export function assertAhead(expiresAt: Date | null, now: Date): void {
  if (expiresAt === null || expiresAt > now) return;
  const message = 'Invalid time: expected one that is yet to come';
  throw new Failure('validation_failed', {
    errors: [{ in: 'body', path: ['expiresAt'], code: 'too_small', message }],
  });
}

/** @throws Failure `share_policy` (409) */
export function assertAllowed(
  share: {
    readonly passwordHash: string | null;
    readonly expiresAt: Date | null;
    readonly allowDownload: boolean;
  },
  policy: SharePolicy,
  now: Date,
): void {
  const refuse = (message: string) => new Failure('share_policy', { message });
  if (!policy.allowed) throw refuse('The organization allows no shares');
  if (policy.requirePassword && share.passwordHash === null) {
    throw refuse('The organization demands a password of each share');
  }
  if (policy.maxDays !== null) {
    const isTooLong = share.expiresAt === null || share.expiresAt > lastExpiry(policy.maxDays, now);
    if (isTooLong)
      throw refuse(`The organization allows shares for ${policy.maxDays} days at most`);
  }
  if (share.allowDownload && !policy.allowDownload) {
    throw refuse('The organization allows no downloads by shares');
  }
}
