import type { Share, SharePolicy } from '@atelier/client';
import * as z from 'zod/mini';
import { changedFields, isSameIn } from '../forms/changed-fields.ts';
import { texts } from '../texts/sharing.ts';

const { problems } = texts;
const dayMs = 24 * 60 * 60 * 1000;
const offeredDays = [1, 7, 30, 90, 365];
/** The clock of this device may be ahead, and the longest time that is allowed is exact. */
const clockErrorMs = 10 * 60 * 1000;
/** How long a share lasts by default, in days. */
const defaultDays = 30;

/** The fields of a form as they are entered; a checkbox has a value only if it is checked. */
export const fields = z.object({
  label: z.string().check(z.trim(), z.maxLength(80, problems.label)),
  password: z
    .string()
    .check(
      z.refine(
        (text) => text === '' || (text.length >= 8 && text.length <= 128),
        problems.password,
      ),
    ),
  removesPassword: z.optional(z.string()),
  expiry: z.string(),
  allowDownload: z.optional(z.string()),
  pinned: z.optional(z.string()),
  watermark: z.string().check(z.trim(), z.maxLength(60, problems.watermark)),
  maxOpenings: z.string().check(
    z.trim(),
    z.refine(
      (text) => text === '' || (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 10_000),
      problems.maxOpenings,
    ),
  ),
});
export type Fields = z.output<typeof fields>;

/** What the choice of an expiry has beside days. */
export const never = 'never';
export const kept = 'kept';

/** Lists the days after which a share may end, and whether it may last for good. */
export function expiries({ maxDays }: Pick<SharePolicy, 'maxDays'>): {
  readonly days: readonly number[];
  readonly mayLast: boolean;
  readonly preset: number;
} {
  if (maxDays === null) return { days: offeredDays, mayLast: true, preset: defaultDays };
  const days = [...offeredDays.filter((count) => count < maxDays), maxDays];
  return { days, mayLast: false, preset: Math.min(defaultDays, maxDays) };
}

/** Returns the conditions of a new share. */
export function newConditions(entered: Fields) {
  const { label, password, watermark, maxOpenings } = entered;
  return {
    ...(label !== '' && { label }),
    ...(password !== '' && { password }),
    expiresAt: expiryOf(entered) ?? null,
    allowDownload: entered.allowDownload !== undefined,
    versions: versionsOf(entered),
    ...(watermark !== '' && { watermark }),
    ...(maxOpenings !== '' && { maxOpenings: Number(maxOpenings) }),
  };
}

/** Returns what the form changes of a share; empty if it changes nothing. */
export function changedConditions(entered: Fields, share: Share) {
  const expiresAt = expiryOf(entered);
  const next = {
    label: entered.label || null,
    allowDownload: entered.allowDownload !== undefined,
    versions: versionsOf(entered),
    watermark: entered.watermark || null,
    maxOpenings: entered.maxOpenings === '' ? null : Number(entered.maxOpenings),
  };
  return {
    ...changedFields(next, share),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(entered.removesPassword !== undefined && { password: null }),
    ...(entered.password !== '' && { password: entered.password }),
  };
}

export type Changes = ReturnType<typeof changedConditions>;

/** Tells whether all that the form changes is still as it was. */
export function isAsBefore(changes: Changes, before: Share, now: Share): boolean {
  const { password, ...others } = changes;
  const names = Object.keys(others) as (keyof typeof others)[];
  return isSameIn(password === undefined ? names : [...names, 'hasPassword'], before, now);
}

/** Tells whether all that the form changes is saved. Nothing tells that of a password, unless the share has none. */
export function isAsEntered({ password, ...others }: Changes, now: Share): boolean {
  const names = Object.keys(others) as (keyof typeof others)[];
  const isPasswordSaved = password === undefined || (password === null && !now.hasPassword);
  return isPasswordSaved && isSameIn(names, others, now);
}

function versionsOf({ pinned }: Fields): 'PINNED' | 'CURRENT' {
  return pinned === undefined ? 'CURRENT' : 'PINNED';
}

/** Undefined leaves the expiry as it is. */
function expiryOf({ expiry }: Fields): string | null | undefined {
  if (expiry === kept) return undefined;
  return expiry === never
    ? null
    : new Date(Date.now() + Number(expiry) * dayMs - clockErrorMs).toISOString();
}
