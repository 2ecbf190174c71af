import { isDeepStrictEqual } from 'node:util';
import type { Contestant } from './contestants.ts';
import type { LoadRequest } from './load.ts';
import { commentTraffic, taskTraffic, userTraffic } from './side-by-side.ts';
import type { Fixtures } from './fixtures.ts';

/**
 * Checks that every contestant returns what the service returns, and stores what it stores.
 *
 * @throws Error naming a contestant that differs
 */
export async function checkEqual(fixtures: Fixtures): Promise<void> {
  const service = { name: 'Atelier', server: fixtures.api };
  for (const [scenario, trafficOf] of Object.entries({ S1: userTraffic, S2: taskTraffic })) {
    const { requests, headers } = await trafficOf(fixtures);
    const [request] = requests;
    if (!request) throw new Error(`${scenario} has no request.`);
    const expected = comparable(await dataOf(fixtures, service, { request, headers }));
    for (const contestant of takingPart(fixtures, scenario)) {
      const found = comparable(await dataOf(fixtures, contestant, { request, headers }));
      if (!isDeepStrictEqual(found, expected)) {
        throw new Error(
          `${contestant.name} responds to ${request.path} differently:\n${firstDifference(expected, found)}`,
        );
      }
    }
  }
  await checkComments(fixtures);
}

/** Checks that a comment has the same fields, is in the task's list and has its activity in the timeline. */
async function checkComments(fixtures: Fixtures): Promise<void> {
  const { requests, headers } = await commentTraffic(fixtures);
  const [request] = requests;
  if (!request) throw new Error('S3 has no request.');
  const service = { name: 'Atelier', server: fixtures.api };
  const expected = Object.keys(await comment(fixtures, service, { request, headers }));
  for (const contestant of takingPart(fixtures, 'S3')) {
    const made = await comment(fixtures, contestant, { request, headers });
    const isWhole = contestant.work === 'bare' || isDeepStrictEqual(Object.keys(made), expected);
    const isListed = await holds(
      fixtures,
      { path: `${request.path}?sort=-createdAt`, headers },
      made,
    );
    const timeline = { path: '/api/timeline?limit=100', headers };
    if (!isWhole || !isListed || !(await holds(fixtures, timeline, made))) {
      throw new Error(`${contestant.name} comments differently: ${JSON.stringify(made)}`);
    }
  }
}

function takingPart({ contestants }: Fixtures, scenario: string): Contestant[] {
  return contestants.filter(
    ({ scenarios, trafficOf }) => !trafficOf && scenarios.some((each) => each === scenario),
  );
}

interface Exchange {
  readonly request: LoadRequest;
  readonly headers: Readonly<Record<string, string>>;
}

async function comment(
  fixtures: Fixtures,
  contestant: Pick<Contestant, 'name' | 'server' | 'requestOf' | 'dataIn'>,
  exchange: Exchange,
): Promise<Record<string, unknown>> {
  const data = await dataOf(fixtures, contestant, exchange);
  if (typeof data !== 'object' || data === null)
    throw new Error(`${contestant.name} returns no data.`);
  return { ...data };
}

async function holds(
  fixtures: Fixtures,
  { path, headers }: { path: string; headers: Exchange['headers'] },
  { id }: Record<string, unknown>,
): Promise<boolean> {
  const request: LoadRequest = { method: 'GET', path };
  const page = await dataOf(
    fixtures,
    { name: 'Atelier', server: fixtures.api },
    { request, headers },
  );
  return JSON.stringify(page).includes(String(id));
}

async function dataOf(
  fixtures: Fixtures,
  contestant: Pick<Contestant, 'name' | 'server' | 'requestOf' | 'dataIn'>,
  { request, headers }: Exchange,
): Promise<unknown> {
  const {
    server,
    name,
    requestOf = (same: LoadRequest) => same,
    dataIn = dataInEnvelope,
  } = contestant;
  const { method, path, body } = requestOf(request);
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      ...headers,
      authorization: `Bearer ${fixtures.accessTokens[0]}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok)
    throw new Error(`${name} responded to ${path} with ${response.status}: ${text}`);
  return dataIn(JSON.parse(text));
}

function dataInEnvelope(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined;
}

/** Replaces cursors: each is encrypted with a new nonce. */
function comparable(data: unknown): unknown {
  return JSON.parse(
    JSON.stringify(data, (key, value: unknown) => (key === 'nextCursor' ? typeof value : value)),
  );
}

function firstDifference(expected: unknown, found: unknown): string {
  const [one, other] = [JSON.stringify(expected), JSON.stringify(found)];
  let index = 0;
  while (index < one.length && one[index] === other[index]) index += 1;
  const around = (text: string) => text.slice(Math.max(0, index - 60), index + 60);
  return `  expected …${around(one)}…\n  found    …${around(other)}…`;
}
