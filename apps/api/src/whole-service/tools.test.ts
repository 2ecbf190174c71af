// @module-tag slow

import { tools, toolsets, type Tool } from '@atelier/contract';
import type { Client } from '@modelcontextprotocol/client';
import { beforeAll, expect, test } from 'vitest';
import { connectAssistant, keyFor } from '../features/mcp/testing.ts';
import { newUser } from '../testing/accounts.ts';
import { exampleInputOf } from '../testing/example-inputs.ts';
import type { Input } from '../testing/feature-fixtures.ts';
import { filledTeam, type FilledTeam } from '../testing/filled-team.ts';
import { setUpApi } from '../testing/set-up.ts';
import { inputsOf } from './fixtures.ts';

const api = await setUpApi();
let team: FilledTeam;
let key: string;

beforeAll(async () => {
  const [owner, member] = [await newUser(api, 'owner'), await newUser(api, 'member')];
  team = await filledTeam(api, { owner, member, mark: 'Assisted', times: 2 });
  ({ key } = await keyFor(api, owner, [team.organizationId, owner.organizationId]));
});

/** Connects a client that validates each result by the schema of its tool. @returns it, and its tools by name */
async function connect(era: 'auto' | 'legacy') {
  const client = await connectAssistant(api, key, { era, query: `toolsets=${toolsets.join(',')}` });
  const listed = (await client.listTools()).tools;
  return { client, listed: new Map(listed.map((tool) => [tool.name, tool])) };
}

/** @returns null for a success, or the code of the error */
async function outcomeOf(
  { client, listed }: { client: Client; listed: ReadonlyMap<string, { inputSchema: object }> },
  { name }: Tool,
  { params, query, body }: Input,
): Promise<string | null> {
  const { properties = {} } = Object(listed.get(name)?.inputSchema);
  const result = await client.callTool({
    name,
    arguments: {
      ...params,
      ...query,
      ...(body as object | undefined),
      ...('organizationId' in properties && { organizationId: team.organizationId }),
    },
  });
  const [content] = result.content;
  const data = JSON.parse(content?.type === 'text' ? content.text : '');
  if (result.isError === true) return String(data.code);
  expect([name, result.structuredContent]).toEqual([name, data]);
  return null;
}

test('a key with every scope may list every tool', async () => {
  const { listed } = await connect('auto');
  const own = ['whoami', 'assets_read_text', 'assets_upload_small'];
  expect([...listed.keys()].toSorted()).toEqual(
    [...tools.map(({ name }) => name), ...own].toSorted(),
  );
});

test.each(['auto', 'legacy'] as const)(
  'every tool succeeds with examples, or fails as it declares (%s)',
  { timeout: 120_000 },
  async (era) => {
    const connection = await connect(era);
    for (const tool of tools) {
      const input = exampleInputOf(tool, team.organizationId);
      const outcome = await outcomeOf(connection, tool, input);
      const { errors, effect } = tool.endpoint.metadata;
      const waits = effect === 'remove' || effect === 'disclose' ? ['approval_required'] : [];
      expect([tool.name, null, ...waits, ...errors]).toContain(outcome);
    }
  },
);

const withEffect = (effect: 'read' | 'change') =>
  tools.filter(({ endpoint }) => endpoint.metadata.effect === effect);

test.each(['auto', 'legacy'] as const)(
  'every tool that reads finds what is there (%s)',
  { timeout: 120_000 },
  async (era) => {
    const connection = await connect(era);
    for (const tool of withEffect('read')) {
      const inputs = inputsOf(tool.id, team);
      expect([tool.name, inputs.length]).not.toEqual([tool.name, 0]);
      for (const input of inputs) {
        expect([tool.name, await outcomeOf(connection, tool, input)]).toEqual([tool.name, null]);
      }
    }
  },
);

// What removes or discloses may wait for a person.
test('every tool that changes does so', { timeout: 120_000 }, async () => {
  const connection = await connect('auto');
  for (const tool of withEffect('change')) {
    const [first, ...others] = inputsOf(tool.id, team);
    if (first === undefined) throw new Error(`add inputs of ${tool.id}`);
    expect([tool.name, await outcomeOf(connection, tool, first)]).toEqual([tool.name, null]);
    for (const input of others) {
      // It may meet what the first has changed.
      const outcome = await outcomeOf(connection, tool, input);
      const { errors, disclosesWith } = tool.endpoint.metadata;
      const waits = Object.hasOwn(Object(input.body), disclosesWith ?? '')
        ? ['approval_required']
        : [];
      expect([tool.name, null, ...waits, ...errors]).toContain(outcome);
    }
  }
});
