import type { Plan } from '@atelier/client';
import { texts } from '../../texts/plan.ts';
import { byteSize } from '../../ui/byte-size.tsx';

export const limitKinds = [
  'members',
  'storageBytes',
  'maxFileBytes',
  'projects',
  'versionsPerAsset',
  'teamsPerAccount',
] as const;

export type LimitKind = (typeof limitKinds)[number];

/** Formats a price, such as “€12” or “€0”. */
export function priceText({ priceCents, currency }: Pick<Plan, 'priceCents' | 'currency'>): string {
  return new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  }).format(priceCents / 100);
}

/** Formats a limit of a plan. */
export function limitText({ limits }: Pick<Plan, 'limits'>, kind: LimitKind): string {
  const limit = limits[kind];
  return limit === null ? texts.unlimited : amountText(limit, kind);
}

/** Formats an amount in the unit of its limit. */
export function amountText(amount: number, kind: LimitKind): string {
  return kind === 'storageBytes' || kind === 'maxFileBytes'
    ? byteSize(amount)
    : amount.toLocaleString('en');
}
