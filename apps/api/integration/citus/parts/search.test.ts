import { afterAll, beforeAll, expect, test } from 'vitest';
import { newUser, type TestUser } from '../../../src/testing/accounts.ts';
import { call, startTestApi, type TestApi } from '../../../src/testing/api.ts';
import { newProject } from '../../../src/testing/board.ts';
import {
  newDistributedDatabase,
  serverOf as serverOfOrganization,
} from '../../../src/testing/citus/databases.ts';
import { untilFollowed } from '../../../src/testing/library.ts';
import { newTeamOf } from '../../../src/testing/organizations.ts';
import { search, searchAll, suggest, titlesOf } from '../../../src/testing/searches.ts';

type Team = Awaited<ReturnType<typeof newTeamOf>>;

let api: TestApi;
let user: TestUser;
/** On different servers. */
let teams: readonly [Team, Team];

beforeAll(async () => {
  api = await startTestApi({}, { databaseUrl: await newDistributedDatabase() });
  user = await newUser(api);
  teams = await teamsOnTwoServers();
  for (const [index, team] of teams.entries()) {
    const projectId = await newProject(api, team, `Website ${index}`);
    for (const title of ['Launch plan', 'Plan of the launch', `Harbour ${index}`]) {
      const body = { title };
      const made = await call(api, 'tasks.create', { ...team, params: { projectId }, body });
      expect(made.status).toBe(201);
    }
  }
  await untilFollowed(api);
});
afterAll(() => api.close());

async function teamsOnTwoServers(): Promise<readonly [Team, Team]> {
  const first = await newTeamOf(api, user);
  for (;;) {
    const second = await newTeamOf(api, user);
    if ((await serverOf(first)) !== (await serverOf(second))) return [first, second];
  }
}

const serverOf = ({ organizationId }: Team) => serverOfOrganization(api.db, organizationId);

test('finds in organizations of several servers, in one order and page by page', async () => {
  const [team] = teams;
  const everywhere = { q: 'launch plan', scope: 'everywhere' };
  const { items, totals } = await search(api, team, everywhere);
  expect(items.map(({ title, organizationId }) => [title, organizationId])).toEqual([
    ...['Launch plan', 'Launch plan'].map((title) => [title, expect.any(String)]),
    ...['Plan of the launch', 'Plan of the launch'].map((title) => [title, expect.any(String)]),
  ]);
  expect(totals.all).toBe(4);
  expect(new Set(items.map(({ organizationId }) => organizationId))).toEqual(
    new Set(teams.map(({ organizationId }) => organizationId)),
  );
  const paged = await searchAll(api, team, { ...everywhere, limit: 1 });
  expect(paged.items.map(({ id }) => id)).toEqual(items.map(({ id }) => id));
});

test('finds similar titles as on one server', async () => {
  const [team] = teams;
  for (const [scope, count] of Object.entries({ organization: 2, everywhere: 4 })) {
    const { items } = await search(api, team, { q: 'lunch', scope });
    expect([scope, items.map(({ match }) => match)]).toEqual([
      scope,
      Array.from({ length: count }, () => 'similar'),
    ]);
  }
});

test('finds by filters, and nothing where they exclude everything', async () => {
  const [team] = teams;
  const found = async (q: string) => titlesOf(await search(api, team, { q, scope: 'everywhere' }));
  expect(await found('by:me harbour')).toEqual(expect.arrayContaining(['Harbour 0', 'Harbour 1']));
  expect(await found('harbour is:open')).toHaveLength(2);
  expect(await found('harbour is:done')).toEqual([]);
  expect(await found('harbour before:2020-01-01')).toEqual([]);
  expect(await found('type:person harbour is:open')).toEqual([]);
  expect((await suggest(api, team, { q: 'harb' })).items).toHaveLength(1);
});
