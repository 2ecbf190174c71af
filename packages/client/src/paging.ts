import type { CallOptions } from './call-options.ts';
import type { Route } from './routes.ts';
import type { Session } from './session.ts';
import type { AnyArgs } from './transport.ts';

/** One page of any list. */
export interface Page {
  readonly items: readonly unknown[];
  readonly pagination: {
    readonly page: number;
    readonly hasNext: boolean;
    readonly nextCursor?: string;
  };
}

/** Calls a list for one page. */
export type CallPage = (args?: AnyArgs, options?: CallOptions) => Promise<unknown>;

/** Returns the iterations over a list: by cursor if it has one, else by page number. */
export function listOf(
  call: CallPage,
  { id }: Pick<Route, 'id'>,
  { getOrganizationId }: Pick<Session, 'getOrganizationId'>,
) {
  /** Iterates over every page from the requested one on. @throws Error for a list without an end */
  async function* pages(
    args: AnyArgs = {},
    { organizationId = getOrganizationId(), ...others }: CallOptions = {},
  ): AsyncGenerator<Page> {
    // Another one may be selected before the last page.
    const options = { ...others, organizationId };
    const seen = new Set<unknown>();
    let query = args.query;
    for (;;) {
      // The route table says which operations return pages; a test compares it with the contract.
      const page = (await call({ ...args, ...(query && { query }) }, options)) as Page;
      yield page;
      const { hasNext, nextCursor: cursor, page: number } = page.pagination;
      if (!hasNext) return;
      const next = cursor ?? number + 1;
      if (seen.has(next)) throw new Error(`${id}: the service repeats the page ${next}`);
      seen.add(next);
      query = cursor ? { ...query, page: undefined, cursor } : { ...query, page: number + 1 };
    }
  }
  return {
    pages,
    /** Iterates over every item of those pages. */
    async *iterate(args?: AnyArgs, options?: CallOptions): AsyncGenerator {
      for await (const page of pages(args, options)) yield* page.items;
    },
  };
}
