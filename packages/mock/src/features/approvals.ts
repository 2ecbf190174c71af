import {
  approvalLifetimeSeconds,
  maxWaitingApprovals,
  scopesToName,
  tools,
  type Approval,
  type NamedRecord,
} from '@atelier/contract';
import { MockFailure } from '../failure.ts';
import { reachOf } from '../state/access.ts';
import { activityOn, nameIn } from '../state/activities.ts';
import { bodyOf, callerOf, organizationOf, recordAt } from '../state/call.ts';
import { expectScope } from '../state/keys.ts';
import type { Call, Feature, State } from '../state/model.ts';
import { shown } from '../state/perform.ts';
import { isRecord, textOf, type Fields, type Stored } from '../state/store.ts';
import { allIn } from './teams.ts';
import { toolCallIn, type ToolCall } from './tool-calls.ts';

const keptMs = 7 * 24 * 60 * 60 * 1000;
const titleByTool = new Map(tools.map(({ name, endpoint }) => [name, endpoint.summary]));

function isOver({ fields }: Stored, state: State): boolean {
  return Date.parse(textOf(fields, 'expiresAt')) <= state.nowMs();
}

function statusOf(approval: Stored, state: State): Approval['status'] {
  // Only this file sets it.
  const status = approval.fields['status'] as Approval['status'];
  const isOpen = status === 'WAITING' || status === 'APPROVED';
  return isOpen && isOver(approval, state) ? 'EXPIRED' : status;
}

function titleOf({ fields }: Stored): string {
  const tool = textOf(fields, 'tool');
  return titleByTool.get(tool) ?? tool;
}

function expiry(state: State): string {
  return new Date(state.nowMs() + approvalLifetimeSeconds * 1000).toISOString();
}

function request(call: Call): unknown {
  const { key } = call;
  if (!key) throw new MockFailure('not_found');
  const asked = toolCallIn(bodyOf(call));
  const open = openOf(call, key);
  const known = open.findLast(({ hidden }) => hidden['identity'] === asked.identity);
  call.activities = [];
  if (known) return shown(call, known);
  const records = asked.named.map(({ permission, ...one }) => ({
    ...one,
    name: nameOfRecord(call, { permission, ...one }),
  }));
  if (open.filter(({ fields }) => fields['status'] === 'WAITING').length >= maxWaitingApprovals) {
    throw new MockFailure('too_many_approvals');
  }
  const approval = add(call, { key, asked, records });
  const metadata = { tool: asked.tool.name, requestedBy: approval.ownerId };
  call.activities = [activityOn(call, approval, { action: 'approval.request', metadata })];
  return shown(call, approval);
}

/** The approvals of a key that are not over, oldest first. */
function openOf(call: Call, key: Stored): Stored[] {
  return allIn(call.state, 'approval', organizationOf(call).id).filter(
    (one) => one.hidden['apiKeyId'] === key.id && !isOver(one, call.state),
  );
}

/**
 * @throws MockFailure `not_found` for a record that isn't in the organization; `scope_missing` for an API key that may
 *   not learn its name
 */
function nameOfRecord(call: Call, { resourceType, permission, id }: NamedRecord): string {
  const { store } = call.state;
  const record = store.find(resourceType, id);
  if (!record || record.bin || record.organizationId !== organizationOf(call).id) {
    throw new MockFailure('not_found');
  }
  for (const scope of scopesToName(resourceType, permission)) expectScope(call, scope);
  const { fields } = record;
  switch (resourceType) {
    case 'comment':
    case 'asset_comment':
      return textOf(fields, 'body').slice(0, 200);
    case 'member':
      return textOf(store.find('user', fields['userId'])?.fields, 'email');
    default:
      return nameIn(call, record);
  }
}

interface NewApproval {
  readonly key: Stored;
  readonly asked: ToolCall;
  readonly records: readonly Fields[];
}

function add(call: Call, { key, asked, records }: NewApproval): Stored {
  const { state } = call;
  const organizationId = organizationOf(call).id;
  return state.store.add({
    kind: 'approval',
    id: state.newId(),
    organizationId,
    ownerId: callerOf(call).id,
    fields: {
      organizationId,
      status: 'WAITING',
      tool: asked.tool.name,
      arguments: asked.arguments,
      records,
      apiKey: { id: key.id, name: key.fields['name'], kind: key.fields['kind'] },
      createdAt: state.now(),
      expiresAt: expiry(state),
      decidedById: null,
      decidedAt: null,
    },
    hidden: { identity: asked.identity, apiKeyId: key.id },
  });
}

/** @throws MockFailure `approval_ended` */
function decide(call: Call, to: 'APPROVED' | 'REFUSED'): unknown {
  const { state } = call;
  const approval = recordAt(call, 'params.id');
  const from = statusOf(approval, state);
  call.activities = [];
  if (from === to) return shown(call, approval);
  // An approval can be taken back; a refusal is final.
  const isOpen = from === 'WAITING' || (from === 'APPROVED' && to === 'REFUSED');
  if (!isOpen) throw new MockFailure('approval_ended');
  Object.assign(approval.fields, {
    status: to,
    decidedById: callerOf(call).id,
    decidedAt: state.now(),
    expiresAt: expiry(state),
  });
  const action = to === 'APPROVED' ? 'approval.approve' : 'approval.refuse';
  const changes = [{ field: 'status', from, to }];
  const { tool } = approval.fields;
  const metadata = {
    tool,
    requestedBy: approval.ownerId,
    requestedWith: approval.hidden['apiKeyId'],
  };
  call.activities = [activityOn(call, approval, { action, changes, metadata })];
  return shown(call, approval);
}

/** Comments and members: the history keeps neither texts nor addresses. */
const unnamed: ReadonlySet<string> = new Set(['comment', 'asset_comment', 'member']);

/** Such as “Delete a task: Write the imprint”. */
function nameOf(approval: Stored): string {
  const { records } = approval.fields;
  const names = (Array.isArray(records) ? records : [])
    .filter(isRecord)
    .filter((record) => !unnamed.has(textOf(record, 'resourceType')))
    .map((record) => textOf(record, 'name'));
  return [titleOf(approval), names.join(', ')].filter((part) => part !== '').join(': ');
}

export const approvals: Feature = {
  operations: {
    'approvals.request': { respond: request },
    'approvals.approve': { respond: (call) => decide(call, 'APPROVED') },
    'approvals.refuse': { respond: (call) => decide(call, 'REFUSED') },
  },
  kinds: {
    approval: {
      isListed: (approval, { state, organization, role, caller }) =>
        approval.organizationId === organization?.id &&
        Date.parse(textOf(approval.fields, 'createdAt')) + keptMs > state.nowMs() &&
        (reachOf('approval:decide', role) === 'any' || approval.ownerId === caller?.id),
      computed: {
        status: (approval, { state }) => statusOf(approval, state),
        title: titleOf,
      },
      nameOf,
    },
  },
};
