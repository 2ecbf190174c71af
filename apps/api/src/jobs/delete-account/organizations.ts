import { deletedPersonName } from '@atelier/contract';
import type { Transaction } from '../../db/executor.ts';
import { insertSubjects } from '../../domain/erased-text/queries.ts';
import { recordActivity } from '../../domain/activity.ts';
import {
  lockMemberChanges,
  lockMemberExclusively,
  lockOrganizationExclusively,
} from '../../domain/authority/queries.ts';
import { deleteMember, isOwnedByAnother } from '../../domain/memberships/queries.ts';
import { revokeOpenInvitations } from '../../domain/open-invitations/queries.ts';
import {
  deleteOrganization,
  emptyOrganization,
} from '../../domain/organization-deletion/queries.ts';
import { lockOrganization } from '../../domain/plan-limits/queries.ts';
import { abortOpenUploads } from '../../domain/save-upload/save-upload.ts';
import { purgeOrganization } from '../purge-bin/purge-bin.ts';
import type { DeletionDeps, Leaving } from './leaving.ts';
import { findPersonalOrganization, findTeamMemberships } from './queries.ts';

type Membership = Awaited<ReturnType<typeof findTeamMemberships>>[number];

/** Ends every membership in a team, each in its own transaction. What the person made there stays. */
export async function leaveTeams(deps: DeletionDeps, leaving: Leaving): Promise<void> {
  for (const membership of await findTeamMemberships(deps.db, leaving.userId)) {
    await deps.db.transaction((tx) => leaveTeam(tx, membership, { ...deps, ...leaving }));
  }
}

async function leaveTeam(
  tx: Transaction,
  { id, organizationId }: Membership,
  { clock, userId, requestId }: Pick<DeletionDeps, 'clock'> & Leaving,
): Promise<void> {
  await lockMemberChanges(tx, organizationId);
  await lockMemberExclusively(tx, { organizationId, id });
  await lockOrganization(tx, organizationId);
  const current = await findTeamMemberships(tx, userId);
  const membership = current.find((one) => one.id === id);
  if (!membership) return;
  const leads = membership.role === 'OWNER' && membership.status === 'ACTIVE';
  if (leads && !(await isOwnedByAnother(tx, { organizationId, userId }))) {
    // The request was refused for such teams, and its other owners may not go since.
    throw new Error(`a deletion waits, because ${organizationId} has no other owner`);
  }
  const now = clock.now();
  await insertSubjects(tx, [id], { userId, now });
  await deleteMember(tx, { organizationId, userId });
  // Expired ones too: a clock that was set back would open them again.
  await revokeOpenInvitations(tx, { organizationId, userId, mayGrant: [] }, new Date(0));
  await abortOpenUploads(tx, { organizationId, userId });
  await recordActivity(tx, {
    action: 'member.remove',
    // Not the person, whose name would be in messages about it.
    actorId: null,
    organizationId,
    resourceType: 'member',
    resourceId: id,
    resourceName: deletedPersonName,
    changes: [{ field: 'role', from: membership.role, to: null }],
    metadata: { userId },
    apiKeyId: null,
    requestId,
    at: now,
  });
}

/** In batches, as no session and no key of the account reads what is left of it; the end of the organization is one transaction. */
export async function deletePersonalOrganization(
  { db, clock, signal }: DeletionDeps,
  { userId, requestId }: Leaving,
): Promise<void> {
  const personal = await findPersonalOrganization(db, userId);
  if (!personal || personal.deletedAt !== null) return;
  const organizationId = personal.id;
  await emptyOrganization({ db, signal }, { organizationId, deletedAt: clock.now() });
  await db.transaction(async (tx) => {
    await lockMemberChanges(tx, organizationId);
    await lockOrganizationExclusively(tx, organizationId);
    if (!(await lockOrganization(tx, organizationId))) return;
    const deletedAt = clock.now();
    await abortOpenUploads(tx, { organizationId });
    await deleteOrganization(tx, { organizationId, deletedAt });
    await recordActivity(tx, {
      action: 'organization.delete',
      actorId: userId,
      organizationId,
      resourceType: 'organization',
      resourceId: organizationId,
      resourceName: personal.name,
      apiKeyId: null,
      requestId,
      at: deletedAt,
    });
  });
}

/** At once: the wait of the account was the time in the bin. */
export async function purgePersonalOrganization(
  deps: DeletionDeps,
  { userId }: Leaving,
): Promise<void> {
  const personal = await findPersonalOrganization(deps.db, userId);
  if (personal?.deletedAt) await purgeOrganization(deps, personal.id);
}
