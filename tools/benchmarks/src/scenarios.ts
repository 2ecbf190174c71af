import type { LoadRequest } from './load.ts';
import { sessionScenarios } from './sessions.ts';
import { sideBySide } from './side-by-side.ts';
import type { Scenario, Target, Traffic, Variant } from './scenario.ts';
import { typicalSearches } from './seed/library.ts';
import { cursorTo, get, idsOf, type Fixtures } from './fixtures.ts';

const pageLimit = 50;
/** The number of a page far down a list. In a shorter list, the page in its middle is measured. */
const farPage = 10_000;
const listOfAssets = '/api/assets?scope=organization';
const pageTargets: readonly Target[] = [
  { kind: 'growth', of: 'p50', by: 'ofMedians', most: 1.2 },
  { kind: 'postgres', maxMs: 0.5 },
];

export const newestAssets = get(`${listOfAssets}&limit=${pageLimit}`);

export const searchesOfAssets: readonly LoadRequest[] = typicalSearches.map((text) =>
  get(`${listOfAssets}&limit=${pageLimit}&q=${encodeURIComponent(text)}`),
);

/** Lists every scenario. Each is prepared when its first round begins. */
export function scenariosOf(fixtures: Fixtures): Scenario[] {
  return [
    ...sideBySide(fixtures),
    {
      id: 'S4',
      title: 'GET /api/assets?scope=organization&limit=50',
      variants: pages(fixtures, listOfAssets, fixtures.sizes.assets),
      targets: pageTargets,
    },
    {
      id: 'S4-search',
      title: 'GET /api/assets?scope=organization&limit=50&q=…',
      variants: [searching(fixtures)],
      targets: [{ kind: 'slowest', maxMs: 50 }],
    },
    {
      id: 'S7',
      title: 'PATCH /api/tasks/{id}/position',
      variants: [
        moving(fixtures, fixtures.seeded.shortColumnProjectId, fixtures.sizes.shortColumn),
        moving(fixtures, fixtures.seeded.longColumnProjectId, fixtures.sizes.longColumn),
      ],
      targets: [{ kind: 'growth', of: 'p50', by: 'ofMedians', most: 1.3 }],
    },
    ...sessionScenarios(fixtures),
    {
      id: 'S8',
      title: 'GET /api/timeline?limit=50',
      variants: pages(fixtures, '/api/timeline?', fixtures.sizes.activities),
      targets: pageTargets,
    },
  ];
}

/** Traffic of the owner on one connection, so that times can be compared. */
function owner(fixtures: Fixtures, organizationId: string): Omit<Traffic, 'requests'> {
  return {
    url: fixtures.api.url,
    connections: 1,
    headers: { 'x-organization-id': organizationId },
    accessTokens: fixtures.accessTokens.slice(0, 1),
  };
}

/** Reads the first page, and by cursor one far down. */
function pages(fixtures: Fixtures, list: string, rowCount: number): Variant[] {
  const traffic = () => owner(fixtures, fixtures.seeded.libraryOrganizationId);
  const page = Math.min(farPage, Math.floor(rowCount / pageLimit / 2));
  let cursor: string | undefined;
  return [
    {
      server: fixtures.api,
      role: 'service',
      name: 'page 1',
      traffic: async () => ({ ...traffic(), requests: [get(`${list}&limit=${pageLimit}`)] }),
    },
    {
      server: fixtures.api,
      role: 'service',
      name: `page ${page.toLocaleString('en')} by cursor`,
      async traffic() {
        cursor ??= await cursorTo(fixtures, `${list}&limit=${pageLimit}&page=${page - 1}`);
        return { ...traffic(), requests: [get(`${list}&limit=${pageLimit}&cursor=${cursor}`)] };
      },
    },
  ];
}

function searching(fixtures: Fixtures): Variant {
  return {
    server: fixtures.api,
    role: 'service',
    name: `${typicalSearches.length} alternating searches`,
    traffic: async () => ({
      ...owner(fixtures, fixtures.seeded.libraryOrganizationId),
      requests: searchesOfAssets,
    }),
  };
}

/** Moves random tasks of a column to other positions in it. */
function moving(fixtures: Fixtures, projectId: string, taskCount: number): Variant {
  const { boardOrganizationId } = fixtures.seeded;
  let order: string[] | undefined;
  return {
    server: fixtures.api,
    role: 'service',
    name: `column of ${taskCount.toLocaleString('en')}`,
    isOneTime: true,
    async traffic(amount) {
      const list = `/api/projects/${projectId}/tasks?sort=position&status=TODO`;
      const column = (order ??= await idsOf(fixtures, {
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
      return { ...owner(fixtures, boardOrganizationId), requests };
    },
  };
}
