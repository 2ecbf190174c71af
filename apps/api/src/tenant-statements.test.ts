import { writeFileSync } from 'node:fs';
import { operations, type OperationId } from '@atelier/contract';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type * as Postgres from 'postgres';
import { newUser } from './testing/accounts.ts';
import { activityWalk } from './testing/activity-walk.ts';
import { call, startTestApi, type TestApi } from './testing/api.ts';
import { filledTeam } from './testing/filled-team.ts';
import { operationInputs } from './testing/operation-inputs.ts';
import { queryVariations } from './testing/query-variations.ts';
import { accountStory, configuredAdmin } from './testing/stories/accounts.ts';
import { libraryStory, publishingStory } from './testing/stories/library.ts';
import { teamStory } from './testing/stories/team.ts';
import { workStory } from './testing/stories/work.ts';
import { unboundTables } from './testing/tenant-statements.ts';

/** Every statement that the service sent. */
const sent = vi.hoisted(() => new Set<string>());

vi.mock('postgres', async (importOriginal) => {
  const { default: postgres } = await importOriginal<{ default: typeof Postgres.default }>();
  const listening = (url: string, options: Postgres.Options<{}>) =>
    postgres(url, { ...options, debug: (_connection, statement) => sent.add(statement) });
  return { default: Object.assign(listening, postgres) };
});

let api: TestApi;
let tenantTables: ReadonlySet<string>;
beforeAll(async () => {
  api = await startTestApi({ ADMIN_EMAILS: configuredAdmin });
  const rows = await api.db.execute<{ name: string }>(sql`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'organization_id'`);
  tenantTables = new Set(rows.map(({ name }) => name));
});
afterAll(() => api.close());

/** Has the service do everything that the contract knows. */
async function doEverything(): Promise<void> {
  const [ada, bob, viewer, stranger] = await Promise.all(
    ['ada', 'bob', 'viewer', 'stranger'].map((name) => newUser(api, name)),
  );
  if (!ada || !bob || !viewer || !stranger) throw new Error('nobody is there');
  const people = { ada, bob, viewer, stranger };
  const { walk } = activityWalk(
    () => api,
    () => people,
  );
  const story = { api, walk, people };
  const team = await filledTeam(api, { owner: ada, member: viewer, mark: 'apfelbaum', times: 2 });
  sent.clear();
  for (const { id, endpoint } of operations.filter(({ endpoint }) => endpoint.method === 'GET')) {
    const { organizationId } = team;
    for (const input of operationInputs[id as OperationId]?.(team) ?? []) {
      for (const variation of [{}, ...queryVariations(endpoint.query, ['apfelbaum'])]) {
        const query = { ...input.query, ...variation };
        await call(api, id, { ...input, query, token: ada.token, organizationId });
      }
    }
  }
  const accounts = accountStory(story);
  for (const tell of Object.values(accounts)) await tell();
  const teamId = await teamStory(story);
  await libraryStory(story, teamId);
  await publishingStory(story, teamId);
  await workStory(story, teamId);
}

test('prints', async () => {
  await doEverything();
  writeFileSync('/tmp/statements.json', JSON.stringify({ sent: [...sent], tables: [...tenantTables] }));
});
