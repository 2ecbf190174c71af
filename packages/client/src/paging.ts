import type { AnyArgs } from './transport.ts';
import type { CallOptions } from './types.ts';

interface Page {
  readonly items: readonly unknown[];
  readonly pagination: {
    readonly page: number;
    readonly hasNext: boolean;
    readonly nextCursor?: string;
  };
}

/** Calls a list for one page. */
export type CallPage = (args?: AnyArgs, options?: CallOptions) => Promise<unknown>;

/** Iterates over every page from the requested one on: by cursor if the list has one, else by number. */
export function pagesOf(call: CallPage) {
  return async function* pages(args: AnyArgs = {}, options?: CallOptions): AsyncGenerator<Page> {
    let query = args.query;
    for (;;) {
      // The route table says which operations return pages; a test compares it with the contract.
      const page = (await call({ ...args, ...(query && { query }) }, options)) as Page;
      yield page;
      const { hasNext, nextCursor, page: number } = page.pagination;
      if (!hasNext) return;
      query = nextCursor
        ? { ...query, page: undefined, cursor: nextCursor }
        : { ...query, page: number + 1 };
    }
  };
}

/** Iterates over every item of those pages. */
export function itemsOf(call: CallPage) {
  return async function* items(args?: AnyArgs, options?: CallOptions): AsyncGenerator {
    for await (const page of pagesOf(call)(args, options)) yield* page.items;
  };
}
