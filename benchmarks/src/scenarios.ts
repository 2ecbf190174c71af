import type { LoadRequest } from './load.ts';
import { sideBySide } from './side-by-side.ts';
import type { Scenario, Traffic, Variant } from './scenario.ts';
import { typicalSearches } from './seed/library.ts';
import type { Seeded } from './seed/seeded.ts';
import type { ServerProcess } from './server-process.ts';
import type { Contestant } from './contestants.ts';
import type { Sizes } from './seed/sizes.ts';

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

const pageLimit = 50;
/** The page far down a list; of a shorter list, the one in its middle. */
const farPage = 10_000;

/** Every scenario; one is prepared when its first round begins. */
export function scenariosOf(world: World): Scenario[] {
  return [
    ...sideBySide(world),
    {
      id: 'S4',
      title: 'GET /api/assets?scope=organization&limit=50',
      variants: pages(world, '/api/assets?scope=organization', world.sizes.assets),
      target: { kind: 'ratio', of: 'p50', most: 1.5 },
    },
    {
      id: 'S4-search',
      title: 'GET /api/assets?scope=organization&limit=50&q=…',
      variants: [searching(world)],
      target: { kind: 'median', mostMs: 50 },
    },
    {
      id: 'S7',
      title: 'PATCH /api/tasks/{id}/position',
      variants: [
        moving(world, world.seeded.shortColumnProjectId, world.sizes.shortColumn),
        moving(world, world.seeded.longColumnProjectId, world.sizes.longColumn),
      ],
      target: { kind: 'ratio', of: 'p50', most: 1.3 },
    },
    {
      id: 'S8',
      title: 'GET /api/timeline?limit=50',
      variants: pages(world, '/api/timeline?', world.sizes.activities),
      target: { kind: 'ratio', of: 'p50', most: 1.5 },
    },
  ];
}

export function get(path: string): LoadRequest {
  return { method: 'GET', path };
}

/** One request at a time: what a ratio of times is made of. */
function owner(world: World, organizationId: string): Omit<Traffic, 'requests'> {
  return {
    url: world.api.url,
    connections: 1,
    headers: { 'x-organization-id': organizationId },
    accessTokens: world.accessTokens.slice(0, 1),
  };
}

/** The first page, and one far down that a cursor leads to. */
function pages(world: World, list: string, rowCount: number): Variant[] {
  const traffic = owner(world, world.seeded.libraryOrganizationId);
  const page = Math.min(farPage, Math.floor(rowCount / pageLimit / 2));
  let cursor: string | undefined;
  return [
    {
      server: world.api,
      name: 'page 1',
      traffic: async () => ({ ...traffic, requests: [get(`${list}&limit=${pageLimit}`)] }),
    },
    {
      server: world.api,
      name: `page ${page.toLocaleString('en')} by cursor`,
      async traffic() {
        cursor ??= await cursorTo(world, `${list}&limit=${pageLimit}&page=${page - 1}`);
        return { ...traffic, requests: [get(`${list}&limit=${pageLimit}&cursor=${cursor}`)] };
      },
    },
  ];
}

function searching(world: World): Variant {
  return {
    server: world.api,
    name: `${typicalSearches.length} searches by turns`,
    traffic: async () => ({
      ...owner(world, world.seeded.libraryOrganizationId),
      requests: typicalSearches.map((text) =>
        get(`/api/assets?scope=organization&limit=${pageLimit}&q=${encodeURIComponent(text)}`),
      ),
    }),
  };
}

/** Moves any task of a column to any other place in it: each is a change. */
function moving(world: World, projectId: string, taskCount: number): Variant {
  const { boardOrganizationId } = world.seeded;
  let order: string[] | undefined;
  return {
    server: world.api,
    name: `column of ${taskCount.toLocaleString('en')}`,
    isOneTime: true,
    async traffic(amount) {
      const list = `/api/projects/${projectId}/tasks?sort=position&status=TODO`;
      const column = (order ??= await idsOf(world, {
        organizationId: boardOrganizationId,
        list,
      }));
      const requests = Array.from({ length: amount }, (): LoadRequest => {
        const from = Math.floor(Math.random() * column.length);
        const shift = 1 + Math.floor(Math.random() * (column.length - 1));
        const position = (from + shift) % column.length;
        const [id = ''] = column.splice(from, 1);
        column.splice(position, 0, id);
        return { method: 'PATCH', path: `/api/tasks/${id}/position`, body: { position } };
      });
      return { ...owner(world, boardOrganizationId), requests };
    },
  };
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
async function cursorTo(world: World, path: string): Promise<string> {
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
