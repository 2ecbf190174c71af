import type { Role } from '@atelier/contract';
import { MockFailure } from '../failure.ts';
import { expectConfirmedSession, reachOf } from '../state/access.ts';
import type { Call, Feature } from '../state/model.ts';
import { textOf, type Fields, type Stored } from '../state/store.ts';
import { statusOf } from './invitations.ts';
import { allIn, isService } from './teams.ts';

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

/** Revokes open invitations of a member to roles that they may no longer grant. */
function revokeInvitations({ state }: Call, member: Stored, role: Role | null): void {
  for (const invitation of allIn(state, 'invitation', member.organizationId)) {
    const { role: offered } = invitation.fields;
    const isOpen = statusOf(state, invitation) === 'PENDING';
    if (invitation.ownerId !== member.ownerId || !isOpen) continue;
    const mayOffer =
      reachOf('invitation:manage', role) === 'any' &&
      (offered !== 'OWNER' || reachOf('member:grant-owner', role) === 'any');
    if (!mayOffer) invitation.fields['status'] = 'REVOKED';
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
      onUpdate: (call, member) => revokeInvitations(call, member, activeRole(member)),
      onRemove: (call, member) => {
        expectTeam(call);
        expectPerson(member);
        expectOwnerRights(call, [member.fields['role']]);
        if (isActiveOwner(member)) expectOtherOwner(call, member);
        revokeInvitations(call, member, null);
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
