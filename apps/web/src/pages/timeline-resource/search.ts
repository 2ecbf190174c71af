import { activitySearch, type ActivitySearch } from '../../activity/search.ts';

/** Search parameters of this page. */
export type TimelineResourceSearch = Pick<ActivitySearch, 'from' | 'to'>;

export function validateSearch(search: Record<string, unknown>): TimelineResourceSearch {
  const { from, to } = activitySearch(search);
  return { ...(from && { from }), ...(to && { to }) };
}
