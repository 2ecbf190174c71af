import { Member, type Role } from '@atelier/contract';
import type { Transaction } from '../../../db/executor.ts';
import type { Deps } from '../../../deps.ts';
import { recordActivity } from '../../../domain/activity.ts';
import { deleteMember, isLedByAnother } from '../../../domain/memberships/queries.ts';
import { lockMemberChanges, lockMemberExclusively } from '../../../domain/authority/queries.ts';
import type { MemberContext } from '../../../kernel/context.ts';
import { Failure } from '../../../kernel/errors.ts';
import { assertUnchanged } from '../../../kernel/etag.ts';
import { rolesGrantedBy } from '../../../domain/open-invitations/grants.ts';
import { revokeOpenInvitations } from '../../../domain/open-invitations/queries.ts';
import { numberedWindowOf, paginationOf } from '../../../kernel/pagination.ts';
import { assertMayTouch } from '../../../kernel/permissions.ts';
import { presentPerson } from '../../../domain/person-view/present.ts';
import { lockOrganization } from '../../../domain/plan-limits/queries.ts';
import { mutate } from '../../../domain/transaction.ts';
import type { ObjectStore } from '../../../ports/object-store.ts';
import { abortOpenUploads } from '../../../domain/save-upload/save-upload.ts';
import { aboutMember } from '../about-member.ts';
import { assertMayHandle, leads, standingAfter, type WantedStanding } from './policy.ts';
import {
  findMember,
  memberQueries,
  updateMember,
  type MemberRow,
  type MemberSort,
} from './queries.ts';

interface MemberListRequest {
  readonly page?: number | undefined;
  readonly limit: number;
  readonly role?: MemberRow['role'] | undefined;
  readonly status?: MemberRow['status'] | undefined;
  readonly q?: string | undefined;
  readonly sort: MemberSort;
}

/** Manages the members of an organization and their roles. */
export function memberUseCases({ db, clock, store }: Deps) {
  const members = memberQueries(db);

  return {
    async list(request: MemberListRequest, ctx: MemberContext) {
      const { role = null, status = null, q = null } = request;
      const { rows, total } = await members.list(
        { organizationId: ctx.organization.id, role, status, nameOrEmailContains: q },
        request.sort,
        numberedWindowOf(request),
      );
      const items = await Promise.all(rows.map((row) => present(store, row)));
      return { items, pagination: paginationOf(request, total) };
    },

    /**
     * Changes the given fields. No-op when unchanged. Revokes the member's open invitations to roles
     * that the member may no longer grant.
     *
     * @param id - the membership's id
     * @throws Failure `not_found` (404), `permission_denied`, `confirmation_required` (403),
     *   `precondition_failed` (412), `personal_organization`, `last_owner` (409)
     */
    async update(id: string, wanted: WantedStanding, ctx: MemberContext): Promise<Member> {
      return mutate({ db, clock, ctx, lockFirst: oneAtATime(ctx) }, async (tx, ctx) => {
        const member = await lockForChange(tx, id, ctx);
        assertMayHandle(ctx, [member.role, wanted.role]);
        assertUnchanged(ctx, Member, await present(store, member));
        const { standing, changes } = standingAfter(member, wanted);
        if (changes.length === 0) return present(store, member);
        if (leads(member) && !leads(standing)) await assertAnotherLeads(tx, member, ctx);
        const changed = { ...member, ...standing };
        const now = clock.now();
        await updateMember(tx, { ...changed, organizationId: ctx.organization.id });
        const revoked = await revokeBeyond(tx, changed, { ctx, now });
        await recordActivity(tx, {
          ...aboutMember(member, ctx, now),
          action: 'member.update',
          changes,
          metadata: { userId: member.userId, ...namesOf(revoked) },
        });
        return present(store, changed);
      });
    },

    /**
     * Ends a membership; a caller's own is leaving. Revokes the member's open invitations and aborts their
     * uploads under way.
     *
     * @param id - the membership's id
     * @throws Failure `not_found` (404), `permission_denied`, `confirmation_required` (403),
     *   `precondition_failed` (412), `personal_organization`, `last_owner` (409)
     */
    async remove(id: string, ctx: MemberContext): Promise<{ id: string }> {
      return mutate({ db, clock, ctx, lockFirst: oneAtATime(ctx) }, async (tx, ctx) => {
        const member = await lockForChange(tx, id, ctx);
        assertMayHandle(ctx, [member.role]);
        assertUnchanged(ctx, Member, await present(store, member));
        if (leads(member)) await assertAnotherLeads(tx, member, ctx);
        const now = clock.now();
        const organizationId = ctx.organization.id;
        await deleteMember(tx, { organizationId, userId: member.userId });
        const revoked = await revokeBeyond(tx, { ...member, role: null }, { ctx, now });
        const abortedUploads = await abortOpenUploads(tx, {
          organizationId,
          userId: member.userId,
        });
        await recordActivity(tx, {
          ...aboutMember(member, ctx, now),
          action: 'member.remove',
          changes: [{ field: 'role', from: member.role, to: null }],
          metadata: {
            userId: member.userId,
            ...namesOf(revoked),
            ...(abortedUploads > 0 && { abortedUploads }),
          },
        });
        return { id };
      });
    },
  };
}

/** When two owners demote each other, the second is no longer an owner under the lock. */
function oneAtATime({ organization }: MemberContext) {
  return (tx: Transaction) => lockMemberChanges(tx, organization.id);
}

/**
 * Locks the organization for the rest of the transaction, waits for the changes that the member has under
 * way, and returns the current member.
 *
 * @throws Failure `not_found` (404), `permission_denied` (403), `personal_organization` (409)
 */
async function lockForChange(tx: Transaction, id: string, ctx: MemberContext): Promise<MemberRow> {
  const organizationId = ctx.organization.id;
  await lockMemberExclusively(tx, { organizationId, id });
  const organization = await lockOrganization(tx, organizationId);
  if (!organization) throw new Failure('not_found');
  if (organization.type === 'PERSONAL') throw new Failure('personal_organization');
  const member = await findMember(tx, { organizationId, id });
  if (!member) throw new Failure('not_found');
  assertMayTouch(ctx, 'params.memberId', { createdBy: member.userId });
  // Their keys end with them, so they have operations of their own, which no key may use.
  if (member.isService) {
    throw new Failure('permission_denied', { message: 'This member is a service account' });
  }
  return member;
}

/** Revokes invitations that a member may no longer grant. @param member - its role is null once ended */
function revokeBeyond(
  tx: Transaction,
  { userId, role, status }: Pick<MemberRow, 'userId' | 'status'> & { role: Role | null },
  { ctx, now }: { ctx: MemberContext; now: Date },
): Promise<string[]> {
  const mayGrant = rolesGrantedBy(status === 'ACTIVE' ? role : null);
  const organizationId = ctx.organization.id;
  return revokeOpenInvitations(tx, { organizationId, userId, mayGrant }, now);
}

/** Maximum number of invitations that an activity names. */
const maxNamed = 20;

/** The invitations that a member's change revoked, as recorded in its activity. */
function namesOf(revoked: readonly string[]) {
  if (revoked.length === 0) return {};
  return { revokedInvitations: revoked.length, revokedInvitationIds: revoked.slice(0, maxNamed) };
}

/** @throws Failure `last_owner` (409) for the only active owner */
async function assertAnotherLeads(
  tx: Transaction,
  { userId }: Pick<MemberRow, 'userId'>,
  ctx: MemberContext,
): Promise<void> {
  if (await isLedByAnother(tx, { organizationId: ctx.organization.id, userId })) return;
  throw new Failure('last_owner');
}

async function present(store: ObjectStore, row: MemberRow): Promise<Member> {
  return {
    id: row.id,
    userId: row.userId,
    user: await presentPerson(store, { ...row, id: row.userId }),
    role: row.role,
    status: row.status,
    joinedAt: row.joinedAt.toISOString(),
  };
}
