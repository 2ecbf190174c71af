import { describe, expect, test } from 'vitest';
import { logIn, newUser, type TestUser } from '../../testing/accounts.ts';
import { makeKey } from '../../testing/api-keys.ts';
import { call, type TestResponse } from '../../testing/api.ts';
import { newProject } from '../../testing/board.ts';
import { recordChange } from '../../testing/changes.ts';
import { openStream } from '../../testing/event-streams.ts';
import { joinTeam, newTeamOf } from '../../testing/organizations.ts';
import { setUpApi } from '../../testing/set-up.ts';
import { newId } from '../../kernel/ids.ts';

const api = await setUpApi();
const owner = await newUser(api, 'owner');
const team = await newTeamOf(api, owner);
const { organizationId } = team;
const member = await newUser(api, 'member');
const colleague = await newUser(api, 'colleague');
const viewer = await newUser(api, 'viewer');
await joinTeam(api, organizationId, member, 'MEMBER');
await joinTeam(api, organizationId, colleague, 'MEMBER');
await joinTeam(api, organizationId, viewer, 'VIEWER');
const projectId = await newProject(api, team, 'Website');

async function keyOf(person: TestUser): Promise<string> {
  const body = { preset: 'contributor', organizationIds: [organizationId], expiresInDays: 30 };
  return (await makeKey(api, person, body)).key;
}

const memberKey = await keyOf(member);

async function newTask(title = 'Launch'): Promise<string> {
  const made = await call(api, 'tasks.create', { ...team, params: { projectId }, body: { title } });
  return made.body.data.id;
}

function request(
  token: string | undefined,
  tool: string,
  given: Readonly<Record<string, unknown>>,
): Promise<TestResponse> {
  return call(api, 'approvals.request', {
    token,
    organizationId,
    body: { tool, arguments: given },
  });
}

async function requestRemoval(token = memberKey, title?: string) {
  const id = await newTask(title);
  const { status, body } = await request(token, 'tasks_remove', { id });
  expect(status).toBe(201);
  return body.data;
}

const decide = (
  operation: 'approvals.approve' | 'approvals.refuse' | 'approvals.get',
  id: string,
  token: string | undefined,
) => call(api, operation, { token, organizationId, params: { id } });

const outcomeOf = ({ status, body }: TestResponse) => [status, body?.code ?? body?.data?.status];

describe('a request', () => {
  test('shows a person what is meant, by name', async () => {
    const approval = await requestRemoval(memberKey, 'Write the imprint');
    expect(approval).toMatchObject({
      organizationId,
      status: 'WAITING',
      tool: 'tasks_remove',
      title: 'Delete a task',
      records: [{ argument: 'id', resourceType: 'task', name: 'Write the imprint' }],
      apiKey: { name: 'Test', kind: 'PERSONAL' },
      requestedBy: { id: member.id },
      decidedBy: null,
      decidedAt: null,
    });
    expect((await decide('approvals.get', approval.id, member.token)).body.data).toEqual(approval);
  });

  test('for the same call gets the same approval, in any order of its arguments', async () => {
    const taskId = await newTask();
    const made = await call(api, 'comments.create', {
      token: member.token,
      organizationId,
      params: { taskId },
      body: { body: 'Done?' },
    });
    const commentId: string = made.body.data.id;
    const given = [
      { taskId, commentId },
      { commentId, taskId },
    ];
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        request(memberKey, 'comments_remove', given[index % 2] ?? {}),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(201));
    expect(new Set(responses.map(({ body }) => body.data.id)).size).toBe(1);
    const other = await request(await keyOf(member), 'comments_remove', { taskId, commentId });
    expect(other.body.data.id).not.toBe(responses[0]?.body.data.id);
  });

  test('for another call gets another', async () => {
    const [one, two] = [await requestRemoval(), await requestRemoval()];
    expect(one.id).not.toBe(two.id);
  });

  test('names a tool, arguments that it takes, and records that are there', async () => {
    const stranger = await newUser(api, 'stranger');
    const theirs = await newTeamOf(api, stranger);
    const foreign = await newProject(api, theirs, 'Theirs');
    const outcomes = await Promise.all([
      request(memberKey, 'tasks_explode', {}),
      request(memberKey, 'tasks_remove', {}),
      request(memberKey, 'tasks_remove', { id: 'x' }),
      request(memberKey, 'tasks_remove', { id: await newTask(), force: true }),
      request(memberKey, 'tasks_remove', { id: newId() }),
      request(memberKey, 'projects_remove', { id: foreign }),
      request(memberKey, 'tasks_remove', { id: await newTask(), ifMatch: 'x'.repeat(17_000) }),
      request(memberKey, 'tasks_update', { id: await newTask(), title: 'Renamed' }),
      request(memberKey, 'timeline_resource', { type: 'task', id: newId() }),
      request(memberKey, 'tasks_remove', { id: await newTask(), ifMatch: '"\0"' }),
      request(member.token, 'tasks_remove', { id: await newTask() }),
      request(undefined, 'tasks_remove', { id: newId() }),
    ]);
    expect(outcomes.map(outcomeOf)).toEqual([
      [404, 'not_found'],
      [400, 'validation_failed'],
      [400, 'validation_failed'],
      [400, 'validation_failed'],
      [404, 'not_found'],
      [404, 'not_found'],
      [400, 'validation_failed'],
      [400, 'validation_failed'],
      [400, 'validation_failed'],
      [400, 'validation_failed'],
      [404, 'not_found'],
      [401, 'unauthenticated'],
    ]);
    expect(outcomes[3]?.body.errors[0].message).toContain('its arguments: id');
  });

  test('of a member is for leaving, too', async () => {
    const { body } = await call(api, 'organizations.listMembers', {
      ...team,
      params: { id: organizationId },
    });
    const { id: memberId } = body.data.items.find(
      (item: { user: { id: string } }) => item.user.id === member.id,
    );
    const all = { preset: 'everything', organizationIds: [organizationId], expiresInDays: 30 };
    const { key } = await makeKey(api, member, all);
    const leaving = await request(key, 'organizations_remove_member', {
      id: organizationId,
      memberId,
    });
    expect(leaving.body.data.records).toMatchObject([
      { resourceType: 'organization' },
      { resourceType: 'member', name: member.email },
    ]);
  });

  test('is for what the key could do, and discloses no names to any other', async () => {
    const id = await newTask('Secret plan');
    const made = await call(api, 'labels.create', {
      ...team,
      body: { name: newId().slice(0, 30), color: 'RED' },
    });
    const weak = { scopes: ['label:read'], organizationIds: [organizationId], expiresInDays: 30 };
    const outcomes = [
      await request((await makeKey(api, member, weak)).key, 'tasks_remove', { id }),
      await request(await keyOf(viewer), 'tasks_remove', { id }),
      // The label of another member.
      await request(memberKey, 'labels_remove', { id: made.body.data.id }),
    ];
    expect(outcomes.map(outcomeOf)).toEqual([
      [403, 'scope_missing'],
      [403, 'permission_denied'],
      [403, 'permission_denied'],
    ]);
    expect(JSON.stringify(outcomes)).not.toContain('Secret plan');
  });

  test('waits with 19 others of its key at most, and no longer than ten minutes', async () => {
    api.clock.stand();
    const key = await keyOf(colleague);
    const ids: string[] = [];
    for (let count = 0; count < 20; count += 1) ids.push((await requestRemoval(key)).id);
    const taskId = await newTask();
    const last = () => request(key, 'tasks_remove', { id: taskId });
    expect(outcomeOf(await last())).toEqual([409, 'too_many_approvals']);
    api.clock.advance({ seconds: 600 });
    const { token } = await logIn(api, colleague);
    const first = ids[0] ?? '';
    for (const operation of ['approvals.approve', 'approvals.refuse'] as const) {
      expect(outcomeOf(await decide(operation, first, token))).toEqual([409, 'approval_ended']);
    }
    expect((await decide('approvals.get', first, token)).body.data.status).toBe('EXPIRED');
    expect(outcomeOf(await last())).toEqual([201, 'WAITING']);
  });
});

describe('a decision', () => {
  test('is that of the person, and of those who lead the organization', async () => {
    const [leader, mine, other] = await Promise.all(
      [owner, member, colleague].map((person) => logIn(api, person)),
    );
    const { id } = await requestRemoval();
    const reader = await logIn(api, viewer);
    for (const operation of ['approvals.approve', 'approvals.refuse', 'approvals.get'] as const) {
      for (const token of [other?.token, reader.token]) {
        expect(outcomeOf(await decide(operation, id, token))).toEqual([403, 'permission_denied']);
      }
      expect(outcomeOf(await decide(operation, id, memberKey))).toEqual([403, 'key_refused']);
      expect(outcomeOf(await decide(operation, id, await keyOf(owner)))).toEqual([
        403,
        'key_refused',
      ]);
    }
    expect(outcomeOf(await decide('approvals.approve', id, mine?.token))).toEqual([
      200,
      'APPROVED',
    ]);
    const { id: next } = await requestRemoval();
    const approved = await decide('approvals.approve', next, leader?.token);
    expect(approved.body.data).toMatchObject({ status: 'APPROVED', decidedBy: { id: owner.id } });
  });

  test('is repeated without effect; a refusal is final, and an approval can be taken back', async () => {
    const { token } = await logIn(api, member);
    const { id } = await requestRemoval();
    const approve = async (key = id) => outcomeOf(await decide('approvals.approve', key, token));
    const refuse = async (key = id) => outcomeOf(await decide('approvals.refuse', key, token));
    for (const _ of ['first', 'repeated']) expect(await approve()).toEqual([200, 'APPROVED']);
    for (const _ of ['first', 'repeated']) expect(await refuse()).toEqual([200, 'REFUSED']);
    expect(await approve()).toEqual([409, 'approval_ended']);
  });

  test('of two people at once is one decision', async () => {
    const [leader, mine] = [await logIn(api, owner), await logIn(api, member)];
    const { id } = await requestRemoval();
    const outcomes = await Promise.all([
      decide('approvals.refuse', id, leader.token),
      decide('approvals.approve', id, mine.token),
    ]);
    const { status } = (await decide('approvals.get', id, mine.token)).body.data;
    // Refused last, it is an approval that was taken back.
    expect([outcomes.map(outcomeOf), status]).toEqual([
      [
        [200, 'REFUSED'],
        expect.toBeOneOf([
          [200, 'APPROVED'],
          [409, 'approval_ended'],
        ]),
      ],
      'REFUSED',
    ]);
  });

  test('of a service account is that of those who lead the organization', async () => {
    const leader = await logIn(api, owner);
    const inPath = { ...team, token: leader.token, params: { id: organizationId } };
    const made = await call(api, 'serviceAccounts.create', { ...inPath, body: { name: 'Robot' } });
    const accountId: string = made.body.data.id;
    const issued = await call(api, 'serviceAccounts.createKey', {
      ...inPath,
      params: { id: organizationId, accountId },
      body: { name: 'Robot key', preset: 'contributor' },
    });
    const approval = await requestRemoval(issued.body.data.key);
    expect(approval).toMatchObject({
      apiKey: { name: 'Robot key', kind: 'SERVICE' },
      requestedBy: { id: accountId, displayName: 'Robot' },
    });
    const mine = await logIn(api, member);
    expect(outcomeOf(await decide('approvals.approve', approval.id, mine.token))).toEqual([
      403,
      'permission_denied',
    ]);
    expect(outcomeOf(await decide('approvals.approve', approval.id, leader.token))).toEqual([
      200,
      'APPROVED',
    ]);
  });
});

test('the list has all of the organization for those who lead it, and else one’s own', async () => {
  await requestRemoval();
  const key = await keyOf(owner);
  await requestRemoval(key);
  const requestersFor = async (person: TestUser) => {
    const { token } = await logIn(api, person);
    const { body } = await call(api, 'approvals.list', {
      token,
      organizationId,
      query: { limit: 100 },
    });
    return new Set(
      body.data.items.map((item: { requestedBy: { id: string } }) => item.requestedBy.id),
    );
  };
  const all = await requestersFor(owner);
  expect([...all]).toEqual(expect.arrayContaining([owner.id, member.id]));
  expect(await requestersFor(member)).toEqual(new Set([member.id]));
  expect(await requestersFor(viewer)).toEqual(new Set());
});

describe('events and the latest activities', () => {
  const actionsOf = (messages: readonly { event: string; data: unknown }[], id: string) =>
    messages.flatMap(({ event, data }) => {
      const { action, resourceId } = data as { action: string; resourceId: string };
      return event === 'activity' && resourceId === id ? [action] : [];
    });

  test('tell the account of the key what others decide, those who lead all, and no other member', async () => {
    const people = { owner, member, colleague, viewer };
    const tokens = Object.fromEntries(
      await Promise.all(
        Object.entries(people).map(async ([name, one]) => [name, (await logIn(api, one)).token]),
      ),
    ) as Record<keyof typeof people, string>;
    const streams = await Promise.all(
      [...Object.values(tokens), memberKey].map((token) =>
        openStream(api, { token, organizationId }),
      ),
    );
    const approved = await requestRemoval();
    const refused = await requestRemoval();
    const ofColleague = await requestRemoval(await keyOf(colleague));
    for (const { id } of [approved, ofColleague]) {
      await decide('approvals.approve', id, tokens.owner);
    }
    await decide('approvals.refuse', refused.id, tokens.owner);
    const last = await recordChange(api.db, organizationId);
    await Promise.all(streams.map((stream) => stream.change(last)));
    const [ofOwner, ofMember, colleagues, viewers, keys] = streams.map(({ messages }) =>
      [approved, refused, ofColleague].map(({ id }) => actionsOf(messages, id)),
    );
    const both = (decision: string) => ['approval.request', decision];
    const seen = ['approval.approve', 'approval.refuse', 'approval.approve'].map(both);
    expect(ofOwner).toEqual(seen);
    expect(ofMember).toEqual([seen[0], seen[1], []]);
    expect(colleagues).toEqual([[], [], seen[2]]);
    expect([viewers, keys]).toEqual([
      [[], [], []],
      [[], [], []],
    ]);
    streams.forEach((stream) => stream.leave());

    const three = [approved.id, refused.id, ofColleague.id];
    const shownTo = async (token: string) => {
      const { body } = await call(api, 'dashboard.summary', { token, organizationId });
      const ids = body.data.recentActivity.map((one: { resourceId: string }) => one.resourceId);
      return three.filter((id) => ids.includes(id));
    };
    expect(await shownTo(tokens.owner)).toEqual(three);
    expect(await shownTo(tokens.member)).toEqual([approved.id, refused.id]);
    expect(await shownTo(tokens.colleague)).toEqual([ofColleague.id]);
    for (const token of [tokens.viewer, memberKey]) expect(await shownTo(token)).toEqual([]);
  });
});
