import type { Contestant } from './contestants.ts';
import type { LoadRequest } from './load.ts';
import type { Seeded } from './seed/seeded.ts';
import type { Sizes } from './seed/sizes.ts';
import type { ServerProcess } from './server-process.ts';

/** What the scenarios run on. */
export interface World {
  readonly api: ServerProcess;
  /** Answers everything with a few bytes: what the load generator could do at most. */
  readonly bareServer: ServerProcess;
  /** Those that do S0 to S3 too; the first is what the others are compared with. */
  readonly contestants: readonly Contestant[];
  readonly seeded: Seeded;
  readonly sizes: Sizes;
  /** One for each person; the first is the owner's. */
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

/** The first tasks of a list, or all. */
export async function idsOf(
  world: World,
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
    const { data } = await fetchPage(world, organizationId, `${list}&limit=100${rest}`);
    ids.push(...data.items.map(({ id }) => id));
    cursor = data.pagination.nextCursor;
  } while (cursor !== undefined && ids.length < atMost);
  return ids;
}

/** Skips to a page by its number once, for the cursor that it ends with. */
export async function cursorTo(world: World, path: string): Promise<string> {
  const { data } = await fetchPage(world, world.seeded.libraryOrganizationId, path);
  const { nextCursor } = data.pagination;
  if (nextCursor === undefined) throw new Error(`${path} is the last page.`);
  return nextCursor;
}

async function fetchPage(world: World, organizationId: string, path: string): Promise<Page> {
  const response = await fetch(`${world.api.url}${path}`, {
    headers: {
      authorization: `Bearer ${world.accessTokens[0]}`,
      'x-organization-id': organizationId,
    },
  });
  if (!response.ok)
    throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  // The contract's envelope and page.
  return (await response.json()) as Page;
}
