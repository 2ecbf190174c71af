import type { SearchQuery } from '@atelier/contract';
import type { Transaction } from '../../db/executor.ts';
import type { Fold } from '../../domain/folding.ts';
import type { Readable } from './policy.ts';
import type { Conditions } from './queries/living.ts';
import { findPersonsNamed, findPlaces } from './queries/resolve.ts';
import type { OrganizationIds } from './queries/scope.ts';
import { foldQuery, tsqueryOf } from './query.ts';

/** The filters of a request, besides those in its query. */
export interface Filters {
  readonly projectId?: string | undefined;
  readonly collectionId?: string | undefined;
  readonly assigneeId?: string | undefined;
  readonly createdBy?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly status?: string | undefined;
}

interface Named {
  readonly organizationIds: OrganizationIds;
  readonly viewerId: string;
  readonly fold: Fold;
  readonly readable: Readable;
}

/** Returns what hits have to be. Names in the query are looked up in the organizations, among what the caller may read. */
export async function conditionsOf(
  tx: Transaction,
  { query, filters }: { query: SearchQuery; filters: Filters },
  named: Named,
): Promise<Conditions> {
  const { assignee, by, is, after, before } = query.filters;
  const me = (id: string | undefined) => (id === 'me' ? named.viewerId : id);
  const assigneeId = me(filters.assigneeId);
  const createdBy = me(filters.createdBy);
  return {
    projectIds: filters.projectId === undefined ? null : [filters.projectId],
    collectionIds: filters.collectionId === undefined ? null : [filters.collectionId],
    placeIds: await placesIn(tx, query.filters.in, named),
    assigneeIds: both(assigneeId, await personsIn(tx, assignee, named)),
    creatorIds: both(createdBy, await personsIn(tx, by, named)),
    from: later(filters.from, startOf(after)),
    to: earlier(filters.to, startOf(before)),
    status: filters.status ?? null,
    states: is,
  };
}

async function placesIn(
  tx: Transaction,
  names: readonly string[],
  { organizationIds, fold, readable }: Named,
): Promise<Conditions['placeIds']> {
  if (names.length === 0) return null;
  const keys = names.map((name) => name.toUpperCase());
  const folded = names.map((name) => fold(name.trim()));
  const places = { projects: readable.projects, collections: readable.collections };
  return findPlaces(tx, organizationIds, { keys, folded, places });
}

async function personsIn(
  tx: Transaction,
  names: readonly string[],
  { organizationIds, viewerId, fold, readable }: Named,
): Promise<readonly string[] | null> {
  if (names.length === 0) return null;
  const others = names.filter((name) => name.toLowerCase() !== 'me');
  const queries = others.flatMap((name) => {
    const terms = [{ words: name.split(/\s+/), isBeginning: true }];
    return tsqueryOf(foldQuery({ terms, excluded: [] }, fold), 'anywhere') ?? [];
  });
  const found = readable.persons ? await findPersonsNamed(tx, organizationIds, queries) : [];
  return others.length < names.length ? [viewerId, ...found] : found;
}

/** What both the request and its query name; null if neither does. */
function both(id: string | undefined, ids: readonly string[] | null): readonly string[] | null {
  if (id === undefined) return ids;
  return ids === null || ids.includes(id) ? [id] : [];
}

function startOf(day: string | null): string | undefined {
  return day === null ? undefined : `${day}T00:00:00.000Z`;
}

function later(one: string | undefined, other: string | undefined): string | null {
  return (
    [one, other]
      .filter((at) => at !== undefined)
      .toSorted(byTime)
      .at(-1) ?? null
  );
}

function earlier(one: string | undefined, other: string | undefined): string | null {
  return [one, other].filter((at) => at !== undefined).toSorted(byTime)[0] ?? null;
}

function byTime(one: string, other: string): number {
  return Date.parse(one) - Date.parse(other);
}
