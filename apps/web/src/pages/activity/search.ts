export { activitySearch as validateSearch } from '../../activity/search.ts';
