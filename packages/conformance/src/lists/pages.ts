import { Pagination, type Operation } from '@atelier/contract';
import { z } from 'zod';
import type { ReceivedResponse, RequestOptions } from '../deployment.ts';
import type { Probe } from '../probe.ts';
import type { Item } from './items.ts';

const Page = z.object({
  data: z.object({ items: z.array(z.record(z.string(), z.unknown())), pagination: Pagination }),
});

export interface ReadPage {
  readonly response: ReceivedResponse;
  readonly items: readonly Item[];
  readonly pagination: Pagination;
}

/** Reads a page. @throws Abandoned when the response is none */
export async function readPage(
  probe: Probe,
  { id }: Operation,
  request: RequestOptions,
): Promise<ReadPage> {
  const response = await probe.request(id, request);
  const page = Page.safeParse(response.json);
  probe.require({
    rule: 'list.page',
    response,
    holds: page.success,
    expected: 'a page of the list',
  });
  if (!page.success) throw page.error;
  return { response, ...page.data.data };
}

/** Adds fields to the query of a request; null leaves a field out. */
export function withQuery(
  request: RequestOptions,
  query: Readonly<Record<string, string | null>>,
): RequestOptions {
  const all = Object.entries({ ...request.query, ...query });
  return {
    ...request,
    query: Object.fromEntries(
      all.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])),
    ),
  };
}

/** Longest list that a check reads. */
const maxPages = 30;

/** Reads a whole list by page number, `limit` items at a time. */
export async function readByNumber(
  probe: Probe,
  operation: Operation,
  { request, limit }: { request: RequestOptions; limit: number },
): Promise<ReadPage[]> {
  const pages: ReadPage[] = [];
  for (let number = 1; number <= maxPages; number += 1) {
    const query = { limit: String(limit), page: String(number) };
    const page = await readPage(probe, operation, withQuery(request, query));
    pages.push(page);
    if (!page.pagination.hasNext) break;
  }
  return pages;
}

/** Reads a whole list by cursor, until there is none or one repeats. */
export async function readByCursor(
  probe: Probe,
  operation: Operation,
  { request, limit }: { request: RequestOptions; limit: number },
): Promise<ReadPage[]> {
  const pages: ReadPage[] = [];
  const cursors = new Set<string>();
  let next: string | null = null;
  while (pages.length < maxPages) {
    const query = { limit: String(limit), cursor: next };
    const page: ReadPage = await readPage(probe, operation, withQuery(request, query));
    pages.push(page);
    next = page.pagination.nextCursor ?? null;
    if (next === null || cursors.has(next)) break;
    cursors.add(next);
  }
  return pages;
}
