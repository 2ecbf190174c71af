import { describe, expect, test } from 'vitest';
import { newUser } from '../../testing/accounts.ts';
import { newProject } from '../../testing/board.ts';
import { call } from '../../testing/api.ts';
import { newCollection, someFile, uploadFile } from '../../testing/library.ts';
import { newTeamOf } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { connectAssistant, keyFor, sendMessage } from './testing.ts';

const api = await setUpApi();
const owner = await newUser(api, 'owner');
const team = await newTeamOf(api, owner);
const other = await newTeamOf(api, owner);
const { key } = await keyFor(api, owner, [team.organizationId]);
const both = await keyFor(api, owner, [team.organizationId, other.organizationId]);
const projectId = await newProject(api, team);
const foreignId = await newProject(api, other);
const task = await call(api, 'tasks.create', {
  ...team,
  params: { projectId },
  body: { title: 'Write – größer 😀' },
});
const taskId = String(task.body.data.id);

const read = (uri: unknown, by = key) =>
  sendMessage(
    api,
    { jsonrpc: '2.0', id: 3, method: 'resources/read', params: { uri } },
    { key: by },
  );

describe.each(['auto', 'legacy'] as const)('resources (%s)', (era) => {
  test('have templates, and there is no list of them', async () => {
    const client = await connectAssistant(api, key, { era });
    expect((await client.listResources()).resources).toEqual([]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'atelier://organizations/{id}{?organizationId}',
      'atelier://projects/{id}{?organizationId}',
      'atelier://tasks/{id}{?organizationId}',
      'atelier://assets/{id}{?organizationId}',
    ]);
  });

  test('are what their GET responds', async () => {
    const client = await connectAssistant(api, key, { era });
    for (const [name, operation, id] of [
      ['organizations', 'organizations.get', team.organizationId],
      ['projects', 'projects.get', projectId],
      ['tasks', 'tasks.get', taskId],
    ] as const) {
      const uri = `atelier://${name}/${id}`;
      const { contents } = await client.readResource({ uri });
      const { body } = await call(api, operation, { ...team, params: { id } });
      expect(contents).toEqual([
        { uri, mimeType: 'application/json', text: JSON.stringify(body.data) },
      ]);
    }
  });
});

test('an asset is one, too', async () => {
  const collectionId = await newCollection(api, owner);
  const asset = await uploadFile(api, owner, someFile(10, 'notes.txt'), { collectionId });
  const personal = await keyFor(api, owner, [owner.organizationId]);
  const { body } = await read(`atelier://assets/${String(asset.id)}`, personal.key);
  expect(JSON.parse(body.result.contents[0].text)).toMatchObject({ assetName: 'notes.txt' });
});

test('the query selects one of several organizations', async () => {
  const uri = `atelier://projects/${foreignId}`;
  const selected = await read(`${uri}?organizationId=${other.organizationId}`, both.key);
  expect(JSON.parse(selected.body.result.contents[0].text).id).toBe(foreignId);
  for (const address of [uri, `${uri}?organizationId=${team.organizationId}`]) {
    expect((await read(address, both.key)).body.error.code).toBe(-32602);
  }
});

test.each([
  ['of another organization', `atelier://projects/${foreignId}`],
  ['another organization', `atelier://organizations/${other.organizationId}`],
  ['selected there', `atelier://projects/${foreignId}?organizationId=${other.organizationId}`],
  ['that does not exist', 'atelier://tasks/019aa4f2-1b3c-7d4e-9f50-6b7c8d9e0f1a'],
  ['of another kind', `atelier://tasks/${projectId}`],
])('what is %s is not found', async (_, uri) => {
  const { status, body } = await read(uri);
  expect([status, body.id, body.error.code, body.error.data]).toEqual([200, 3, -32602, { uri }]);
});

const garbage = [
  '',
  'x',
  'atelier://',
  'atelier://projects',
  'atelier://projects/',
  'atelier://projects/..',
  'atelier://projects/.',
  'atelier://projects/%2e%2e',
  'atelier://projects/%2E%2E%2Ftasks',
  'atelier://projects/%zz',
  'atelier://projects/%',
  'atelier://projects/%00',
  'atelier://projects/%0d%0a',
  'atelier://projects/\ud83d',
  'atelier://projects/😀',
  'atelier://webhooks/019aa4f2-1b3c-7d4e-9f50-6b7c8d9e0f1a',
  'atelier://__proto__/019aa4f2-1b3c-7d4e-9f50-6b7c8d9e0f1a',
  'atelier://constructor/019aa4f2-1b3c-7d4e-9f50-6b7c8d9e0f1a',
  'https://projects/019aa4f2-1b3c-7d4e-9f50-6b7c8d9e0f1a',
  'file:///etc/passwd',
  `atelier://projects/${projectId}?organizationId=${'-'.repeat(36)}`,
  `atelier://projects/${projectId}?organizationId=..`,
  `atelier://projects/${projectId}?x=1`,
  `atelier://projects/${projectId}#x`,
  `atelier://projects/${projectId}/tasks`,
  `ATELIER://projects/${projectId}`,
  `atelier://projects/${'a'.repeat(100_000)}`,
];

test.each(garbage)('%j is not found', async (uri) => {
  const { status, body } = await read(uri);
  expect([status, body.id, body.error.code]).toEqual([200, 3, -32602]);
});

test('an address that is no text is an error of the protocol', async () => {
  for (const uri of [1, null, { x: 1 }, [projectId]]) {
    const { status, body } = await read(uri);
    expect([status, typeof body.error.message, body.result]).toEqual([200, 'string', undefined]);
  }
});
