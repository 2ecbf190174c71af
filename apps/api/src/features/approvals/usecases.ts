import {
  approvalLifetimeSeconds,
  maxWaitingApprovals,
  scopesToName,
  type Approval,
  type RequestApprovalBody,
  type ResourceType,
  type Scope,
} from '@atelier/contract';
import type { z } from 'zod';
import type { Transaction } from '../../db/executor.ts';
import type { Deps } from '../../deps.ts';
import { aboutResource, recordActivity } from '../../domain/activity.ts';
import type { ApprovalKey } from '../../domain/approvals/queries.ts';
import { displayNameOf } from '../../domain/person-view/present-user.ts';
import { lockOrganization } from '../../domain/plan-limits/queries.ts';
import { loadTools } from '../../domain/tools/declarations.ts';
import { mutate } from '../../domain/transaction.ts';
import { changesBetween } from '../../kernel/changes.ts';
import { apiKeyOf, scopesOf, type MemberContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { pageOf, rowWindowOf, type PageRequest } from '../../kernel/pagination.ts';
import { assertMayTouch, assertReaches, reachOf, scopeMissing } from '../../kernel/permissions.ts';
import { checkedCall, type CheckedCall } from './call.ts';
import {
  countWaiting,
  decideApproval,
  findApproval,
  findKeyOfCall,
  findOfCall,
  insertApproval,
  listApprovals,
  lockApproval,
  type ApprovalRow,
} from './queries.ts';
import { findRecord } from './records/queries.ts';

type Tools = Awaited<ReturnType<typeof loadTools>>;

type Named = Pick<ApprovalRow, 'records'> & { readonly title: string };

/** Comments and members: their texts and addresses don't stay in the history. */
const unnamed: ReadonlySet<ResourceType> = new Set(['comment', 'asset_comment', 'member']);

/** Such as “Delete a task: Write the imprint”. */
const aboutApproval = aboutResource('approval', ({ title, records }: Named) => {
  const named = records.filter(({ resourceType }) => !unnamed.has(resourceType));
  const names = named.map(({ name }) => name).join(', ');
  return names === '' ? title : `${title}: ${names}`;
});

/** Asks people to decide on calls of assistants, and keeps their decisions. */
export function approvalUseCases({ db, clock, cursors }: Deps) {
  const expiry = (now: Date) => new Date(now.getTime() + approvalLifetimeSeconds * 1000);

  /**
   * Finds what a call names, as far as the key may make the call: others learn no names.
   *
   * @throws Failure `scope_missing` or `permission_denied` (403), as the call would;
   *   `not_found` (404) for an id that isn't in the organization
   */
  async function recordsOf(tx: Transaction, call: CheckedCall, ctx: MemberContext) {
    const { user, role, organization } = ctx;
    assertHasScope(ctx, call.tool.scope);
    if (reachOf(role, call.permission) === 'none') throw new Failure('permission_denied');
    return Promise.all(
      call.named.map(async ({ permission, ...named }) => {
        const found = await findRecord(tx, { organizationId: organization.id, ...named });
        if (found === null) throw new Failure('not_found');
        for (const scope of scopesToName(named.resourceType, permission))
          assertHasScope(ctx, scope);
        // The comment of a guest, and the organization itself, are of no member: the role alone decides.
        const record = { createdBy: found.createdBy ?? user.id };
        assertReaches({ role, userId: user.id }, permission, record);
        return { ...named, name: found.name };
      }),
    );
  }

  async function presented(tx: Transaction, key: ApprovalKey, tools: Tools): Promise<Approval> {
    const row = await findApproval(tx, key);
    if (!row) throw new Error('an approval disappeared under its lock');
    return present(row, tools, clock.now());
  }

  return {
    async list(request: PageRequest, ctx: MemberContext) {
      const organizationId = ctx.organization.id;
      const isOfAll = reachOf(ctx.role, 'approval:decide') === 'any';
      const filter = { organizationId, createdBy: isOfAll ? null : ctx.user.id };
      const continued = { list: 'approvals', cursors, countedFor: filter };
      const found = await listApprovals(db, filter, rowWindowOf(request, continued));
      const now = clock.now();
      const tools = await loadTools();
      return pageOf(found, request, {
        ...continued,
        present: (row: ApprovalRow) => present(row, tools, now),
        positionOf: ({ createdAt, id }) => ({ sortValue: createdAt.toISOString(), id }),
      });
    },

    /**
     * Asks for the approval of a call. A call that waits, is approved or was refused is not asked for again.
     *
     * @throws Failure `not_found` (404) for a session, an unknown tool, or a record that isn't in the organization;
     *   `scope_missing` or `permission_denied` (403) for a call that the key can't make; `validation_failed` (400);
     *   `too_many_approvals` (409)
     */
    async request(
      body: z.output<typeof RequestApprovalBody>,
      ctx: MemberContext,
    ): Promise<Approval> {
      const apiKeyId = apiKeyOf(ctx);
      if (apiKeyId === null) throw new Failure('not_found');
      const tools = await loadTools();
      const call = checkedCall(tools, body);
      const organizationId = ctx.organization.id;
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const now = clock.now();
        // Of two equal calls at once, one asks.
        await lockOrganization(tx, organizationId);
        const ofKey = { organizationId, apiKeyId, now };
        const known = await findOfCall(tx, { ...ofKey, call });
        if (known) return present(known, tools, now);
        const key = await findKeyOfCall(tx, apiKeyId);
        if (!key) throw new Failure('unauthenticated');
        const records = await recordsOf(tx, call, ctx);
        if ((await countWaiting(tx, ofKey)) >= maxWaitingApprovals) {
          throw new Failure('too_many_approvals');
        }
        const id = newId();
        await insertApproval(tx, {
          organizationId,
          id,
          apiKeyId,
          ...key,
          createdBy: ctx.user.id,
          tool: call.tool.name,
          arguments: call.arguments,
          callHash: call.hash,
          records,
          status: 'WAITING',
          createdAt: now,
          expiresAt: expiry(now),
        });
        await recordActivity(tx, {
          ...aboutApproval({ id, title: call.tool.title, records }, ctx, now),
          action: 'approval.request',
          metadata: { tool: call.tool.name, requestedBy: ctx.user.id },
        });
        return presented(tx, { organizationId, id }, tools);
      });
    },

    /** @throws Failure `not_found` (404), `permission_denied` (403) for that of another member */
    async get(id: string, ctx: MemberContext): Promise<Approval> {
      const row = await findApproval(db, { organizationId: ctx.organization.id, id });
      if (!row) throw new Failure('not_found');
      assertReaches({ role: ctx.role, userId: ctx.user.id }, 'approval:decide', row);
      return present(row, await loadTools(), clock.now());
    },

    /**
     * Decides on a call. No-op when it was decided so.
     *
     * @throws Failure `not_found` (404), `permission_denied` (403), `approval_ended` (409)
     */
    async decide(
      id: string,
      status: 'APPROVED' | 'REFUSED',
      ctx: MemberContext,
    ): Promise<Approval> {
      const key = { organizationId: ctx.organization.id, id };
      const tools = await loadTools();
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const now = clock.now();
        const current = await lockApproval(tx, key);
        if (!current) throw new Failure('not_found');
        assertMayTouch(ctx, 'params.id', current);
        const before = statusAt(current, now);
        if (before === status) return present(current, tools, now);
        // An approval can be taken back; a refusal is final.
        const isOpen = before === 'WAITING' || (before === 'APPROVED' && status === 'REFUSED');
        if (!isOpen) throw new Failure('approval_ended');
        const decision = { decidedBy: ctx.user.id, decidedAt: now, expiresAt: expiry(now) };
        await decideApproval(tx, key, { status, ...decision });
        const { title } = present(current, tools, now);
        await recordActivity(tx, {
          ...aboutApproval({ ...current, title }, ctx, now),
          action: status === 'APPROVED' ? 'approval.approve' : 'approval.refuse',
          changes: changesBetween({ status: before }, { status }),
          metadata: {
            tool: current.tool,
            requestedBy: current.requestedBy.id,
            requestedWith: current.apiKey.id,
          },
        });
        return presented(tx, key, tools);
      });
    },
  };
}

function present(row: ApprovalRow, tools: Tools, now: Date): Approval {
  const { createdBy: _, requestedBy, decidedBy, decidedAt, createdAt, expiresAt, ...rest } = row;
  return {
    ...rest,
    // A later release may not have the tool any more.
    title: tools.get(row.tool)?.title ?? row.tool,
    status: statusAt(row, now),
    requestedBy: { id: requestedBy.id, displayName: displayNameOf(requestedBy) },
    decidedBy: decidedBy && { id: decidedBy.id, displayName: displayNameOf(decidedBy) },
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    decidedAt: decidedAt?.toISOString() ?? null,
  };
}

function statusAt({ status, expiresAt }: ApprovalRow, now: Date): Approval['status'] {
  const isOpen = status === 'WAITING' || status === 'APPROVED';
  return isOpen && expiresAt <= now ? 'EXPIRED' : status;
}

/** @throws Failure `scope_missing` (403) */
function assertHasScope({ credential }: MemberContext, scope: string): void {
  const own: readonly string[] = scopesOf(credential) ?? [];
  // The contract has no other scopes.
  if (!own.includes(scope)) throw scopeMissing(scope as Scope);
}
