import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { eq } from 'drizzle-orm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { approvals } from '../../db/generated/schema.ts';
import { newUser } from '../../testing/accounts.ts';
import { makeKey } from '../../testing/api-keys.ts';
import { call } from '../../testing/api.ts';
import { newProject } from '../../testing/board.ts';
import { someFile, uploadFile } from '../../testing/library.ts';
import { joinTeam, newTeamOf } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { connectAssistant, textOf } from './testing.ts';

const api = await setUpApi();
const owner = await newUser(api, 'owner');
const team = await newTeamOf(api, owner);
const { organizationId } = team;
const projectId = await newProject(api, team, 'Website');

async function keyFor(toolMode: string, person = owner, preset = 'contributor'): Promise<string> {
  const body = { preset, toolMode, organizationIds: [organizationId], expiresInDays: 30 };
  return (await makeKey(api, person, body)).key;
}

const key = await keyFor('ASK');

async function newTask(title = 'Launch'): Promise<string> {
  const made = await call(api, 'tasks.create', { ...team, params: { projectId }, body: { title } });
  return made.body.data.id;
}

const isThere = async (id: string) =>
  (await call(api, 'tasks.get', { ...team, params: { id } })).status === 200;

interface Listed {
  readonly id: string;
  readonly status: string;
}

async function newestApproval(): Promise<Listed> {
  const { body } = await call(api, 'approvals.list', { ...team, query: { limit: 1 } });
  return body.data.items[0];
}

async function approveNewest(): Promise<string> {
  const { id } = await newestApproval();
  const approved = await call(api, 'approvals.approve', { ...team, params: { id } });
  expect(approved.status).toBe(200);
  return id;
}

const removalOf = (id: string) => ({ name: 'tasks_remove', arguments: { id } });

describe('what a tool removes', () => {
  test('waits for a person, and happens once', async () => {
    const id = await newTask();
    const client = await connectAssistant(api, key);
    const asked = await client.callTool(removalOf(id));
    expect([asked.isError, await isThere(id)]).toEqual([true, true]);
    const approval = await newestApproval();
    expect(textOf(asked)).toContain('Delete a task: “Launch”');
    expect(textOf(asked)).toContain(`/approvals/${approval.id}?organizationId=${organizationId}`);
    // Asked again, it is the same question.
    await client.callTool(removalOf(id));
    expect(await approveNewest()).toBe(approval.id);
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => client.callTool(removalOf(id))),
    );
    expect(outcomes.filter(({ isError }) => isError !== true)).toMatchObject([
      { structuredContent: { id } },
    ]);
    expect([await isThere(id), (await newestApproval()).status]).toEqual([false, 'USED']);
  });

  test('is not approved with other arguments, or for another key', async () => {
    const [meant, other] = [await newTask('Meant'), await newTask('Other')];
    const client = await connectAssistant(api, key);
    await client.callTool(removalOf(meant));
    await approveNewest();
    expect((await client.callTool(removalOf(other))).isError).toBe(true);
    const another = await connectAssistant(api, await keyFor('ASK'));
    expect((await another.callTool(removalOf(meant))).isError).toBe(true);
    expect([await isThere(meant), await isThere(other)]).toEqual([true, true]);
  });

  test('stays when a person refuses, and the model reads who did', async () => {
    const id = await newTask();
    const client = await connectAssistant(api, key);
    await client.callTool(removalOf(id));
    const params = { id: (await newestApproval()).id };
    await call(api, 'approvals.refuse', { ...team, params });
    expect(textOf(await client.callTool(removalOf(id)))).toMatch(
      / refused this call.*approval_refused/,
    );
    expect(await isThere(id)).toBe(true);
  });

  test('keeps its approval when the change fails, which then expires', async () => {
    api.clock.stand();
    const id = await newTask();
    const client = await connectAssistant(api, key);
    const stale = { name: 'tasks_remove', arguments: { id, ifMatch: '"stale"' } };
    await client.callTool(stale);
    await approveNewest();
    expect(textOf(await client.callTool(stale))).toContain('precondition_failed');
    expect((await newestApproval()).status).toBe('APPROVED');
    api.clock.advance({ seconds: 601 });
    expect((await newestApproval()).status).toBe('EXPIRED');
    expect((await client.callTool(stale)).isError).toBe(true);
    expect((await newestApproval()).status).toBe('WAITING');
  });

  test('is refused after the approval when the right of the key has ended', async () => {
    const member = await newUser(api, 'member');
    await joinTeam(api, organizationId, member, 'MEMBER');
    const id = await newTask();
    const client = await connectAssistant(api, await keyFor('ASK', member));
    await client.callTool(removalOf(id));
    await approveNewest();
    const { body } = await call(api, 'organizations.listMembers', {
      ...team,
      params: { id: organizationId },
    });
    const { id: memberId } = body.data.items.find(
      (item: { user: { id: string } }) => item.user.id === member.id,
    );
    await call(api, 'organizations.updateMember', {
      ...team,
      params: { id: organizationId, memberId },
      body: { role: 'VIEWER' },
    });
    expect((await client.callTool(removalOf(id))).isError).toBe(true);
    expect(await isThere(id)).toBe(true);
  });
});

test('an invitation with an idempotency key is made once, also when its response was lost', async () => {
  const client = await connectAssistant(api, await keyFor('ASK', owner, 'everything'), {
    query: 'toolsets=members',
  });
  const invitation = {
    name: 'organizations_invite',
    arguments: { id: organizationId, email: 'once@example.com', idempotencyKey: 'one-invitation' },
  };
  await client.callTool(invitation);
  const { id } = await newestApproval();
  await call(api, 'approvals.approve', { ...team, params: { id } });
  // Taken back while the call was on its way, it is no outcome that a later approval would meet again.
  await api.db.update(approvals).set({ status: 'REFUSED' }).where(eq(approvals.id, id));
  expect((await client.callTool(invitation)).isError).toBe(true);
  await api.db.update(approvals).set({ status: 'APPROVED' }).where(eq(approvals.id, id));
  const made = await client.callTool(invitation);
  expect(made.isError).not.toBe(true);
  expect((await client.callTool(invitation)).structuredContent).toEqual(made.structuredContent);
  expect(await newestApproval()).toMatchObject({ id, status: 'USED' });
});

test('a reply that guests may read waits for a person, and a comment of its own doesn’t', async () => {
  const { body } = await call(api, 'collections.create', { ...team, body: { title: 'Shared' } });
  const collectionId: string = body.data.id;
  const asset = await uploadFile(api, team, someFile(10), { collectionId, organizationId });
  const client = await connectAssistant(api, key);
  const comment = { id: asset.id, body: 'Nice' };
  const made = await client.callTool({ name: 'asset_comments_create', arguments: comment });
  const { id: parentId } = made.structuredContent as { id: string };
  const reply = { ...comment, parentId };
  for (const [name, given] of [
    ['asset_comments_create', reply],
    ['asset_comments_update', { id: asset.id, commentId: parentId, body: 'The secret' }],
  ] as const) {
    const asked = await client.callTool({ name, arguments: given });
    expect([name, asked.isError, textOf(asked)]).toEqual([
      name,
      true,
      expect.stringContaining('approval_required'),
    ]);
  }
  const upload = { fileName: 'a.txt', contentType: 'text/plain', content: 'QQ==', collectionId };
  await call(api, 'shares.create', {
    ...team,
    body: { targetType: 'COLLECTION', targetId: collectionId },
  });
  const refused = await client.callTool({ name: 'assets_upload_small', arguments: upload });
  expect(textOf(refused)).toContain('A share shows this to outsiders');
});

test('a client that opens addresses for its user is asked to', async () => {
  const id = await newTask();
  const client = new Client(
    { name: 'opens', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { url: {} } } },
  );
  const opened: string[] = [];
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    opened.push('url' in params ? params.url : '');
    await approveNewest();
    return { action: 'accept' };
  });
  const headers = { authorization: `Bearer ${key}` };
  const address = new URL(`${api.url}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }));
  onTestFinished(() => client.close());
  expect((await client.callTool(removalOf(id))).structuredContent).toEqual({ id });
  expect(opened).toEqual([expect.stringContaining('/approvals/')]);
});

describe('a key in the mode', () => {
  test('FREE removes, and asks only before it shows data to outsiders', async () => {
    const id = await newTask();
    const client = await connectAssistant(api, await keyFor('FREE', owner, 'everything'), {
      query: 'toolsets=work,members',
    });
    expect((await client.callTool(removalOf(id))).structuredContent).toEqual({ id });
    const invitation = await client.callTool({
      name: 'organizations_invite',
      arguments: { id: organizationId, email: 'stranger@example.com' },
    });
    expect(textOf(invitation)).toContain('/approvals/');
  });

  test('READ_ONLY changes nothing', async () => {
    const client = await connectAssistant(api, await keyFor('READ_ONLY'));
    const listed = (await client.listTools()).tools;
    expect(listed.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
    const made = await client.callTool({
      name: 'tasks_create',
      arguments: { projectId, title: 'No' },
    });
    expect(textOf(made)).toContain('only read');
  });
});
