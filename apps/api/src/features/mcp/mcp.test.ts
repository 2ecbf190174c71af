import { describe, expect, test } from 'vitest';
import { newUser } from '../../testing/accounts.ts';
import { makeKey } from '../../testing/api-keys.ts';
import { newProject } from '../../testing/board.ts';
import { newTeamOf } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { connectAssistant } from './testing.ts';

const api = await setUpApi();
const owner = await newUser(api, 'owner');
const team = await newTeamOf(api, owner);
const projectId = await newProject(api, team, 'Website');
const { key } = await makeKey(api, owner, {
  preset: 'contributor',
  organizationIds: [team.organizationId],
  expiresInDays: 30,
});

describe.each(['auto', 'legacy'] as const)('a client of the protocol (%s)', (era) => {
  test('lists tools and calls them', async () => {
    const client = await connectAssistant(api, key, { era });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('tasks_create');
    const made = await client.callTool({
      name: 'tasks_create',
      arguments: { projectId, title: 'From afar – grüße' },
    });
    expect(made.structuredContent).toMatchObject({ title: 'From afar – grüße', projectId });
  });
});
