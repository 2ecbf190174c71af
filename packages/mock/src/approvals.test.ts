import { beforeEach, describe, expect, test } from 'vitest';
import { sampleAccount } from './samples.ts';
import { inOrganization, minuteMs, setUpMock } from './testing/mock.ts';

const { clock, send, login, create, join, joinTeam, newTeam } = setUpMock();

interface Setting {
  readonly key: string;
  readonly keyId: string;
  readonly taskId: string;
  readonly teamId: string;
  readonly headers: Readonly<Record<string, string>>;
}

let setting: Setting;
beforeEach(async () => {
  const { id: teamId } = await newTeam();
  const headers = inOrganization(teamId);
  const project = await create('/api/projects', { headers, body: { name: 'Website' } });
  const path = `/api/projects/${project.id}/tasks`;
  const task = await create(path, { headers, body: { title: 'Launch' } });
  const { id: keyId, key } = await newKey(teamId);
  setting = { key, keyId, taskId: task.id, teamId, headers };
});

async function newKey(teamId: string, choice: object = {}, token?: string) {
  const body = {
    name: 'Assistant',
    scopes: ['task:read', 'task:delete'],
    organizationIds: [teamId],
    ...choice,
  };
  return create('/api/auth/api-keys', { body, token });
}

/** Asks for the deletion of the task, with other arguments for each `attempt`. */
function ask(attempt = 'only', token = setting.key) {
  const given = { id: setting.taskId, ifMatch: `"${attempt}"` };
  const body = { tool: 'tasks_remove', arguments: given };
  return send('POST', '/api/approvals', { token, headers: setting.headers, body });
}

function decide(id: string, decision: 'approve' | 'refuse', token?: string) {
  return send('POST', `/api/approvals/${id}/${decision}`, { token, headers: setting.headers });
}

describe('approvals', () => {
  test('wait for ten minutes, and count for ten more once approved', async () => {
    const { data: first } = await ask();
    clock.nowMs += 9 * minuteMs;
    expect((await ask()).data).toEqual(first);
    const approved = await decide(first.id, 'approve');
    expect(approved.data).toMatchObject({
      status: 'APPROVED',
      decidedBy: { displayName: 'Ada Lovelace' },
    });
    clock.nowMs += 9 * minuteMs;
    expect((await ask()).data).toEqual(approved.data);
    clock.nowMs += minuteMs;
    // The first session is over.
    const { accessToken: token } = await login(sampleAccount);
    const read = { token, headers: setting.headers };
    expect((await send('GET', `/api/approvals/${first.id}`, read)).data.status).toBe('EXPIRED');
    expect((await decide(first.id, 'refuse', token)).code).toBe('approval_ended');
    expect((await ask()).data.id).not.toBe(first.id);
  });

  test('of a key are twenty that wait, without those that were decided on or have expired', async () => {
    for (let count = 0; count < 20; count += 1) expect((await ask(`${count}`)).status).toBe(201);
    expect((await ask('more')).code).toBe('too_many_approvals');
    const other = await newKey(setting.teamId);
    expect((await ask('more', other.key)).status).toBe(201);
    clock.nowMs += 10 * minuteMs;
    expect((await ask('more')).status).toBe(201);
  });

  test('name what is meant, and record who asked and decided', async () => {
    const { data: approval } = await ask();
    const name = 'Delete a task: Launch';
    expect(approval).toMatchObject({
      title: 'Delete a task',
      records: [{ argument: 'id', resourceType: 'task', id: setting.taskId, name: 'Launch' }],
      requestedBy: { displayName: 'Ada Lovelace' },
    });
    await decide(approval.id, 'refuse');
    await decide(approval.id, 'refuse');
    const path = '/api/timeline?resourceType=approval';
    const { data } = await send('GET', path, { headers: setting.headers });
    expect(data.items).toMatchObject([
      {
        action: 'approval.refuse',
        resourceName: name,
        changes: [{ field: 'status', from: 'WAITING', to: 'REFUSED' }],
        metadata: { tool: 'tasks_remove', requestedWith: setting.keyId },
      },
      {
        action: 'approval.request',
        resourceName: name,
        metadata: { tool: 'tasks_remove', apiKeyId: setting.keyId },
      },
    ]);
    expect(data.items).toHaveLength(2);
  });

  test.each([
    ['a header that HTTP can not carry', { ifMatch: '"a\n"' }],
    ['half of a character', { ifMatch: '\ud800' }],
    ['a list', { ifMatch: ['*'] }],
    ['another argument', { constructor: 'x' }],
    ['an empty part of the path', { id: '' }],
  ])('are not asked for with %s', async (_, wrong) => {
    const body = { tool: 'tasks_remove', arguments: { id: setting.taskId, ...wrong } };
    const sent = { token: setting.key, headers: setting.headers, body };
    const errors = [{ in: 'body', path: ['arguments'], code: 'invalid_value' }];
    expect(await send('POST', '/api/approvals', sent)).toMatchObject({ status: 400, errors });
  });

  test('of others are decided on by owners and administrators only', async () => {
    const grace = await join('grace@example.com');
    await joinTeam(setting.teamId, { email: 'grace@example.com', token: grace });
    const { key } = await newKey(setting.teamId, {}, grace);
    const [{ data: adas }, { data: graces }] = [await ask(), await ask('only', key)];
    expect((await decide(adas.id, 'approve', grace)).code).toBe('permission_denied');
    expect((await decide(graces.id, 'approve', grace)).status).toBe(200);
    expect((await decide(graces.id, 'refuse', key)).code).toBe('key_refused');
    expect((await decide(graces.id, 'refuse')).data.status).toBe('REFUSED');
    const idsFor = async (token?: string) => {
      const { data } = await send('GET', '/api/approvals', { token, headers: setting.headers });
      return data.items.map(({ id }: { id: string }) => id);
    };
    expect(await idsFor(grace)).toEqual([graces.id]);
    expect(await idsFor()).toEqual([graces.id, adas.id]);
    const { data } = await send('GET', '/api/dashboard/summary', {
      token: grace,
      headers: setting.headers,
    });
    const shown = data.recentActivity.filter(
      ({ resourceType }: { resourceType: string }) => resourceType === 'approval',
    );
    expect(shown).toMatchObject(
      ['refuse', 'approve', 'request'].map((verb) => ({
        action: `approval.${verb}`,
        resourceId: graces.id,
      })),
    );
    expect(shown).toHaveLength(3);
  });

  test('name the texts of comments and the addresses of members', async () => {
    const { headers, taskId, teamId } = setting;
    const { key } = await newKey(teamId, { preset: 'everything', scopes: undefined });
    const comments = `/api/tasks/${taskId}/comments`;
    const comment = await create(comments, { headers, body: { body: 'No longer true' } });
    const { data } = await send('GET', `/api/organizations/${teamId}/members`);
    const calls = [
      { tool: 'comments_remove', arguments: { taskId, commentId: comment.id } },
      {
        tool: 'organizations_remove_member',
        arguments: { id: teamId, memberId: data.items[0].id },
      },
    ];
    const names = [];
    for (const body of calls) {
      const { records } = await create('/api/approvals', { headers, token: key, body });
      names.push(records.map((record: { name: string }) => record.name));
    }
    expect(names).toEqual([
      ['Launch', 'No longer true'],
      ['Workshop', 'ada@example.com'],
    ]);
  });
});

test('keys have a mode for tools, which a replacement keeps', async () => {
  const { id } = await newKey(setting.teamId, { toolMode: 'FREE' });
  const path = `/api/auth/api-keys/${id}/rotate`;
  expect(await create(path, { body: { overlapHours: 0 } })).toMatchObject({ toolMode: 'FREE' });
  expect(await newKey(setting.teamId)).toMatchObject({ toolMode: 'ASK' });
  const accounts = `/api/organizations/${setting.teamId}/service-accounts`;
  const account = await create(accounts, { body: { name: 'Robot' } });
  const body = { name: 'Key', preset: 'contributor', toolMode: 'READ_ONLY' };
  const made = await create(`${accounts}/${account.id}/keys`, { body });
  expect(made).toMatchObject({ toolMode: 'READ_ONLY', kind: 'SERVICE' });
});
