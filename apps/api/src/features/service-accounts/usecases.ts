import {
  maxServiceAccounts,
  ServiceAccount,
  serviceAddressSuffix,
  type CreateServiceAccountBody,
  type UpdateServiceAccountBody,
} from '@atelier/contract';
import type { z } from 'zod';
import type { Transaction } from '../../db/executor.ts';
import type { Deps } from '../../deps.ts';
import { recordActivity } from '../../domain/activity.ts';
import { deleteMember } from '../../domain/memberships/queries.ts';
import { rolesGrantedBy } from '../../domain/open-invitations/grants.ts';
import { revokeOpenInvitations } from '../../domain/open-invitations/queries.ts';
import { displayNameOf } from '../../domain/person-view/present-user.ts';
import { lockOrganization } from '../../domain/plan-limits/queries.ts';
import { abortOpenUploads } from '../../domain/save-upload/save-upload.ts';
import { endServiceAccount } from '../../domain/service-accounts/queries.ts';
import { mutate } from '../../domain/transaction.ts';
import { changesBetween } from '../../kernel/changes.ts';
import type { MemberContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { assertUnchanged } from '../../kernel/etag.ts';
import { newId } from '../../kernel/ids.ts';
import { numberedWindowOf, paginationOf, type PageRequest } from '../../kernel/pagination.ts';
import { assertMayUse } from '../../kernel/permissions.ts';
import { aboutAccount, accountLock, findOwnAccount, presentAccount } from './own-account.ts';
import {
  countServiceAccounts,
  insertServiceAccount,
  listServiceAccounts,
  updateServiceAccount,
} from './queries.ts';

/** Manages the service accounts of an organization. */
export function serviceAccountUseCases({ db, clock }: Deps) {
  return {
    async list(request: PageRequest, ctx: MemberContext) {
      const { rows, total } = await listServiceAccounts(
        db,
        { organizationId: ctx.organization.id, now: clock.now() },
        numberedWindowOf(request),
      );
      return { items: rows.map(presentAccount), pagination: paginationOf(request, total) };
    },

    /**
     * Creates an account that signs in with its keys only.
     *
     * @throws Failure `permission_denied` (403) for a role above the caller's own; `personal_organization`,
     *   `too_many_service_accounts` (409)
     */
    async create(
      { name, role }: z.output<typeof CreateServiceAccountBody>,
      ctx: MemberContext,
    ): Promise<ServiceAccount> {
      const organizationId = ctx.organization.id;
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        await lockTeam(tx, ctx);
        assertMayGrant(ctx, role);
        if ((await countServiceAccounts(tx, organizationId)) >= maxServiceAccounts) {
          throw new Failure('too_many_service_accounts');
        }
        const now = clock.now();
        const id = newId();
        await insertServiceAccount(tx, {
          organizationId,
          id,
          membershipId: newId(),
          email: `${id}${serviceAddressSuffix}`,
          name,
          role,
          createdBy: ctx.user.id,
          now,
        });
        await recordActivity(tx, {
          ...aboutAccount({ id, name }, ctx, now),
          action: 'service_account.create',
          changes: changesBetween({ name: null, role: null }, { name, role }),
        });
        return {
          id,
          name,
          role,
          createdBy: { id: ctx.user.id, displayName: displayNameOf(ctx.user) },
          keyCount: 0,
          lastUsedAt: null,
          createdAt: now.toISOString(),
          updatedAt: now.toISOString(),
        };
      });
    },

    /**
     * Renames an account, or changes its role. No-op when unchanged. Revokes its open invitations to roles that it may no
     * longer grant.
     *
     * @throws Failure `not_found` (404), `permission_denied` (403), `precondition_failed` (412)
     */
    async update(
      id: string,
      wanted: z.output<typeof UpdateServiceAccountBody>,
      ctx: MemberContext,
    ): Promise<ServiceAccount> {
      const organizationId = ctx.organization.id;
      const now = clock.now();
      const lockFirst = accountLock(id, { ctx, now });
      return mutate({ db, clock, ctx, lockFirst }, async (tx, ctx) => {
        const current = await lockForChange(tx, id, { ctx, now });
        const after = { name: wanted.name ?? current.name, role: wanted.role ?? current.role };
        const changes = changesBetween(current, after);
        if (changes.length === 0) return current;
        assertMayGrant(ctx, after.role);
        await updateServiceAccount(tx, { organizationId, id }, { ...after, now });
        const mayGrant = rolesGrantedBy(after.role);
        const revoked = await revokeOpenInvitations(
          tx,
          { organizationId, userId: id, mayGrant },
          now,
        );
        await recordActivity(tx, {
          ...aboutAccount({ id, name: after.name }, ctx, now),
          action: 'service_account.update',
          changes,
          ...(revoked.length > 0 && { metadata: { revokedInvitations: revoked.length } }),
        });
        return { ...current, ...after, updatedAt: now.toISOString() };
      });
    },

    /**
     * Deletes an account: ends its keys, its uploads under way and its open invitations. What it made stays.
     *
     * @throws Failure `not_found` (404), `precondition_failed` (412)
     */
    async remove(id: string, ctx: MemberContext): Promise<{ id: string }> {
      const organizationId = ctx.organization.id;
      const now = clock.now();
      const lockFirst = accountLock(id, { ctx, now });
      return mutate({ db, clock, ctx, lockFirst }, async (tx, ctx) => {
        const current = await lockForChange(tx, id, { ctx, now });
        await deleteMember(tx, { organizationId, userId: id });
        await endServiceAccount(tx, id, now);
        await revokeOpenInvitations(tx, { organizationId, userId: id, mayGrant: [] }, now);
        const abortedUploads = await abortOpenUploads(tx, { organizationId, userId: id });
        await recordActivity(tx, {
          ...aboutAccount(current, ctx, now),
          action: 'service_account.delete',
          metadata: {
            revokedKeys: current.keyCount,
            ...(abortedUploads > 0 && { abortedUploads }),
          },
        });
        return { id };
      });
    },
  };
}

/**
 * Locks the organization, which serializes what counts its accounts.
 *
 * @throws Failure `not_found` (404), `personal_organization` (409)
 */
async function lockTeam(tx: Transaction, ctx: MemberContext): Promise<void> {
  const organization = await lockOrganization(tx, ctx.organization.id);
  if (!organization) throw new Failure('not_found');
  if (organization.type === 'PERSONAL') throw new Failure('personal_organization');
}

/** @throws Failure `not_found` (404), `precondition_failed` (412) */
async function lockForChange(
  tx: Transaction,
  id: string,
  { ctx, now }: { ctx: MemberContext; now: Date },
): Promise<ServiceAccount> {
  await lockOrganization(tx, ctx.organization.id);
  const current = presentAccount(await findOwnAccount(tx, id, { ctx, now }));
  assertMayUse(ctx, 'params.accountId');
  assertUnchanged(ctx, ServiceAccount, current);
  return current;
}

/** @throws Failure `permission_denied` (403) for a role that the caller may offer to no member either */
function assertMayGrant({ role: held }: MemberContext, role: ServiceAccount['role']): void {
  if (!rolesGrantedBy(held).includes(role)) throw new Failure('permission_denied');
}
