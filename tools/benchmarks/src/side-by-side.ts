import { commentsOn, pageLimit, withComments } from './comments.ts';
import type { Contestant, SideBySide } from './contestants.ts';
import type { LoadRequest } from './load.ts';
import type { CommonTraffic, Scenario, Variant } from './scenario.ts';
import { get, idsOf, type Fixtures } from './fixtures.ts';

const connections = 10;
const commentedTasks = 100;

/** S0 to S3 compare the service with contestants, on ten connections. */
export function sideBySide(fixtures: Fixtures): Scenario[] {
  return [
    {
      id: 'S0',
      title: 'GET /health',
      compares: 'throughput',
      variants: [
        ...variantsOf(fixtures, 'S0', healthTraffic),
        {
          name: 'a server of a few bytes: the limit of the generator',
          server: fixtures.bareServer,
          role: 'comparison',
          traffic: async () => ({
            ...(await healthTraffic()),
            url: fixtures.bareServer.url,
            connections,
          }),
        },
      ],
      targets: [{ kind: 'throughput', over: 'limit', least: 0.55 }],
    },
    {
      id: 'S1',
      title: 'GET /api/auth/user',
      compares: 'throughput',
      variants: variantsOf(fixtures, 'S1', () => userTraffic(fixtures)),
      targets: [
        { kind: 'throughput', over: 'limit', least: 0.9 },
        { kind: 'p99', beside: 'framework', most: 1.3 },
      ],
    },
    {
      id: 'S2',
      title: 'GET /api/tasks?limit=50, each page read',
      compares: 'throughput',
      variants: variantsOf(fixtures, 'S2', () => taskTraffic(fixtures)),
      targets: [
        { kind: 'throughput', over: 'limit', least: 1.3 },
        { kind: 'memory', beside: 'framework', most: 1.6 },
      ],
    },
    {
      id: 'S2-repeated',
      title: 'GET /api/tasks?limit=50, without changes',
      compares: 'throughput',
      variants: variantsOf(fixtures, 'S2-repeated', () => taskTraffic(fixtures)),
      targets: [{ kind: 'throughput', over: 'limit', least: 5 }],
    },
    {
      id: 'S2-writes',
      title: 'GET /api/tasks?limit=50, every tenth a comment',
      compares: 'throughput',
      variants: variantsOf(fixtures, 'S2-writes', () => editedTaskTraffic(fixtures)),
      targets: [
        { kind: 'throughput', over: 'limit', least: 2 },
        { kind: 'throughput', over: 'plain', least: 3 },
        { kind: 'throughput', over: 'product', named: 'Directus', least: 8 },
      ],
    },
    {
      id: 'S3',
      title: 'POST /api/tasks/{id}/comments',
      compares: 'throughput',
      variants: variantsOf(fixtures, 'S3', () => commentTraffic(fixtures)),
      targets: [
        { kind: 'processor', over: 'limit', least: 0.75 },
        { kind: 'throughput', over: 'tuned', least: 1 },
      ],
    },
  ];
}

/** Orders the limit first, then the service, then the others. */
function variantsOf(
  { api, readingApi, contestants }: Fixtures,
  scenario: SideBySide,
  trafficOf: () => Promise<CommonTraffic>,
): Variant[] {
  const variant = (
    contestant: Pick<Contestant, 'name' | 'server' | 'role' | 'requestOf' | 'trafficOf'>,
  ): Variant => {
    const { name, server, role } = contestant;
    const { requestOf = (request: LoadRequest) => request } = contestant;
    return {
      name,
      server,
      role,
      async traffic() {
        const { requests, ...rest } = contestant.trafficOf?.(scenario) ?? (await trafficOf());
        return { ...rest, url: server.url, connections, requests: requests.map(requestOf) };
      },
    };
  };
  const [limit, ...others] = contestants
    .filter(({ scenarios }) => scenarios.includes(scenario))
    .map(variant);
  const server = scenario === 'S2' ? readingApi : api;
  const service = variant({ name: 'Atelier', server, role: 'service' });
  return [...(limit ? [limit] : []), service, ...others];
}

async function healthTraffic(): Promise<CommonTraffic> {
  return { headers: {}, accessTokens: [], requests: [get('/health')] };
}

export async function userTraffic({ accessTokens }: Fixtures): Promise<CommonTraffic> {
  return { headers: {}, accessTokens, requests: [get('/api/auth/user')] };
}

export async function taskTraffic({ accessTokens, seeded }: Fixtures): Promise<CommonTraffic> {
  return {
    headers: { 'x-organization-id': seeded.workOrganizationId },
    accessTokens,
    requests: [get(`/api/tasks?limit=${pageLimit}`)],
  };
}

async function editedTaskTraffic(fixtures: Fixtures): Promise<CommonTraffic> {
  const { requests: page, headers, ...rest } = await taskTraffic(fixtures);
  const ids = await idsOf(fixtures, {
    organizationId: fixtures.seeded.workOrganizationId,
    list: '/api/tasks?sort=-createdAt',
  });
  const requests = withComments(page, commentsOn(ids.slice(pageLimit)));
  return { ...rest, headers, requests };
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
    requests: commentsOn(taskIds),
  };
}
