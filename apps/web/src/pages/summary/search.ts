import type { ResourceType } from '@atelier/client';
import { resourceTypeOf } from '../../activity/search.ts';

export const periods = [7, 30, 90] as const;
export type Days = (typeof periods)[number];

/** Search parameters of this page. */
export interface SummarySearch {
  /** Length of the period, including today; default 30. */
  readonly days?: Days | undefined;
  readonly type?: ResourceType | undefined;
}

export function daysOf(value: unknown): Days | undefined {
  return periods.find((one) => one === Number(value));
}

export function validateSearch(search: Record<string, unknown>): SummarySearch {
  const days = daysOf(search['days']);
  const type = resourceTypeOf(search['type']);
  return { ...(days && days !== 30 && { days }), ...(type && { type }) };
}
