import { activitySearch, type ActivitySearch } from '../../activity/search.ts';

/** The part of the address behind the `?` that this page reads. */
export type TimelineResourceSearch = Pick<ActivitySearch, 'from' | 'to'>;

export function validateSearch(search: Record<string, unknown>): TimelineResourceSearch {
  const { from, to } = activitySearch(search);
  return { ...(from && { from }), ...(to && { to }) };
}
