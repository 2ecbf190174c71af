import { isDeepStrictEqual } from 'node:util';
import type { Contestant } from './contestants.ts';
import type { LoadRequest } from './load.ts';
import { commentTraffic, taskTraffic, userTraffic } from './side-by-side.ts';
import type { World } from './world.ts';

/**
 * Proves that everybody who is measured answers what the service answers, and stores what it stores.
 *
 * @throws Error naming who answers something else
 */
export async function checkEqual(world: World): Promise<void> {
  const service = { name: 'Atelier', server: world.api };
  for (const [scenario, trafficOf] of Object.entries({ S1: userTraffic, S2: taskTraffic })) {
    const { requests, headers } = await trafficOf(world);
    const [request] = requests;
    if (!request) throw new Error(`${scenario} has no request.`);
    const expected = comparable(await ask(world, service, { request, headers }));
    for (const contestant of takingPart(world, scenario)) {
      const found = comparable(await ask(world, contestant, { request, headers }));
      if (!isDeepStrictEqual(found, expected)) {
        throw new Error(
          `${contestant.name} answers ${request.path} otherwise:\n${firstDifference(expected, found)}`,
        );
      }
    }
  }
  await checkComments(world);
}

/** A comment has the same fields, is then in the task's list, and has its activity in the timeline. */
async function checkComments(world: World): Promise<void> {
  const { requests, headers } = await commentTraffic(world);
  const [request] = requests;
  if (!request) throw new Error('S3 has no request.');
  const service = { name: 'Atelier', server: world.api };
  const expected = Object.keys(await comment(world, service, { request, headers }));
  for (const contestant of takingPart(world, 'S3')) {
    const made = await comment(world, contestant, { request, headers });
    const isWhole = contestant.work === 'bare' || isDeepStrictEqual(Object.keys(made), expected);
    const isListed = await holds(world, { path: `${request.path}?sort=-createdAt`, headers }, made);
    const timeline = { path: '/api/timeline?limit=100', headers };
    if (!isWhole || !isListed || !(await holds(world, timeline, made))) {
      throw new Error(`${contestant.name} comments otherwise: ${JSON.stringify(made)}`);
    }
  }
}

function takingPart({ contestants }: World, scenario: string): Contestant[] {
  return contestants.filter(
    ({ scenarios, trafficOf }) => !trafficOf && scenarios.some((each) => each === scenario),
  );
}

interface Question {
  readonly request: LoadRequest;
  readonly headers: Readonly<Record<string, string>>;
}

async function comment(
  world: World,
  contestant: Pick<Contestant, 'name' | 'server' | 'requestOf' | 'dataIn'>,
  question: Question,
): Promise<Record<string, unknown>> {
  const data = await ask(world, contestant, question);
  if (typeof data !== 'object' || data === null)
    throw new Error(`${contestant.name} says nothing.`);
  return { ...data };
}

async function holds(
  world: World,
  { path, headers }: { path: string; headers: Question['headers'] },
  { id }: Record<string, unknown>,
): Promise<boolean> {
  const request: LoadRequest = { method: 'GET', path };
  const page = await ask(world, { name: 'Atelier', server: world.api }, { request, headers });
  return JSON.stringify(page).includes(String(id));
}

async function ask(
  world: World,
  contestant: Pick<Contestant, 'name' | 'server' | 'requestOf' | 'dataIn'>,
  { request, headers }: Question,
): Promise<unknown> {
  const { server, name, requestOf = (same: LoadRequest) => same, dataIn = dataOf } = contestant;
  const { method, path, body } = requestOf(request);
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      ...headers,
      authorization: `Bearer ${world.accessTokens[0]}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${name} answered ${path} by ${response.status}: ${text}`);
  return dataIn(JSON.parse(text));
}

function dataOf(answer: unknown): unknown {
  return typeof answer === 'object' && answer !== null && 'data' in answer
    ? answer.data
    : undefined;
}

/** A cursor is sealed, and so never the same twice. */
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
