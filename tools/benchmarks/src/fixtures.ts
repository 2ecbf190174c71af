import type { Contestant } from './contestants.ts';
import type { LoadRequest } from './load.ts';
import type { Seeded } from './seed/seeded.ts';
import type { Sizes } from './seed/sizes.ts';
import type { ServerProcess } from './server-process.ts';

/** The servers and data of the scenarios. */
export interface Fixtures {
  readonly api: ServerProcess;
  /** The same without known pages: it reads every page, as if each request wanted another. */
  readonly readingApi: ServerProcess;
  /** Responds with a few bytes, to find the limit of the load generator. */
  readonly bareServer: ServerProcess;
  /** Servers that also run S0 to S3; the first is the base of comparisons. */
  readonly contestants: readonly Contestant[];
  readonly seeded: Seeded;
  readonly sizes: Sizes;
  /** The token of each person; the first is the owner's. */
  readonly accessTokens: readonly string[];
}

export function get(path: string): LoadRequest {
  return { method: 'GET', path };
}

interface Page {
  readonly data: {
    readonly items: readonly { readonly id: string }[];
    readonly pagination: { readonly nextCursor?: string };
  };
}

/** Reads the ids of a list. */
export async function idsOf(
  fixtures: Fixtures,
  {
    organizationId,
    list,
    atMost = Infinity,
  }: { organizationId: string; list: string; atMost?: number },
): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const rest = cursor === undefined ? '' : `&cursor=${cursor}`;
    const { data } = await fetchPage(fixtures, organizationId, `${list}&limit=100${rest}`);
    ids.push(...data.items.map(({ id }) => id));
    cursor = data.pagination.nextCursor;
  } while (cursor !== undefined && ids.length < atMost);
  return ids;
}

/** Reads a page by its number. @returns the cursor of the next page */
export async function cursorTo(fixtures: Fixtures, path: string): Promise<string> {
  const { data } = await fetchPage(fixtures, fixtures.seeded.libraryOrganizationId, path);
  const { nextCursor } = data.pagination;
  if (nextCursor === undefined) throw new Error(`${path} is the last page.`);
  return nextCursor;
}

async function fetchPage(fixtures: Fixtures, organizationId: string, path: string): Promise<Page> {
  const response = await fetch(`${fixtures.api.url}${path}`, {
    headers: {
      authorization: `Bearer ${fixtures.accessTokens[0]}`,
      'x-organization-id': organizationId,
    },
  });
  if (!response.ok)
    throw new Error(`${path} responded with ${response.status}: ${await response.text()}`);
  // The contract's envelope and page.
  return (await response.json()) as Page;
}
