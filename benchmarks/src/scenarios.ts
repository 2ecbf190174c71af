import type { ApiProcess } from './api-process.ts';
import type { LoadJob, LoadRequest } from './load.ts';
import { typicalSearches } from './seed/library.ts';
import type { Seeded } from './seed/seeded.ts';
import type { Sizes } from './seed/sizes.ts';

/** What the scenarios run on. */
export interface World {
  readonly api: Pick<ApiProcess, 'url'>;
  /** Answers everything with a few bytes: what the load generator could do at most. */
  readonly bareServerUrl: string;
  readonly seeded: Seeded;
  readonly sizes: Sizes;
  /** One for each person; the first is the owner's. */
  readonly accessTokens: readonly string[];
}

type Traffic = Omit<LoadJob, 'until'>;

/** A kind of requests whose speed is measured; variants of a scenario run by turns. */
export interface Variant {
  readonly name: string;
  /** Traffic of a round; a list of `amount` requests where each must be sent once and in order. */
  traffic(amount: number): Promise<Traffic>;
  /** Whether each request of the traffic may be sent only once. */
  readonly isOneTime?: true;
}

/** What a scenario should reach. */
export type Target =
  | { readonly kind: 'ratio'; readonly most: number }
  | { readonly kind: 'median'; readonly mostMs: number };

export interface Scenario {
  readonly id: string;
  readonly title: string;
  /** The first is the base of the ratio. */
  readonly variants: readonly Variant[];
  readonly target?: Target;
}

const crowd = 10;
const pageLimit = 50;
/** The page far down a list; of a shorter list, the one in its middle. */
const farPage = 10_000;

/** Every scenario; one is prepared when its first round begins. */
export function scenariosOf(world: World): Scenario[] {
  return [
    {
      id: 'S0',
      title: 'GET /health',
      variants: [
        {
          name: 'a bare server: the limit of the load generator',
          traffic: async () => ({
            ...anonymous(world),
            url: world.bareServerUrl,
            requests: [get('/health')],
          }),
        },
        {
          name: 'the API',
          traffic: async () => ({ ...anonymous(world), requests: [get('/health')] }),
        },
      ],
    },
    {
      id: 'S1',
      title: 'GET /api/auth/user',
      variants: [
        {
          name: '10 people',
          traffic: async () => ({ ...everybody(world), requests: [get('/api/auth/user')] }),
        },
      ],
    },
    {
      id: 'S2',
      title: 'GET /api/tasks?limit=50',
      variants: [
        {
          name: `10 people, ${world.sizes.tasks} tasks`,
          traffic: async () => ({
            ...everybody(world, world.seeded.workOrganizationId),
            requests: [get(`/api/tasks?limit=${pageLimit}`)],
          }),
        },
      ],
    },
    { id: 'S3', title: 'POST /api/tasks/{id}/comments', variants: [commenting(world)] },
    {
      id: 'S4',
      title: 'GET /api/assets?scope=organization&limit=50',
      variants: pages(world, '/api/assets?scope=organization', world.sizes.assets),
      target: { kind: 'ratio', most: 1.5 },
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
      target: { kind: 'ratio', most: 1.3 },
    },
    {
      id: 'S8',
      title: 'GET /api/timeline?limit=50',
      variants: pages(world, '/api/timeline?', world.sizes.activities),
      target: { kind: 'ratio', most: 1.5 },
    },
  ];
}

function get(path: string): LoadRequest {
  return { method: 'GET', path };
}

function anonymous({ api }: World): Omit<Traffic, 'requests'> {
  return { url: api.url, connections: crowd, headers: {}, accessTokens: [] };
}

function everybody(world: World, organizationId?: string): Omit<Traffic, 'requests'> {
  return {
    ...anonymous(world),
    headers: organizationId === undefined ? {} : { 'x-organization-id': organizationId },
    accessTokens: world.accessTokens,
  };
}

/** One request at a time: what a ratio of times is made of. */
function owner(world: World, organizationId: string): Omit<Traffic, 'requests'> {
  return {
    ...everybody(world, organizationId),
    connections: 1,
    accessTokens: world.accessTokens.slice(0, 1),
  };
}

function commenting(world: World): Variant {
  const { workOrganizationId } = world.seeded;
  let taskIds: string[] | undefined;
  return {
    name: `10 people, ${world.sizes.tasks} tasks`,
    async traffic() {
      taskIds ??= await idsOf(world, workOrganizationId, '/api/tasks?');
      const body = { body: 'Looks good to me; one word in the second paragraph is missing.' };
      return {
        ...everybody(world, workOrganizationId),
        requests: taskIds.map((id) => ({
          method: 'POST' as const,
          path: `/api/tasks/${id}/comments`,
          body,
        })),
      };
    },
  };
}

/** The first page, and one far down that a cursor leads to. */
function pages(world: World, list: string, rowCount: number): Variant[] {
  const traffic = owner(world, world.seeded.libraryOrganizationId);
  const page = Math.min(farPage, Math.floor(rowCount / pageLimit / 2));
  let cursor: string | undefined;
  return [
    {
      name: 'page 1',
      traffic: async () => ({ ...traffic, requests: [get(`${list}&limit=${pageLimit}`)] }),
    },
    {
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
    name: `column of ${taskCount.toLocaleString('en')}`,
    isOneTime: true,
    async traffic(amount) {
      const list = `/api/projects/${projectId}/tasks?sort=position&status=TODO`;
      const column = (order ??= await idsOf(world, boardOrganizationId, list));
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

async function idsOf(world: World, organizationId: string, list: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const rest = cursor === undefined ? '' : `&cursor=${cursor}`;
    const { data } = await fetchPage(world, organizationId, `${list}&limit=100${rest}`);
    ids.push(...data.items.map(({ id }) => id));
    cursor = data.pagination.nextCursor;
  } while (cursor !== undefined);
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
