import {
  Organization,
  secondFactorGraceDays,
  type UpdateOrganizationBody,
} from '@atelier/contract';
import type { z } from 'zod';
import type { Transaction } from '../../db/executor.ts';
import type { Deps } from '../../deps.ts';
import { aboutOrganization, recordActivity } from '../../domain/activity.ts';
import { changesBetween } from '../../kernel/changes.ts';
import {
  lockAccountRow,
  lockMemberChanges,
  lockOrganizationExclusively,
} from '../../domain/authority/queries.ts';
import { apiKeyOf, type MemberContext, type UserContext } from '../../kernel/context.ts';
import { dayMs } from '../../kernel/durations.ts';
import { Failure } from '../../kernel/errors.ts';
import { assertUnchanged } from '../../kernel/etag.ts';
import { newId } from '../../kernel/ids.ts';
import { insertOrganization, type NewOrganization } from '../../domain/new-organization/queries.ts';
import { numberedWindowOf, paginationOf } from '../../kernel/pagination.ts';
import { assertWithinPlan } from '../../domain/plan-limits/assert.ts';
import { findPlanLimits, lockOrganization } from '../../domain/plan-limits/queries.ts';
import { findHasSecondFactor } from '../../domain/second-factor/queries.ts';
import { enqueueSecurityNoticeOf } from '../../domain/security-notices.ts';
import { endServiceAccountsOf } from '../../domain/service-accounts/queries.ts';
import { mutate } from '../../domain/transaction.ts';
import { abortOpenUploads } from '../../domain/save-upload/save-upload.ts';
import { deleteOrganization } from '../../domain/organization-deletion/queries.ts';
import { assertMayDelete } from './policy.ts';
import {
  countTeamsOf,
  enqueueEnrollmentNotices,
  findOrganization,
  organizationQueries,
  updateOrganization,
  updateSecondFactorRequirement,
  type OrganizationRow,
  type OrganizationSort,
} from './queries.ts';

interface OrganizationListRequest {
  readonly page?: number | undefined;
  readonly limit: number;
  readonly type?: 'PERSONAL' | 'TEAM' | undefined;
  readonly q?: string | undefined;
  readonly sort: OrganizationSort;
}

type Changes = z.output<typeof UpdateOrganizationBody>;

/** Manages organizations for their members. */
export function organizationUseCases({ db, clock }: Deps) {
  const organizations = organizationQueries(db);

  return {
    /**
     * Creates a team with the caller as its only member.
     *
     * @throws Failure `plan_limit_reached` (409) when the caller has created as many as the plan allows
     */
    async create(name: string, ctx: UserContext): Promise<Organization> {
      const now = clock.now();
      const team = { id: newId(), name, type: 'TEAM', ownerId: ctx.user.id, now } as const;
      // Loads its tables of letters with the first team, before the transaction begins.
      const { slugsFor } = await import('../../domain/new-organization/slug.ts');
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        await lockAccountRow(tx, team.ownerId);
        const { slug, planCode } = await insertWithFreeSlug(tx, team, slugsFor(name));
        const limits = await findPlanLimits(tx, team.id);
        const teams = await countTeamsOf(tx, { ...team, planCode });
        assertWithinPlan(limits, 'teamsPerAccount', teams);
        await recordActivity(tx, {
          ...aboutOrganization(team, { ...ctx, organization: team }, now),
          action: 'organization.create',
          changes: [{ field: 'name', from: null, to: name }],
        });
        const times = { createdAt: now, updatedAt: now };
        return present({
          ...team,
          ...times,
          slug,
          planCode,
          memberCount: 1,
          myRole: 'OWNER',
          publicLinks: 'OFF_FOR_NEW',
          mailContent: 'TITLES',
          secondFactorRequiredFrom: null,
        });
      });
    },

    /** Lists the caller's organizations that the credential reaches, except those where the caller is suspended. */
    async list(request: OrganizationListRequest, ctx: UserContext) {
      const { type = null, q = null } = request;
      const { rows, total } = await organizations.list(
        { viewerId: ctx.user.id, type, nameContains: q, apiKeyId: apiKeyOf(ctx), now: clock.now() },
        request.sort,
        numberedWindowOf(request),
      );
      return { items: rows.map(present), pagination: paginationOf(request, total) };
    },

    /** @throws Failure `not_found` (404) */
    async get(ctx: MemberContext): Promise<Organization> {
      const row = await organizations.find({ id: ctx.organization.id, viewerId: ctx.user.id });
      if (!row) throw new Failure('not_found');
      return present(row);
    },

    /**
     * Renames, or changes whether new assets start with a public link, or what mails disclose. No-op when
     * unchanged. The slug stays: addresses contain it.
     *
     * @throws Failure `not_found` (404), `permission_denied` (403), `precondition_failed` (412),
     *   `personal_organization` (409) for the settings of one
     */
    async update(
      { name, publicLinks, mailContent }: Changes,
      ctx: MemberContext,
    ): Promise<Organization> {
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const current = await lockForChange(tx, ctx);
        const wanted = {
          name: name ?? current.name,
          publicLinks: publicLinks ?? current.publicLinks,
          mailContent: mailContent ?? current.mailContent,
        };
        const changes = changesBetween(current, wanted);
        if (changes.length === 0) return present(current);
        const updated = { ...current, ...wanted, updatedAt: clock.now() };
        const isOther = updated.publicLinks !== current.publicLinks;
        const isSetting = isOther || updated.mailContent !== current.mailContent;
        if (isSetting && current.type === 'PERSONAL') throw new Failure('personal_organization');
        await updateOrganization(tx, {
          id: updated.id,
          name: updated.name,
          mailContent: updated.mailContent,
          updatedAt: updated.updatedAt,
          ...(isOther && { publicLinks: updated.publicLinks }),
        });
        await recordActivity(tx, {
          ...aboutOrganization(updated, ctx, updated.updatedAt),
          action: updated.name === current.name ? 'organization.update' : 'organization.rename',
          changes,
        });
        return present(updated);
      });
    },

    /**
     * Decides whether members need a second factor. No-op when unchanged: the wait of the members doesn't begin anew.
     *
     * @throws Failure `second_factor_enrollment_required` (403) for an owner without one, `not_found` (404),
     *   `precondition_failed` (412), `personal_organization` (409)
     */
    async updateSecurityPolicy(isRequired: boolean, ctx: MemberContext): Promise<Organization> {
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const current = await lockForChange(tx, ctx);
        if (current.type === 'PERSONAL') throw new Failure('personal_organization');
        const wasRequired = current.secondFactorRequiredFrom !== null;
        if (isRequired === wasRequired) return present(current);
        if (isRequired && !(await findHasSecondFactor(tx, ctx.user.id))) {
          throw new Failure('second_factor_enrollment_required');
        }
        const now = clock.now();
        const from = isRequired ? new Date(now.getTime() + secondFactorGraceDays * dayMs) : null;
        await updateSecondFactorRequirement(tx, { id: current.id, from, now });
        if (isRequired) await enqueueEnrollmentNotices(tx, current.id, now);
        const notice = { userId: ctx.user.id, about: 'SECOND_FACTOR_POLICY_CHANGED' } as const;
        await enqueueSecurityNoticeOf(tx, current.id, { notice, ctx });
        await recordActivity(tx, {
          ...aboutOrganization(current, ctx, now),
          action: 'organization.change_security_policy',
          changes: changesBetween(
            { requireSecondFactor: wasRequired },
            { requireSecondFactor: isRequired },
          ),
        });
        return present({ ...current, secondFactorRequiredFrom: from, updatedAt: now });
      });
    },

    /**
     * Deletes a team: its members lose access at once, its files go into the bin, its projects are deleted.
     *
     * @param confirmedName - its exact name, typed again
     * @throws Failure `not_found` (404), `permission_denied` (403), `precondition_failed` (412),
     *   `personal_organization` (409), `confirmation_mismatch` (400)
     */
    async remove(confirmedName: string, ctx: MemberContext): Promise<{ id: string }> {
      const lockFirst = (tx: Transaction) => lockMemberChanges(tx, ctx.organization.id);
      return mutate({ db, clock, ctx, lockFirst }, async (tx, ctx) => {
        await lockOrganizationExclusively(tx, ctx.organization.id);
        const current = await lockForChange(tx, ctx);
        assertMayDelete(current, confirmedName);
        const deletedAt = clock.now();
        await abortOpenUploads(tx, { organizationId: current.id });
        await endServiceAccountsOf(tx, current.id, deletedAt);
        await deleteOrganization(tx, { organizationId: current.id, deletedAt });
        await recordActivity(tx, {
          ...aboutOrganization(current, ctx, deletedAt),
          action: 'organization.delete',
          metadata: { memberCount: current.memberCount },
        });
        return { id: current.id };
      });
    },
  };
}

/**
 * Locks an organization for the rest of the transaction and returns its current state.
 *
 * @throws Failure `not_found` (404), `precondition_failed` (412)
 */
async function lockForChange(tx: Transaction, ctx: MemberContext): Promise<OrganizationRow> {
  const { id } = ctx.organization;
  const locked = await lockOrganization(tx, id);
  const current = locked && (await findOrganization(tx, { id, viewerId: ctx.user.id }));
  if (!current) throw new Failure('not_found');
  assertUnchanged(ctx, Organization, present(current));
  return current;
}

async function insertWithFreeSlug(
  tx: Transaction,
  organization: Omit<NewOrganization, 'slug'>,
  slugs: Iterable<string>,
) {
  for (const slug of slugs) {
    const created = await insertOrganization(tx, { ...organization, slug });
    if (created) return { slug, ...created };
  }
  throw new Error('unreachable: slugs have no end');
}

function present(row: OrganizationRow): Organization {
  return {
    ...row,
    secondFactorRequiredFrom: row.secondFactorRequiredFrom?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
