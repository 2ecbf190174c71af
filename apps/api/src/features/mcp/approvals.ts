import { operationById, type Approval, type Effect, type ToolDeclaration } from '@atelier/contract';
import {
  inputRequired,
  type CallToolResult,
  type InputRequiredResult,
} from '@modelcontextprotocol/server';
import type { ApiRequest } from '../../domain/tools/request.ts';
import { duringApprovedCall } from '../../kernel/approved-call.ts';
import { organizationHeader } from './api.ts';
import type { McpCaller } from './caller.ts';
import { refusal, resultOfResponse } from './results.ts';
import type { McpContext } from './context.ts';

/** Whether a person decides on each call of a tool. */
export function needsApproval(effect: Effect, { toolMode }: Pick<McpCaller, 'toolMode'>): boolean {
  return effect === 'disclose' || (effect === 'remove' && toolMode === 'ASK');
}

interface Call {
  readonly tool: ToolDeclaration;
  readonly given: Readonly<Record<string, unknown>>;
  readonly request: ApiRequest;
}

/**
 * Makes a call that a person has approved, and else asks for the approval. The change uses the approval up in its own
 * transaction.
 */
export async function callWithApproval(
  { tool, given, request }: Call,
  { callApi, deps, client }: McpContext,
): Promise<CallToolResult | InputRequiredResult> {
  const asked = await callApi({
    operation: 'approvals.request',
    headers: headersOfApproval(tool, request),
    body: { tool: tool.name, arguments: given },
  });
  if (asked.status >= 400) return resultOfResponse(asked);
  // The contract checks the response.
  const approval = asked.body.data as Approval;
  // One that was used gets the first response of its idempotency key again, and has no second effect.
  if (approval.status === 'APPROVED' || approval.status === 'USED') {
    return resultOfResponse(await duringApprovedCall(approval.id, () => callApi(request)));
  }
  if (approval.status === 'REFUSED') {
    const by = approval.decidedBy?.displayName ?? 'A person';
    return refused({ message: `${by} refused this call`, code: 'approval_refused' });
  }
  const approveAt = `${deps.config.APP_URL}/approvals/${approval.id}?organizationId=${approval.organizationId}`;
  const question = `A person has to approve this: ${summaryOf(approval)}`;
  if (client.opensAddresses && !client.hasResponded) {
    const elicited = inputRequired.elicitUrl({ message: question, url: approveAt });
    return inputRequired({ inputRequests: { approval: elicited } });
  }
  return refused({
    message: `${question}. Show the person approveAt, and repeat exactly this call once it is approved.`,
    code: 'approval_required',
    approvalId: approval.id,
    approveAt,
    expiresAt: approval.expiresAt,
  });
}

/** In the form of the API's errors, which the model knows. */
function refused(error: Readonly<Record<string, string>>) {
  return refusal(JSON.stringify(error));
}

function summaryOf({ title, records }: Approval): string {
  return [title, records.map(({ name }) => `“${name}”`).join(', ')].filter(Boolean).join(': ');
}

/** The approval is decided in the organization that the call changes. */
function headersOfApproval({ operation }: ToolDeclaration, { params, headers }: ApiRequest) {
  const { access } = operationById(operation).endpoint.metadata;
  const isInPath = access.kind === 'member' && access.organizationFrom === 'path';
  const organizationId = isInPath ? params?.['id'] : headers?.['x-organization-id'];
  return organizationHeader(organizationId);
}
