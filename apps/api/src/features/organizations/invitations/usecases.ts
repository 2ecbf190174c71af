import {
  invitationLifetimeSeconds,
  type Invitation,
  type InvitationPreview,
  type InvitationStatus,
  type Role,
} from '@atelier/contract';
import type { z } from 'zod';
import type { Transaction } from '../../../db/executor.ts';
import type { Deps } from '../../../deps.ts';
import { enqueueJobOf } from '../../../domain/job-queue.ts';
import { aboutResource, recordActivity } from '../../../domain/activity.ts';
import type { MemberContext, UserContext } from '../../../kernel/context.ts';
import { Failure } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { numberedWindowOf, paginationOf } from '../../../kernel/pagination.ts';
import { assertMayUse } from '../../../kernel/permissions.ts';
import { forgetKeysOf } from '../../../domain/memberships/queries.ts';
import { assertWithinPlan } from '../../../domain/plan-limits/assert.ts';
import { lockOrganization } from '../../../domain/plan-limits/queries.ts';
import { displayNameOf } from '../../../domain/person-view/present-user.ts';
import { hashSecretToken } from '../../../kernel/secret-tokens.ts';
import { mutate } from '../../../domain/transaction.ts';
import { aboutMember } from '../about-member.ts';
import { invitationMailLimits, type MayMail } from './mail-limits.ts';
import {
  assertAddressee,
  assertMayGrant,
  assertOpen,
  isTokenShaped,
  maskedEmail,
} from './policy.ts';
import {
  closeInvitation,
  countMembers,
  countOpenInvitationsOfOthers,
  findInvitation,
  findInvitationByToken,
  findPendingInvitation,
  insertInvitation,
  insertMembership,
  invitationQueries,
  isMember,
  renewInvitation,
  replaceLinks,
  type InvitationRow,
} from './queries.ts';

interface InvitationListRequest {
  readonly page?: number | undefined;
  readonly limit: number;
  readonly status?: z.infer<typeof InvitationStatus> | undefined;
  readonly q?: string | undefined;
}

const aboutInvitation = aboutResource(
  'invitation',
  ({ email }: { readonly email: string }) => email,
);

/**
 * Manages invitations. Every change locks the organization first, so that invitations are
 * accepted, revoked and renewed one request at a time, and members are counted exactly.
 *
 * @see docs/decisions/0020-invitations.md
 */
export function invitationUseCases(deps: Deps) {
  const { db, clock } = deps;
  const invitations = invitationQueries(db);
  const mailLimits = invitationMailLimits(deps);

  /** @throws Failure `not_found` (404), `invitation_gone` (410) */
  async function findOpen(token: string) {
    const found = isTokenShaped(token)
      ? await invitations.findByToken(hashSecretToken(token), clock.now())
      : null;
    if (!found) throw new Failure('not_found');
    assertOpen(found);
    return found;
  }

  return {
    /**
     * Invites a person by mail. An open invitation to the same address is renewed: with this
     * role, for another seven days, with another link. If no mail is sent, its current link stays valid.
     *
     * @throws Failure `permission_denied` (403) for a role above one's own, `confirmation_required` (403) for an owner,
     *   `personal_organization`, `already_member` or `plan_limit_reached` (409), `not_found` (404) when the organization was deleted
     */
    async invite({ email, role }: { email: string; role: Role }, ctx: MemberContext) {
      if (ctx.organization.type === 'PERSONAL') throw new Failure('personal_organization');
      const organizationId = ctx.organization.id;

      const offerAnew = (mayMail: MayMail) =>
        mutate({ db, clock, ctx }, async (tx, ctx): Promise<Invitation> => {
          assertMayGrant(ctx, role);
          const organization = await lockOrganization(tx, organizationId);
          if (!organization) throw new Failure('not_found');
          const now = clock.now();
          const addressee = { organizationId, email };
          if (await isMember(tx, addressee)) throw new Failure('already_member');
          const members = await countMembers(tx, organizationId);
          const invited = await countOpenInvitationsOfOthers(tx, addressee, now);
          assertWithinPlan(organization.limits, 'members', members + invited + 1);

          const earlier = await findPendingInvitation(tx, addressee);
          const expiresAt = new Date(now.getTime() + invitationLifetimeSeconds * 1000);
          const id = earlier?.id ?? newId();
          const offer = { id, ...addressee, role, invitedBy: ctx.user.id, expiresAt, now };
          await (earlier ? renewInvitation(tx, offer) : insertInvitation(tx, offer));
          if (mayMail(earlier?.mailRequestedAt ?? null)) await mail(tx, offer);
          await recordActivity(tx, {
            ...aboutInvitation(offer, ctx, now),
            action: 'invitation.create',
            changes: [{ field: 'role', from: earlier?.role ?? null, to: role }],
          });
          return present({
            ...offer,
            status: 'PENDING',
            organizationName: organization.name,
            invitedBy: ctx.user,
          });
        });
      return mailLimits.counted(email, offerAnew);
    },

    async list({ status, q, ...page }: InvitationListRequest, ctx: MemberContext) {
      const { rows, total } = await invitations.list(
        { organizationId: ctx.organization.id, status, emailContains: q },
        { ...numberedWindowOf(page), now: clock.now() },
      );
      return { items: rows.map(present), pagination: paginationOf(page, total) };
    },

    /**
     * Revokes an invitation. No-op when it is already revoked.
     *
     * @throws Failure `not_found` (404), `invitation_gone` (410) when it was accepted or has expired
     */
    async revoke(id: string, ctx: MemberContext): Promise<{ id: string }> {
      const key = { organizationId: ctx.organization.id, id };
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const organization = await lockOrganization(tx, key.organizationId);
        const now = clock.now();
        const current = await findInvitation(tx, key, now);
        if (!organization || !current) throw new Failure('not_found');
        assertMayUse(ctx, 'params.invitationId');
        if (current.status === 'REVOKED') return { id };
        if (current.status !== 'PENDING') throw new Failure('invitation_gone');
        await closeInvitation(tx, key, { status: 'REVOKED' });
        await recordActivity(tx, {
          ...aboutInvitation(current, ctx, now),
          action: 'invitation.revoke',
          changes: [{ field: 'status', from: 'PENDING', to: 'REVOKED' }],
        });
        return { id };
      });
    },

    /**
     * Shows an invitation to anyone with its link.
     *
     * @throws Failure `not_found` (404), `invitation_gone` (410)
     */
    async preview(token: string): Promise<InvitationPreview> {
      const found = await findOpen(token);
      return { ...present(found), email: maskedEmail(found.email) };
    },

    /**
     * Makes the caller a member.
     *
     * @throws Failure `not_found` (404), `invitation_gone` (410), `invitation_email_mismatch` (403),
     *   `already_member` or `plan_limit_reached` (409)
     */
    async accept(token: string, ctx: UserContext): Promise<Invitation> {
      // A refusal here needs no lock; the state may change until the lock is taken.
      const { organizationId } = await findOpen(token);
      return mutate({ db, clock, ctx }, async (tx, ctx) => {
        const organization = await lockOrganization(tx, organizationId);
        const now = clock.now();
        const offer = await findInvitationByToken(tx, hashSecretToken(token), now);
        if (!organization || !offer) throw new Failure('invitation_gone');
        assertOpen(offer);
        assertAddressee(offer, ctx.user.email);
        if (await isMember(tx, offer)) throw new Failure('already_member');
        const members = await countMembers(tx, organizationId);
        assertWithinPlan(organization.limits, 'members', members + 1);

        await closeInvitation(tx, offer, { status: 'ACCEPTED', accountId: ctx.user.id });
        await join(tx, offer, { ctx, now });
        return present({ ...offer, status: 'ACCEPTED' });
      });
    },
  };
}

/** Enqueues the mail of a new link once, however often the invitation is renewed before it is sent. */
async function mail(
  tx: Transaction,
  { organizationId, id, now }: { organizationId: string; id: string; now: Date },
): Promise<void> {
  await replaceLinks(tx, { organizationId, id }, now);
  await enqueueJobOf(tx, organizationId, {
    name: 'send_invitation',
    payload: { organizationId, invitationId: id },
    key: `invitation:${id}`,
  });
}

async function join(
  tx: Transaction,
  offer: { id: string; organizationId: string; role: Role },
  { ctx, now }: { ctx: UserContext; now: Date },
): Promise<void> {
  const { organizationId, role } = offer;
  const id = newId();
  const member = { organizationId, userId: ctx.user.id };
  // Earlier releases left them to those who had been members.
  await forgetKeysOf(tx, member);
  await insertMembership(tx, { ...member, id, role, joinedAt: now });
  await recordActivity(tx, {
    ...aboutMember({ ...ctx.user, id }, { ...ctx, organization: { id: organizationId } }, now),
    action: 'member.join',
    changes: [{ field: 'role', from: null, to: role }],
    metadata: { invitationId: offer.id },
  });
}

function present(row: Omit<InvitationRow, 'organizationDeletedAt'>): Invitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    status: row.status,
    expiresAt: row.expiresAt.toISOString(),
    invitedBy: { id: row.invitedBy.id, displayName: displayNameOf(row.invitedBy) },
    organization: { id: row.organizationId, name: row.organizationName },
  };
}
