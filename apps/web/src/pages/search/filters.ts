import type { SearchStatus, SearchType } from '@atelier/client';
import { searchText } from '../../library/search-params.ts';
import { statuses } from '../../tasks/kinds.ts';
import { oneOf } from '../../ui/options.ts';
import type { SearchSearch } from './search.ts';

export const searchTypes: readonly SearchType[] = [
  'task',
  'comment',
  'asset',
  'collection',
  'project',
  'person',
];

export const searchStatuses: readonly SearchStatus[] = [...statuses, 'ACTIVE', 'ARCHIVED'];

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const day = /^\d{4}-\d\d-\d\d$/;

/** The search parameters that mean something. */
export interface SearchFilters {
  readonly q: string;
  readonly type: SearchType | undefined;
  readonly isEverywhere: boolean;
  readonly project: string | undefined;
  readonly collection: string | undefined;
  readonly by: string | undefined;
  readonly assignee: string | undefined;
  readonly status: SearchStatus | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** Reads the search parameters; what makes no sense is left out. */
export function filtersOf(search: SearchSearch): SearchFilters {
  return {
    q: searchText(search.q) ?? '',
    type: oneOf(searchTypes, search.type),
    isEverywhere: search.scope === 'everywhere',
    project: idIn(search.project),
    collection: idIn(search.collection),
    by: personIn(search.by),
    assignee: personIn(search.assignee),
    status: oneOf(searchStatuses, search.status),
    from: dayIn(search.from),
    to: dayIn(search.to),
  };
}

function idIn(value: unknown): string | undefined {
  return typeof value === 'string' && uuid.test(value) ? value : undefined;
}

function personIn(value: unknown): string | undefined {
  return value === 'me' ? value : idIn(value);
}

function dayIn(value: unknown): string | undefined {
  const isDay = typeof value === 'string' && day.test(value) && !Number.isNaN(Date.parse(value));
  return isDay ? value : undefined;
}

/** Whether something besides the text and the type narrows the search. */
export function isFiltered({ q: _q, type: _type, isEverywhere, ...rest }: SearchFilters): boolean {
  return isEverywhere || Object.values(rest).some((value) => value !== undefined);
}

/** Returns the query of the API. Days are those of the user's time zone; the last one is included. */
export function queryOf(filters: SearchFilters) {
  const { q, type, isEverywhere, project, collection, by, assignee, status, from, to } = filters;
  return {
    q,
    ...(type && { types: type }),
    ...(isEverywhere && { scope: 'everywhere' as const }),
    ...(project && { projectId: project }),
    ...(collection && { collectionId: collection }),
    ...(by && { createdBy: by }),
    ...(assignee && { assigneeId: assignee }),
    ...(status && { status }),
    ...(from && { from: midnight(from, 0) }),
    ...(to && { to: midnight(to, 1) }),
  };
}

function midnight(date: string, addedDays: number): string {
  const at = new Date(`${date}T00:00:00`);
  at.setDate(at.getDate() + addedDays);
  return at.toISOString();
}
