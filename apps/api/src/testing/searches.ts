import { SearchPage, SuggestionList } from '@atelier/contract';
import { expect } from 'vitest';
import type { z } from 'zod';
import { call, type CallOptions, type Reachable } from './api.ts';

type Found = z.output<typeof SearchPage>;

interface Searcher {
  readonly token: string;
  readonly organizationId: string;
}

/** Searches as a member. */
export async function search(
  api: Reachable,
  searcher: Searcher,
  query: NonNullable<CallOptions['query']>,
): Promise<Found> {
  const { status, body } = await call(api, 'search.find', { ...searcher, query });
  expect([query, status, body.code]).toEqual([query, 200, undefined]);
  return SearchPage.parse(body.data);
}

export async function suggest(
  api: Reachable,
  searcher: Searcher,
  query: NonNullable<CallOptions['query']>,
): Promise<z.output<typeof SuggestionList>> {
  const { status, body } = await call(api, 'search.suggest', { ...searcher, query });
  expect([query, status, body.code]).toEqual([query, 200, undefined]);
  return SuggestionList.parse(body.data);
}

/** Reads all pages. */
export async function searchAll(
  api: Reachable,
  searcher: Searcher,
  query: NonNullable<CallOptions['query']>,
): Promise<{ pages: Found[]; items: Found['items'] }> {
  const pages: Found[] = [];
  let cursor: string | undefined;
  do {
    const page = await search(api, searcher, { ...query, ...(cursor && { cursor }) });
    pages.push(page);
    cursor = page.pagination.nextCursor;
  } while (cursor !== undefined);
  return { pages, items: pages.flatMap(({ items }) => items) };
}

export const titlesOf = ({ items }: Found) => items.map(({ title }) => title);
