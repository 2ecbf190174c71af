import { ApiError } from '@atelier/client';
import { texts } from '../texts/share.ts';
import { clockTime } from '../ui/clock-time.ts';
import { errorText, isNotFound } from '../ui/error-texts.ts';

const codeOf = (error: unknown) => (error instanceof ApiError ? String(error.code) : undefined);

/** Tells whether the link is wrong or its share has ended: nothing tells which. */
export function isShareGone(error: unknown): boolean {
  return codeOf(error) === 'share_not_found';
}

export function needsPassword(error: unknown): boolean {
  return ['share_password_required', 'share_password_wrong'].includes(codeOf(error) ?? '');
}

/** Tells whether the visit has ended. */
export function isOver(error: unknown): boolean {
  return isShareGone(error) || needsPassword(error);
}

/** Tells whether a file, or its share, is no longer there: trying again is pointless. */
export function isRefused(error: unknown): boolean {
  return isNotFound(error) || isOver(error);
}

export function areCommentsOff(error: unknown): boolean {
  return codeOf(error) === 'share_comments_off';
}

/** Returns how long a limit asks to wait, in seconds; null for another error. */
function secondsToWait(error: unknown): number | null {
  if (!(error instanceof ApiError) || error.code !== 'rate_limited') return null;
  const seconds = Number(error.headers.get('retry-after'));
  return seconds > 0 ? seconds : null;
}

/** Returns the message for an error; too many attempts with the time of the next one. */
export function shareErrorText(error: unknown): string {
  if (codeOf(error) === 'share_password_wrong') return texts.password.wrong;
  const seconds = secondsToWait(error);
  if (seconds === null) return errorText(error);
  const nowMs = Date.now();
  // The time has no seconds: the next full minute is late enough.
  const atMs = Math.ceil((nowMs + seconds * 1000) / 60_000) * 60_000;
  return texts.tooManyAttempts(clockTime(atMs, nowMs));
}
