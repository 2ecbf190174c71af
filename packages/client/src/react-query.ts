import type { Client } from './api.ts';
import type { QueryGroups } from './generated/query-groups.ts';
import type { Page } from './paging.ts';
import { rootKey } from './query-keys.ts';
import { routes, type Route } from './routes.ts';
import type { AnyArgs, AnyOptions } from './transport.ts';

export type { QueryGroups } from './generated/query-groups.ts';
export { rootKey, staleKeys } from './query-keys.ts';
export { followChanges, type ChangeFollower } from './query-live.ts';
export {
  editCached,
  optimistic,
  refreshing,
  type Edit,
  type EditedItems,
  type OptimisticOptions,
} from './query-optimistic.ts';
export type {
  ListQueries,
  Mutations,
  PageParam,
  PagesKeyOf,
  Queries,
  QueryInput,
  QueryKeyOf,
} from './query-types.ts';

type AnyInput = AnyArgs & QueryDefaults;
type AnyCall = (args: AnyArgs, options: AnyOptions) => Promise<unknown>;

export interface QueryDefaults {
  /** Organization of every query and mutation, and a part of the keys; default: that of the client, when options are made. */
  organizationId?: string | null | undefined;
}

/** Creates the options of TanStack Query for every operation. A cancelled query aborts its request. */
export function createQueries(api: Client, defaults: QueryDefaults = {}): QueryGroups {
  const groups: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    (groups[route.group] ??= {})[route.name] = sourceOf(route);
  }
  // The table has no types; the types are generated from the same contract.
  return groups as unknown as QueryGroups;

  function sourceOf({ group, name, method, flags }: Route): object {
    const call = (args: AnyArgs, options: AnyOptions) => {
      const operations = api[group as keyof Client] as unknown as Record<string, AnyCall>;
      return operations[name]?.(args, options);
    };
    const key = [...rootKey, group, name];
    // Only these depend on an organization.
    const hasOrganization = /o/.test(flags);
    /** Adds the organization, which is a part of a query's key: another one may be selected before the request. */
    const complete = <Input extends QueryDefaults>(input: Input): Input => {
      const { organizationId: preset = api.session.getOrganizationId() } = defaults;
      const { organizationId = preset } = input;
      return hasOrganization ? { ...input, organizationId } : input;
    };
    if (method !== 'GET') {
      return {
        mutationKey: () => key,
        mutationOptions(given: AnyOptions = {}) {
          const options = complete(given);
          return { mutationKey: key, mutationFn: (args: AnyArgs = {}) => call(args, options) };
        },
      };
    }
    const queryKey = (input?: AnyInput) => (input ? [...key, complete(input)] : key);
    const infiniteQueryKey = (input: AnyInput = {}) => [...queryKey(input), 'pages'];
    const read = ({ organizationId, ...args }: AnyInput, signal?: AbortSignal) =>
      call(args, { signal, organizationId });
    const ofOne = {
      queryKey,
      queryOptions(given: AnyInput = {}) {
        const input = complete(given);
        return {
          queryKey: queryKey(input),
          queryFn: ({ signal }: Context) => read(input, signal),
        };
      },
    };
    if (!/l/.test(flags)) return ofOne;
    return {
      ...ofOne,
      infiniteQueryKey,
      infiniteQueryOptions(given: AnyInput = {}) {
        const input = complete(given);
        return {
          queryKey: infiniteQueryKey(input),
          queryFn: ({ signal, pageParam }: Context) =>
            read({ ...input, query: { ...input.query, ...pageParam } }, signal),
          initialPageParam: null,
          getNextPageParam: nextPageOf,
        };
      },
    };
  }
}

interface Context {
  readonly signal?: AbortSignal;
  readonly pageParam?: NextPage | null;
}

interface NextPage {
  /** Not together with a cursor. */
  readonly page: number | undefined;
  readonly cursor?: string;
}

/** Returns what to ask for after a page; undefined after the last one. */
function nextPageOf({ pagination }: Page): NextPage | undefined {
  const { hasNext, nextCursor: cursor, page } = pagination;
  if (!hasNext) return undefined;
  return cursor ? { page: undefined, cursor } : { page: page + 1 };
}
