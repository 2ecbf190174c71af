import type { Role } from '@atelier/contract';
import { MockFailure } from '../failure.ts';
import { expectConfirmedSession, reachOf } from '../state/access.ts';
import { activityOn } from '../state/activities.ts';
import { exclude } from '../state/keys.ts';
import type { Call, Feature } from '../state/model.ts';
import { textOf, type Fields, type Stored } from '../state/store.ts';
import { statusOf } from './invitations.ts';
import { allIn, isService } from './teams.ts';
import { abortOpenUploads } from './uploads.ts';

/** Maximum number of invitations that an activity names. */
const maxNamed = 20;

/** @throws MockFailure if an organization would be left without an active owner */
function expectOtherOwner({ state }: Call, member: Stored): void {
  const owners = allIn(state, 'member', member.organizationId).filter(isActiveOwner);
  if (owners.every(({ id }) => id === member.id)) throw new MockFailure('last_owner');
}

export function isActiveOwner({ fields }: Pick<Stored, 'fields'>): boolean {
  return fields['role'] === 'OWNER' && fields['status'] === 'ACTIVE';
}

function expectTeam({ organization }: Call): void {
  if (organization?.fields['type'] === 'PERSONAL') throw new MockFailure('personal_organization');
}

/** Service accounts have operations of their own. */
function expectPerson(member: Stored): void {
  if (isService(member)) throw new MockFailure('permission_denied');
}

function expectOwnerRights(call: Call, values: readonly unknown[]): void {
  if (!values.includes('OWNER')) return;
  if (reachOf('member:grant-owner', call.role) !== 'any')
    throw new MockFailure('permission_denied');
  expectConfirmedSession(call);
}

function check(call: Call, values: Fields, member: Stored | null): void {
  if (!member) return;
  expectTeam(call);
  expectPerson(member);
  expectOwnerRights(call, [values['role'], member.fields['role']]);
  const after = { fields: { ...member.fields, ...defined(values) } };
  if (isActiveOwner(member) && !isActiveOwner(after)) expectOtherOwner(call, member);
}

function defined(values: Fields): Fields {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** Revokes open invitations of a member to roles that they may no longer grant. @returns their ids */
function revokeInvitations({ state }: Call, member: Stored, role: Role | null): string[] {
  const revoked = allIn(state, 'invitation', member.organizationId).filter((invitation) => {
    const isOpen = statusOf(state, invitation) === 'PENDING';
    if (invitation.ownerId !== member.ownerId || !isOpen) return false;
    const mayOffer =
      reachOf('invitation:manage', role) === 'any' &&
      (invitation.fields['role'] !== 'OWNER' || reachOf('member:grant-owner', role) === 'any');
    return !mayOffer;
  });
  for (const { fields } of revoked) fields['status'] = 'REVOKED';
  return revoked.map(({ id }) => id);
}

/** Ends what a member who is removed has open. */
function endOpenWork(call: Call, member: Stored): void {
  const { state } = call;
  const { userId, role } = member.fields;
  const revoked = revokeInvitations(call, member, null);
  const { organizationId } = member;
  const abortedUploads = abortOpenUploads(state, { organizationId, userId });
  const metadata = {
    userId,
    ...(revoked.length > 0 && {
      revokedInvitations: revoked.length,
      revokedInvitationIds: revoked.slice(0, maxNamed),
    }),
    ...(abortedUploads > 0 && { abortedUploads }),
  };
  const changes = [{ field: 'role', from: role, to: null }];
  call.activities = [activityOn(call, member, { action: 'member.remove', changes, metadata })];
}

/** A later membership is no consent to keys from before. */
function takeKeys({ state }: Call, { organizationId, fields }: Stored): void {
  if (organizationId === null) return;
  for (const key of state.store.all('api_key')) {
    if (key.ownerId === fields['userId']) exclude(key, organizationId);
  }
}

/** The role of an active member. */
function activeRole({ fields }: Stored): Role | null {
  return fields['status'] === 'ACTIVE' ? (fields['role'] as Role) : null;
}

export const members: Feature = {
  kinds: {
    member: {
      check,
      onUpdate: (call, member) => void revokeInvitations(call, member, activeRole(member)),
      onRemove: (call, member) => {
        expectTeam(call);
        expectPerson(member);
        expectOwnerRights(call, [member.fields['role']]);
        if (isActiveOwner(member)) expectOtherOwner(call, member);
        endOpenWork(call, member);
        takeKeys(call, member);
        for (const task of allIn(call.state, 'task', member.organizationId)) {
          const ids = task.fields['assigneeIds'];
          if (!Array.isArray(ids)) continue;
          task.fields['assigneeIds'] = ids.filter((id) => id !== member.fields['userId']);
        }
      },
      nameOf: ({ fields }, { store }) =>
        textOf(store.find('user', fields['userId'])?.fields, 'displayName'),
    },
  },
};
