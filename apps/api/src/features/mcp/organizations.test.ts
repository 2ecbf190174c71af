import { and, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { memberships } from '../../db/generated/schema.ts';
import { newUser, type TestUser } from '../../testing/accounts.ts';
import { activitiesOf } from '../../testing/activities.ts';
import { call } from '../../testing/api.ts';
import { newProject } from '../../testing/board.ts';
import { joinTeam, newTeam, newTeamOf } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { callOnce, connectAssistant, keyFor, sendMessage } from './testing.ts';

const api = await setUpApi();
let owner: TestUser;
let first: string;
let second: string;
let foreign: string;
let both: string;
let single: string;
beforeAll(async () => {
  owner = await newUser(api, 'owner');
  first = (await newTeamOf(api, owner)).organizationId;
  second = (await newTeamOf(api, owner)).organizationId;
  foreign = (await newTeam(api, await newUser(api, 'stranger'))).id;
  both = (await keyFor(api, owner, [first, second])).key;
  single = (await keyFor(api, owner, [first])).key;
});

const create = (key: string, name: string, organizationId?: string) =>
  callOnce(api, key, {
    name: 'projects_create',
    input: { name, ...(organizationId !== undefined && { organizationId }) },
  });
const refusalIn = ({ isError, text }: { isError: boolean; text: string }) => [
  isError,
  JSON.parse(text).code,
];

/** The organization of a project. */
async function placeOf(id: string): Promise<string | undefined> {
  const [created] = await activitiesOf(api, id);
  return created?.organizationId;
}

/** The names of the arguments of every tool of a key, by its name. */
async function argumentsFor(key: string) {
  const client = await connectAssistant(api, key);
  const { tools } = await client.listTools();
  return new Map(
    tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {})]),
  );
}

describe('a key for one organization', () => {
  test('needs to name none, and is not asked for any', async () => {
    const offered = await argumentsFor(single);
    expect([...offered].filter(([, names]) => names.includes('organizationId'))).toEqual([]);
    expect(await placeOf((await create(single, 'Here')).data.id)).toBe(first);
  });

  test('does not reach another one by its name', async () => {
    for (const organizationId of [second, foreign]) {
      expect(refusalIn(await create(single, 'Not here', organizationId))).toEqual([
        true,
        'organization_access_denied',
      ]);
    }
  });
});

describe('a key for two organizations', () => {
  test('is offered the choice in every tool of one', async () => {
    const offered = await argumentsFor(both);
    const without = [...offered].filter(([, names]) => !names.includes('organizationId'));
    expect(without.map(([name]) => name)).toEqual(['whoami']);
  });

  test('has to choose, and gets what it chose', async () => {
    expect(refusalIn(await create(both, 'Somewhere'))).toEqual([true, 'organization_required']);
    for (const organizationId of [first, second]) {
      const made = await create(both, 'There', organizationId);
      expect(await placeOf(made.data.id)).toBe(organizationId);
    }
  });

  test('does not reach a third', async () => {
    expect(refusalIn(await create(both, 'Not here', foreign))).toEqual([
      true,
      'organization_access_denied',
    ]);
    const wrong = await create(both, 'Nowhere', 'none');
    expect(refusalIn(wrong)).toEqual([true, 'validation_failed']);
  });

  test('finds nothing of the one in the other', async () => {
    const made = await create(both, 'Only here', first);
    const input = { id: made.data.id, organizationId: second };
    const found = await callOnce(api, both, { name: 'projects_get', input });
    expect(refusalIn(found)).toEqual([true, 'not_found']);
  });
});

describe('in the middle of a conversation', () => {
  test('a membership that ends ends what the key may do', async () => {
    const member = await newUser(api, 'member');
    const { memberId } = await joinTeam(api, first, member, 'MEMBER');
    const { key } = await keyFor(api, member, [first]);
    const client = await connectAssistant(api, key);
    const input = { name: 'projects_create', arguments: { name: 'Still here' } };
    expect((await client.callTool(input)).isError).not.toBe(true);
    const removed = await call(api, 'organizations.removeMember', {
      token: owner.token,
      params: { id: first, memberId },
    });
    expect(removed.status).toBe(200);
    const outcome = await client.callTool(input).then(
      ({ isError }) => isError,
      () => true,
    );
    expect(outcome).toBe(true);
  });

  test('a smaller role refuses what it no longer allows', async () => {
    const member = await newUser(api, 'member');
    await joinTeam(api, first, member, 'MEMBER');
    const { key } = await keyFor(api, member, [first]);
    expect((await create(key, 'As a member')).isError).toBe(false);
    await api.db
      .update(memberships)
      .set({ role: 'VIEWER' })
      .where(and(eq(memberships.organizationId, first), eq(memberships.userId, member.id)));
    const { isError, text } = await create(key, 'As a viewer');
    expect([isError, text]).toEqual([
      true,
      'The API key lacks the scope project:create, which projects_create needs',
    ]);
  });

  test('a key that is revoked is refused', async () => {
    const { id, key } = await keyFor(api, owner, [first]);
    const client = await connectAssistant(api, key);
    await client.listTools();
    await call(api, 'apiKeys.revoke', { token: owner.token, params: { id } });
    await expect(client.callTool({ name: 'whoami' })).rejects.toThrow();
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    expect((await sendMessage(api, ping, { key })).status).toBe(401);
  });
});

test('50 clients at once, with ids of messages that collide, see only their own organization', async () => {
  // An account has at most 25 keys.
  const owners = await Promise.all(Array.from({ length: 5 }, () => newUser(api, 'founder')));
  const conversations = [];
  // One after the other: fifty sign-ins at once are an overload of their own.
  for (let index = 0; index < 50; index += 1) {
    const founder = owners[index % owners.length] ?? owner;
    const { id: organizationId } = await newTeam(api, founder, `Team ${index}`);
    const token = (await keyFor(api, founder, [organizationId])).key;
    const projectId = await newProject(api, { token, organizationId }, `Project ${index}`);
    const era = index % 2 === 0 ? ('auto' as const) : ('legacy' as const);
    const client = await connectAssistant(api, token, { era });
    conversations.push({ organizationId, projectId, index, client });
  }
  const mine = new Map(conversations.map((one) => [one.index, one]));
  const strange: unknown[] = [];
  await Promise.all(
    conversations.map(async ({ client, organizationId, projectId, index }) => {
      for (let round = 0; round < 8; round += 1) {
        const title = `Task ${index} of round ${round}`;
        const [made, listed, who, resource] = await Promise.all([
          client.callTool({ name: 'tasks_create', arguments: { projectId, title } }),
          client.callTool({ name: 'projects_list' }),
          client.callTool({ name: 'whoami' }),
          client.readResource({ uri: `atelier://projects/${projectId}` }),
        ]);
        const texts = JSON.stringify([made, listed, who, resource]);
        if (!texts.includes(title)) strange.push([index, 'lacks its task']);
        for (const other of mine.values()) {
          if (other.index === index) continue;
          if (texts.includes(other.organizationId) || texts.includes(other.projectId)) {
            strange.push([index, other.index]);
          }
        }
        if (!texts.includes(organizationId)) strange.push([index, 'lacks its organization']);
      }
    }),
  );
  expect(strange).toEqual([]);
});
