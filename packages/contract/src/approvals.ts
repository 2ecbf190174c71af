import { z } from 'zod/v4';
import { memberAccess } from './access.ts';
import { ResourceTypeName } from './activity.ts';
import { ApiKeyKind } from './api-key-fields.ts';
import { endpoint } from './endpoint.ts';
import { created, ok } from './envelope.ts';
import { cursorList, pageOf } from './pagination.ts';
import { derived, Id, text, Timestamp } from './primitives.ts';
import { target } from './targets.ts';

/** How long a request for an approval waits, and how long an approval is good for, in seconds. */
export const approvalLifetimeSeconds = 600;
/** Maximum number of requests of one API key that wait. */
export const maxWaitingApprovals = 20;
/** Largest arguments of a call that is to be approved, in bytes of JSON. */
export const maxApprovedArgumentsBytes = 16 * 1024;

const statuses = ['WAITING', 'APPROVED', 'REFUSED', 'USED', 'EXPIRED'] as const;

export const ApprovalStatus = z.enum(statuses).meta({
  id: 'ApprovalStatus',
  description:
    'WAITING for a decision, APPROVED and not yet used, REFUSED, USED by its call, or EXPIRED before its use.',
  examples: ['WAITING'],
});

const Decider = z.object({ id: Id, displayName: z.string() });

const example = {
  id: '019aa4fe-5e6f-7091-a2b3-d4e5f6a7b8c9',
  organizationId: '019aa4f0-5c1e-7c00-8a51-0d9e2b7f6c11',
  status: 'WAITING',
  tool: 'tasks_remove',
  title: 'Delete a task',
  arguments: { id: '019aa4f5-4e6f-7091-a2b3-9e0f1a2b3c4d' },
  records: [
    {
      argument: 'id',
      resourceType: 'task',
      id: '019aa4f5-4e6f-7091-a2b3-9e0f1a2b3c4d',
      name: 'Write the imprint',
    },
  ],
  apiKey: {
    id: '019aa4f7-3c2d-7e5f-8b40-2d3e4f5a6b7c',
    name: 'Assistant',
    kind: 'PERSONAL' as const,
  },
  requestedBy: { id: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42', displayName: 'Ada Lovelace' },
  createdAt: '2026-11-21T09:30:00.000Z',
  expiresAt: '2026-11-21T09:40:00.000Z',
  decidedBy: null,
  decidedAt: null,
};

export const Approval = z
  .object({
    id: Id,
    organizationId: Id,
    status: ApprovalStatus.meta(derived),
    tool: z.string().describe('The name of the tool.'),
    title: z.string().describe('What the tool does.'),
    arguments: z.record(z.string(), z.unknown()).describe('Exactly what the tool is called with.'),
    records: z
      .array(
        z.object({
          argument: z.string(),
          resourceType: ResourceTypeName,
          id: Id,
          name: z.string().describe('Its name when the approval was requested.'),
        }),
      )
      .describe('What the ids among the arguments identify.'),
    apiKey: z
      .object({ id: Id, name: z.string(), kind: ApiKeyKind })
      .describe('The key that the tool is called with. Its name when the approval was requested.'),
    requestedBy: Decider.describe('The account of the key.'),
    createdAt: Timestamp,
    expiresAt: Timestamp.describe('Until when it can be decided, and once approved, used.'),
    decidedBy: Decider.nullable(),
    decidedAt: Timestamp.nullable(),
  })
  .meta({
    id: 'Approval',
    description: 'A call of an assistant, and the decision of a person on it.',
    examples: [example],
  });
export type Approval = z.infer<typeof Approval>;

export const ApprovalPage = pageOf(Approval, 'ApprovalPage');

export const RequestApprovalBody = z
  .object({
    tool: text({ max: 64 }).describe('The name of a tool.'),
    arguments: z
      .record(z.string().max(64), z.unknown())
      .describe('What the tool is to be called with, at most 16,384 bytes of JSON.'),
  })
  .meta({
    id: 'RequestApprovalBody',
    description: 'A call that needs an approval.',
    examples: [{ tool: example.tool, arguments: example.arguments }],
  });

const approvalPath = z.object({ id: Id });
const access = memberAccess('approval:decide');
const targets = { 'params.id': target('approval', 'approval:decide') };

export const approvals = {
  list: endpoint({
    method: 'GET',
    path: '/api/approvals',
    summary: 'List calls of assistants that a person decides on',
    description:
      'Newest first. They are removed after 7 days. Without a role that decides on all: your own.',
    isAddition: true,
    access: memberAccess('organization:read'),
    keys: 'refused',
    query: cursorList,
    list: { order: ['-createdAt'] },
    success: ok('Approvals retrieved', ApprovalPage),
  }),
  request: endpoint({
    method: 'POST',
    path: '/api/approvals',
    summary: 'Request the approval of a call',
    description:
      'For the API key of an assistant. As long as one for the same call waits or is approved, and for 10 minutes after it was refused, the response is that one. With a session: 404.',
    isAddition: true,
    access: memberAccess('organization:read'),
    keys: 'any',
    effect: 'change',
    bodyLimitBytes: 32 * 1024,
    body: RequestApprovalBody,
    success: created('Approval requested', Approval),
    errors: ['not_found', 'scope_missing', 'too_many_approvals'],
    activity: 'approval.request',
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/approvals/:id',
    summary: 'Get an approval',
    isAddition: true,
    access,
    pathParams: approvalPath,
    targets,
    success: ok('Approval retrieved', Approval),
    errors: ['not_found'],
  }),
  approve: endpoint({
    method: 'POST',
    path: '/api/approvals/:id/approve',
    summary: 'Approve a call of an assistant',
    description:
      'The same call with the same key succeeds once, within 10 minutes. No-op when repeated.',
    isAddition: true,
    access,
    effect: 'change',
    pathParams: approvalPath,
    targets,
    success: ok('Call approved', Approval),
    errors: ['not_found', 'approval_ended'],
    activity: 'approval.approve',
  }),
  refuse: endpoint({
    method: 'POST',
    path: '/api/approvals/:id/refuse',
    summary: 'Refuse a call of an assistant',
    description: 'Also takes back an approval that was not used. No-op when repeated.',
    isAddition: true,
    access,
    effect: 'change',
    pathParams: approvalPath,
    targets,
    success: ok('Call refused', Approval),
    errors: ['not_found', 'approval_ended'],
    activity: 'approval.refuse',
  }),
};
