import type {
  DataTag,
  InfiniteData,
  UndefinedInitialDataInfiniteOptions,
  UndefinedInitialDataOptions,
  UseMutationOptions,
} from '@tanstack/react-query';
import type { Args, Data, ErrorOf, OperationId, OptionsOf } from './types.ts';

/** What a query reads: the arguments of its operation, and its organization. */
export type QueryInput<K extends OperationId> = Args<K> & {
  /** Organization to read from; default: that of `createQueries`, else that of the client. */
  readonly organizationId?: string | null | undefined;
};

/** The key of a query; its beginnings are keys of everything, of a group, and of an operation. */
export type QueryKeyOf<K extends OperationId> = readonly ['atelier', string, string, QueryInput<K>];

/** The key of a query of pages, which begins with that of the query of one page. */
export type PagesKeyOf<K extends OperationId> = readonly [...QueryKeyOf<K>, 'pages'];

/** Which page of a list to read. */
export type PageParam = { readonly page?: number | undefined; readonly cursor?: string } | null;

/** No arguments if none is required. */
type Inputs<K extends OperationId> =
  Record<never, never> extends Args<K> ? [input?: QueryInput<K>] : [input: QueryInput<K>];

/** Options of the queries of an operation. */
export interface Queries<K extends OperationId> {
  /** Without an input, the key of all queries of the operation. */
  queryKey(input?: QueryInput<K>): DataTag<QueryKeyOf<K>, Data<K>, ErrorOf<K>>;
  queryOptions(...inputs: Inputs<K>): UndefinedInitialDataOptions<
    Data<K>,
    ErrorOf<K>,
    Data<K>,
    QueryKeyOf<K>
  > & {
    queryKey: DataTag<QueryKeyOf<K>, Data<K>, ErrorOf<K>>;
    queryFn(context: { readonly signal?: AbortSignal | undefined }): Promise<Data<K>>;
  };
}

/** Options of the queries of a list: one page, or one page after the other. */
export interface ListQueries<K extends OperationId> extends Queries<K> {
  infiniteQueryKey(
    input?: QueryInput<K>,
  ): DataTag<PagesKeyOf<K>, InfiniteData<Data<K>, PageParam>, ErrorOf<K>>;
  infiniteQueryOptions(...inputs: Inputs<K>): UndefinedInitialDataInfiniteOptions<
    Data<K>,
    ErrorOf<K>,
    InfiniteData<Data<K>, PageParam>,
    PagesKeyOf<K>,
    PageParam
  > & {
    queryKey: DataTag<PagesKeyOf<K>, InfiniteData<Data<K>, PageParam>, ErrorOf<K>>;
  };
}

/** Options of the mutations of an operation. */
export interface Mutations<K extends OperationId> {
  mutationKey(): readonly ['atelier', string, string];
  /** The variables of the mutation are the arguments of the operation. Don't let the mutation retry: the client does. */
  mutationOptions(options?: OptionsOf<K>): UseMutationOptions<Data<K>, ErrorOf<K>, Args<K>> & {
    mutationKey: readonly ['atelier', string, string];
    mutationFn(args: Args<K>): Promise<Data<K>>;
  };
}
