import type { LoadRequest } from './load.ts';
import { sessionScenarios } from './sessions.ts';
import { sideBySide } from './side-by-side.ts';
import type { Scenario, Traffic, Variant } from './scenario.ts';
import { typicalSearches } from './seed/library.ts';
import { cursorTo, get, idsOf, type World } from './world.ts';

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
    ...sessionScenarios(world),
    {
      id: 'S8',
      title: 'GET /api/timeline?limit=50',
      variants: pages(world, '/api/timeline?', world.sizes.activities),
      target: { kind: 'ratio', of: 'p50', most: 1.5 },
    },
  ];
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
  const traffic = () => owner(world, world.seeded.libraryOrganizationId);
  const page = Math.min(farPage, Math.floor(rowCount / pageLimit / 2));
  let cursor: string | undefined;
  return [
    {
      server: world.api,
      name: 'page 1',
      traffic: async () => ({ ...traffic(), requests: [get(`${list}&limit=${pageLimit}`)] }),
    },
    {
      server: world.api,
      name: `page ${page.toLocaleString('en')} by cursor`,
      async traffic() {
        cursor ??= await cursorTo(world, `${list}&limit=${pageLimit}&page=${page - 1}`);
        return { ...traffic(), requests: [get(`${list}&limit=${pageLimit}&cursor=${cursor}`)] };
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
