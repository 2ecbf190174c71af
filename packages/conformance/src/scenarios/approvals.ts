import { maxWaitingApprovals, type Scope } from '@atelier/contract';
import { newAccount } from '../accounts.ts';
import type { Check } from '../check.ts';
import type { ReceivedResponse } from '../deployment.ts';
import type { Probe } from '../probe.ts';

/** An account with a task, and an API key that may read and delete it. */
interface Assistant {
  readonly token: string;
  readonly key: string;
  readonly keyId: string;
  /** A key that may delete the task, but not read it. */
  readonly blindKey: string;
  readonly taskId: string;
  readonly taskTitle: string;
}

async function newAssistant(probe: Probe, name: string): Promise<Assistant> {
  const { token, personalOrganizationId } = await newAccount(probe, name);
  const { id: projectId } = await probe.succeed('projects.create', {
    token,
    body: { name: 'Approvals' },
  });
  const { id: taskId, title: taskTitle } = await probe.succeed('tasks.create', {
    token,
    params: { projectId },
    body: { title: 'To be deleted' },
  });
  const keyWith = (...scopes: Scope[]) =>
    probe.succeed('apiKeys.create', {
      token,
      body: { name: 'Assistant', scopes, organizationIds: [personalOrganizationId] },
    });
  const { id: keyId, key } = await keyWith('task:read', 'task:delete');
  const { key: blindKey } = await keyWith('task:delete');
  return { token, key, keyId, blindKey, taskId, taskTitle };
}

/** Asks for the deletion of the task, with other arguments for each `attempt`. */
function askBy(probe: Probe, { key, taskId }: Assistant) {
  return (attempt = 'only'): Promise<ReceivedResponse> =>
    probe.request('approvals.request', {
      token: key,
      body: { tool: 'tasks_remove', arguments: { id: taskId, ifMatch: `"${attempt}"` } },
    });
}

const asking: Check = {
  id: 'approval.request',
  group: 'approvals',
  title: 'an API key asks once for each call that exists, with the names of what it is about',
  run: async ({ probe, fixtures, random }) => {
    const rule = 'approval.request';
    const assistant = await newAssistant(probe, 'asking');
    const { token, key, keyId, blindKey, taskId, taskTitle } = assistant;
    const ask = askBy(probe, assistant);
    const response = await ask();
    const asked = probe.dataIn('approvals.request', response);
    const given = { id: taskId, ifMatch: '"only"' };
    const records = [{ argument: 'id', resourceType: 'task', id: taskId, name: taskTitle }];
    const expected = {
      status: 'WAITING',
      tool: 'tasks_remove',
      arguments: given,
      records,
      apiKey: { id: keyId, name: 'Assistant', kind: 'PERSONAL' },
      decidedBy: null,
      decidedAt: null,
    };
    probe.expectFields({ rule, response, actual: asked, expected });
    const inOtherOrder = await probe.request('approvals.request', {
      token: key,
      body: { arguments: { ifMatch: given.ifMatch, id: taskId }, tool: 'tasks_remove' },
    });
    for (const again of [await ask(), inOtherOrder]) {
      const actual = probe.dataIn('approvals.request', again);
      probe.expectFields({ rule, response: again, actual, expected: { id: asked.id } });
    }
    const other = probe.dataIn('approvals.request', await ask('other'));
    const { items } = await probe.succeed('approvals.list', { token });
    probe.expect({
      rule,
      response,
      holds: items.map(({ id }) => id).join() === [other.id, asked.id].join(),
      expected: `the calls ${other.id} and ${asked.id} in the list`,
      actual: items.map(({ id }) => id).join(' and '),
    });
    const call = { tool: 'tasks_remove', arguments: { id: taskId } };
    const send = (body: object, by = key) =>
      probe.request('approvals.request', { token: by, body });
    probe.expectRefusal(rule, await send(call, token), 'not_found');
    probe.expectRefusal(rule, await send(call, blindKey), 'scope_missing');
    probe.expectRefusal(rule, await send({ ...call, tool: 'no_such_tool' }), 'not_found');
    for (const id of [random.id(), fixtures.taskId]) {
      probe.expectRefusal(rule, await send({ ...call, arguments: { id } }), 'not_found');
    }
    for (const wrong of [{}, { id: 'no-id' }, { id: taskId, reason: 'x' }, tooLarge(taskId)]) {
      probe.expectRefusal(rule, await send({ ...call, arguments: wrong }), 'validation_failed');
    }
  },
};

/** More than 16,384 bytes of JSON. */
function tooLarge(id: string): object {
  return { id, ifMatch: `"${'x'.repeat(16_384)}"` };
}

const deciding: Check = {
  id: 'approval.decide',
  group: 'approvals',
  title: 'a person approves a call, takes that back or refuses it, and an API key never does',
  run: async ({ probe }) => {
    const rule = 'approval.decide';
    const assistant = await newAssistant(probe, 'deciding');
    const { token, key } = assistant;
    const ask = askBy(probe, assistant);
    const { id } = probe.dataIn('approvals.request', await ask());
    const params = { id };
    for (const operation of ['approvals.get', 'approvals.approve', 'approvals.refuse'] as const) {
      const byKey = await probe.request(operation, { token: key, params });
      probe.expectRefusal(rule, byKey, 'key_refused');
    }
    const decide = async (operation: 'approvals.approve' | 'approvals.refuse', status: string) => {
      const response = await probe.request(operation, { token, params });
      const decided = probe.dataIn(operation, response);
      probe.expectFields({ rule, response, actual: decided, expected: { status } });
      return decided;
    };
    const approved = await decide('approvals.approve', 'APPROVED');
    const repeated = await decide('approvals.approve', 'APPROVED');
    const again = await ask();
    probe.expect({
      rule,
      response: again,
      holds:
        approved.decidedBy !== null &&
        JSON.stringify(repeated) === JSON.stringify(approved) &&
        JSON.stringify(probe.dataIn('approvals.request', again)) === JSON.stringify(approved),
      expected: `the approval as it was decided at ${approved.decidedAt}`,
    });
    // What is approved is not yet done.
    await probe.succeed('tasks.get', { token, params: { id: assistant.taskId } });
    await decide('approvals.refuse', 'REFUSED');
    await decide('approvals.refuse', 'REFUSED');
    const late = await probe.request('approvals.approve', { token, params });
    probe.expectRefusal(rule, late, 'approval_ended');
    const refused = await ask();
    const actual = probe.dataIn('approvals.request', refused);
    const expected = { id, status: 'REFUSED' };
    probe.expectFields({ rule, response: refused, actual, expected });
  },
};

const seeing: Check = {
  id: 'approval.visibility',
  group: 'approvals',
  title: 'a member decides on the calls of the own keys, an owner on all of the team',
  run: async ({ probe, fixtures: { owner, viewer, team } }) => {
    const rule = 'approval.visibility';
    const organizationId = team.id;
    const inTeam = { token: owner.token, organizationId };
    const ask = async (token: string) => {
      const { key } = await probe.succeed('apiKeys.create', {
        token,
        body: {
          name: 'Assistant',
          scopes: ['organization:read', 'member:read', 'member:remove'],
          organizationIds: [organizationId],
        },
      });
      // Both may do that: every member may leave.
      const given = { id: organizationId, memberId: team.viewerMemberId };
      const body = { tool: 'organizations_remove_member', arguments: given };
      const { id } = await probe.succeed('approvals.request', {
        token: key,
        organizationId,
        body,
      });
      return id;
    };
    const [ofOwner, ofViewer] = [await ask(owner.token), await ask(viewer.token)];
    const asViewer = { token: viewer.token, organizationId };
    for (const operation of ['approvals.get', 'approvals.approve', 'approvals.refuse'] as const) {
      const foreign = await probe.request(operation, { ...asViewer, params: { id: ofOwner } });
      probe.expectRefusal(rule, foreign, 'permission_denied');
    }
    const seen = async (by: typeof inTeam) => {
      const response = await probe.request('approvals.list', by);
      const { items } = probe.dataIn('approvals.list', response);
      return { response, ids: items.map(({ id }) => id) };
    };
    const all = await seen(inTeam);
    const own = await seen(asViewer);
    probe.expect({
      rule,
      response: all.response,
      holds: all.ids.includes(ofOwner) && all.ids.includes(ofViewer),
      expected: 'the calls of every key of the team',
      actual: all.ids.join(),
    });
    probe.expect({
      rule,
      response: own.response,
      holds: own.ids.includes(ofViewer) && !own.ids.includes(ofOwner),
      expected: 'only the calls of the own keys',
      actual: own.ids.join(),
    });
    await probe.succeed('approvals.refuse', { ...inTeam, params: { id: ofViewer } });
    await probe.succeed('approvals.refuse', { ...inTeam, params: { id: ofOwner } });
  },
};

const limit: Check = {
  id: 'approval.limit',
  group: 'approvals',
  title: `at most ${maxWaitingApprovals} calls of an API key wait`,
  run: async ({ probe }) => {
    const assistant = await newAssistant(probe, 'many');
    const { token } = assistant;
    const ask = askBy(probe, assistant);
    const ids: string[] = [];
    for (let count = 0; count < maxWaitingApprovals; count += 1) {
      ids.push(probe.dataIn('approvals.request', await ask(`call ${count}`)).id);
    }
    probe.expectRefusal('approval.limit', await ask('one more'), 'too_many_approvals');
    probe.dataIn('approvals.request', await ask('call 0'));
    await probe.succeed('approvals.refuse', { token, params: { id: ids[0] ?? '' } });
    probe.dataIn('approvals.request', await ask('one more'));
  },
};

export const approvalScenarios: readonly Check[] = [asking, deciding, seeing, limit];
