import { invitationLifetimeSeconds, roles } from '@atelier/contract';
import { MockFailure } from '../failure.ts';
import { expectConfirmedSession } from '../state/access.ts';
import { activityOn } from '../state/activities.ts';
import { bodyOf, callerOf, recordAt } from '../state/call.ts';
import type { Call, Feature } from '../state/model.ts';
import { shown } from '../state/perform.ts';
import { sendMail } from '../state/state.ts';
import { textOf, type Stored } from '../state/store.ts';
import { accountOf } from './accounts.ts';
import { expectWithinPlan } from './plans.ts';
import { addMember, allIn, isService } from './teams.ts';

function invite(call: Call): unknown {
  const { state, organization, role: own } = call;
  const email = textOf(bodyOf(call), 'email');
  const role = bodyOf(call)['role'];
  if (!organization || organization.fields['type'] === 'PERSONAL') {
    throw new MockFailure('personal_organization');
  }
  if (own === null || roles.findIndex((one) => one === role) < roles.indexOf(own)) {
    throw new MockFailure('permission_denied');
  }
  if (role === 'OWNER') expectConfirmedSession(call);
  const members = allIn(state, 'member', organization.id);
  const guest = accountOf(state, email);
  if (members.some(({ fields }) => fields['userId'] === guest?.id)) {
    throw new MockFailure('already_member');
  }
  const pending = allIn(state, 'invitation', organization.id).filter(
    ({ fields }) => fields['status'] === 'PENDING',
  );
  const invited = pending.filter(
    ({ fields }) => fields['email'] !== email && textOf(fields, 'expiresAt') > state.now(),
  );
  const people = members.filter((member) => !isService(member));
  expectWithinPlan(state, organization, { members: people.length + invited.length + 1 });
  const open = pending.find(({ fields }) => fields['email'] === email);
  const invitation = open ?? newInvitation(call, email);
  invitation.fields['role'] = role;
  invitation.fields['expiresAt'] = new Date(
    Date.parse(state.now()) + invitationLifetimeSeconds * 1000,
  ).toISOString();
  call.activities = [activityOn(call, invitation, { action: 'invitation.create' })];
  // Within minutes of the last mail, its link stays valid.
  if (!open) mail(call, invitation);
  return shown(call, invitation);
}

function newInvitation({ state, organization, ...call }: Call, email: string): Stored {
  return state.store.add({
    kind: 'invitation',
    id: state.newId(),
    organizationId: organization?.id ?? null,
    ownerId: call.caller?.id ?? null,
    fields: { email, status: 'PENDING' },
    hidden: { token: state.newSecret() },
  });
}

function mail({ state, organization }: Call, { fields, hidden }: Stored): void {
  sendMail(state, {
    to: textOf(fields, 'email'),
    subject: `You are invited to ${textOf(organization?.fields, 'name')}`,
    path: `/invitations/${textOf(hidden, 'token')}`,
  });
}

/** @throws MockFailure if it is unknown, or can't be accepted any more */
function openInvitation({ state, input }: Call): Stored {
  const invitation = state.store
    .all('invitation')
    .find(({ hidden }) => hidden['token'] === input.params['token']);
  // With an organization, its invitations are gone.
  if (!invitation) throw new MockFailure('not_found');
  const isOver = textOf(invitation.fields, 'expiresAt') <= state.now();
  if (invitation.fields['status'] !== 'PENDING' || isOver) throw new MockFailure('invitation_gone');
  return invitation;
}

function preview(call: Call): unknown {
  const invitation = openInvitation(call);
  const email = textOf(invitation.fields, 'email');
  return { ...(shown(call, invitation) as object), email: email.replace(/(?<=^.).*(?=@)/, '****') };
}

function accept(call: Call): unknown {
  const { state } = call;
  const caller = callerOf(call);
  const invitation = openInvitation(call);
  const { organizationId, fields } = invitation;
  if (fields['email'] !== caller.fields['email']) {
    throw new MockFailure('invitation_email_mismatch');
  }
  const members = allIn(state, 'member', organizationId);
  if (members.some((one) => one.ownerId === caller.id)) throw new MockFailure('already_member');
  const team = { organizationId: organizationId ?? '', user: caller, role: fields['role'] };
  const member = addMember(state, team);
  fields['status'] = 'ACCEPTED';
  call.activities = [activityOn(call, member, { action: 'member.join' })];
  return shown(call, invitation);
}

function revoke(call: Call): unknown {
  const invitation = recordAt(call, 'params.invitationId');
  const { fields, id } = invitation;
  if (fields['status'] === 'ACCEPTED') throw new MockFailure('invitation_gone');
  const isRevoked = fields['status'] === 'REVOKED';
  fields['status'] = 'REVOKED';
  call.activities = isRevoked
    ? []
    : [activityOn(call, invitation, { action: 'invitation.revoke' })];
  return { id };
}

export const invitations: Feature = {
  operations: {
    'organizations.invite': { respond: invite },
    'organizations.getInvitation': { respond: preview },
    'organizations.acceptInvitation': { respond: accept },
    'organizations.revokeInvitation': { respond: revoke },
  },
  kinds: { invitation: { nameOf: ({ fields }) => textOf(fields, 'email') } },
};
