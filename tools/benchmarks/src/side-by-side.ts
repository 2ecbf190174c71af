import type { Contestant } from './contestants.ts';
import type { LoadRequest } from './load.ts';
import type { CommonTraffic, Scenario, Variant } from './scenario.ts';
import { get, idsOf, type Fixtures } from './fixtures.ts';

const connections = 10;
const commentedTasks = 100;
const text = 'Looks good to me; one word in the second paragraph is missing.';

/** S0 to S3 compare the service with contestants, on ten connections. */
export function sideBySide(fixtures: Fixtures): Scenario[] {
  return [
    {
      id: 'S0',
      title: 'GET /health',
      compares: 'throughput',
      variants: [
        ...variantsOf(fixtures, 'S0', async () => ({
          headers: {},
          accessTokens: [],
          requests: [get('/health')],
        })),
        {
          name: 'a server of a few bytes: the limit of the generator',
          server: fixtures.bareServer,
          isJudged: false,
          traffic: async () => ({
            url: fixtures.bareServer.url,
            connections,
            headers: {},
            accessTokens: [],
            requests: [get('/health')],
          }),
        },
      ],
      target: { kind: 'throughput', least: 0.95 },
    },
    {
      id: 'S1',
      title: 'GET /api/auth/user',
      compares: 'throughput',
      variants: variantsOf(fixtures, 'S1', () => userTraffic(fixtures)),
      target: { kind: 'throughput', least: 1 },
    },
    {
      id: 'S2',
      title: 'GET /api/tasks?limit=50',
      compares: 'throughput',
      variants: variantsOf(fixtures, 'S2', () => taskTraffic(fixtures)),
      target: { kind: 'throughput', least: 0.92 },
    },
    {
      id: 'S3',
      title: 'POST /api/tasks/{id}/comments',
      compares: 'throughput',
      variants: variantsOf(fixtures, 'S3', () => commentTraffic(fixtures)),
      target: { kind: 'throughput', least: 0.95 },
    },
  ];
}

/** Orders the limit first, then the service, then the others. */
function variantsOf(
  { api, contestants }: Fixtures,
  scenario: Contestant['scenarios'][number],
  trafficOf: () => Promise<CommonTraffic>,
): Variant[] {
  const variant = (
    contestant: Pick<Contestant, 'name' | 'server' | 'requestOf' | 'leadWanted' | 'trafficOf'>,
  ): Variant => {
    const { name, server, leadWanted } = contestant;
    const { requestOf = (request: LoadRequest) => request } = contestant;
    return {
      name,
      server,
      ...(leadWanted !== undefined && { leadWanted }),
      isJudged: server === api,
      async traffic() {
        const { requests, ...rest } = contestant.trafficOf?.(scenario) ?? (await trafficOf());
        return { ...rest, url: server.url, connections, requests: requests.map(requestOf) };
      },
    };
  };
  const [limit, ...others] = contestants
    .filter(({ scenarios }) => scenarios.includes(scenario))
    .map(variant);
  return [...(limit ? [limit] : []), variant({ name: 'Atelier', server: api }), ...others];
}

export async function userTraffic({ accessTokens }: Fixtures): Promise<CommonTraffic> {
  return { headers: {}, accessTokens, requests: [get('/api/auth/user')] };
}

export async function taskTraffic({ accessTokens, seeded }: Fixtures): Promise<CommonTraffic> {
  return {
    headers: { 'x-organization-id': seeded.workOrganizationId },
    accessTokens,
    requests: [get('/api/tasks?limit=50')],
  };
}

/** Comments on tasks of another team than S2 lists, because many comments would slow down its list. */
export async function commentTraffic(fixtures: Fixtures): Promise<CommonTraffic> {
  const { boardOrganizationId, longColumnProjectId } = fixtures.seeded;
  const list = `/api/projects/${longColumnProjectId}/tasks?sort=position`;
  const taskIds = await idsOf(fixtures, {
    organizationId: boardOrganizationId,
    list,
    atMost: commentedTasks,
  });
  return {
    headers: { 'x-organization-id': boardOrganizationId },
    accessTokens: fixtures.accessTokens,
    requests: taskIds.map((id) => ({
      method: 'POST' as const,
      path: `/api/tasks/${id}/comments`,
      body: { body: text },
    })),
  };
}
