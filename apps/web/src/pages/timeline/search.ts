/** The part of the address behind the `?` that this page reads. */
export { activitySearch as validateSearch } from '../../activity/search.ts';
