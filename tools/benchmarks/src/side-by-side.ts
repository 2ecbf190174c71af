import type { Contestant } from './contestants.ts';
import type { LoadRequest } from './load.ts';
import type { Scenario, Traffic, Variant } from './scenario.ts';
import { get, idsOf, type World } from './world.ts';

const crowd = 10;
const commentedTasks = 100;
const text = 'Looks good to me; one word in the second paragraph is missing.';

/** S0 to S3: the service beside those that do the same, under ten people at once. */
export function sideBySide(world: World): Scenario[] {
  return [
    {
      id: 'S0',
      title: 'GET /health',
      compares: 'throughput',
      variants: [
        ...variantsOf(world, 'S0', async () => ({
          headers: {},
          accessTokens: [],
          requests: [get('/health')],
        })),
        {
          name: 'a server that answers a few bytes: what the generator can do',
          server: world.bareServer,
          isJudged: false,
          traffic: async () => ({
            url: world.bareServer.url,
            connections: crowd,
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
      variants: variantsOf(world, 'S1', () => userTraffic(world)),
      target: { kind: 'throughput', least: 1 },
    },
    {
      id: 'S2',
      title: 'GET /api/tasks?limit=50',
      compares: 'throughput',
      variants: variantsOf(world, 'S2', () => taskTraffic(world)),
      target: { kind: 'throughput', least: 0.92 },
    },
    {
      id: 'S3',
      title: 'POST /api/tasks/{id}/comments',
      compares: 'throughput',
      variants: variantsOf(world, 'S3', () => commentTraffic(world)),
      target: { kind: 'throughput', least: 0.95 },
    },
  ];
}

export type CommonTraffic = Pick<Traffic, 'headers' | 'accessTokens' | 'tokenHeader' | 'requests'>;

/** The limit first, then the service, then the others. */
function variantsOf(
  { api, contestants }: World,
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
        return { ...rest, url: server.url, connections: crowd, requests: requests.map(requestOf) };
      },
    };
  };
  const [limit, ...others] = contestants
    .filter(({ scenarios }) => scenarios.includes(scenario))
    .map(variant);
  return [...(limit ? [limit] : []), variant({ name: 'Atelier', server: api }), ...others];
}

export async function userTraffic({ accessTokens }: World): Promise<CommonTraffic> {
  return { headers: {}, accessTokens, requests: [get('/api/auth/user')] };
}

export async function taskTraffic({ accessTokens, seeded }: World): Promise<CommonTraffic> {
  return {
    headers: { 'x-organization-id': seeded.workOrganizationId },
    accessTokens,
    requests: [get('/api/tasks?limit=50')],
  };
}

/** On tasks of another team than S2 lists: comments that pile up would make its list slower. */
export async function commentTraffic(world: World): Promise<CommonTraffic> {
  const { boardOrganizationId, longColumnProjectId } = world.seeded;
  const list = `/api/projects/${longColumnProjectId}/tasks?sort=position`;
  const taskIds = await idsOf(world, {
    organizationId: boardOrganizationId,
    list,
    atMost: commentedTasks,
  });
  return {
    headers: { 'x-organization-id': boardOrganizationId },
    accessTokens: world.accessTokens,
    requests: taskIds.map((id) => ({
      method: 'POST' as const,
      path: `/api/tasks/${id}/comments`,
      body: { body: text },
    })),
  };
}
