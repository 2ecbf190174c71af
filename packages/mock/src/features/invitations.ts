import { invitationLifetimeSeconds, roles } from '@atelier/contract';
import { MockFailure } from '../failure.ts';
import { expectConfirmedSession } from '../state/access.ts';
import { activityOn } from '../state/activities.ts';
import { bodyOf, callerOf, recordAt } from '../state/call.ts';
import type { Call, Feature, State } from '../state/model.ts';
import { shown } from '../state/perform.ts';
import { sendMail } from '../state/state.ts';
import { idsOf, textOf, type Stored } from '../state/store.ts';
import { accountOf } from './accounts.ts';
import { expectWithinPlan } from './plans.ts';
import { addMember, allIn, isService } from './teams.ts';

const mailPauseMs = 10 * 60 * 1000;

/** Returns the status; the expiry of a pending invitation is computed, not stored. */
export function statusOf(state: State, { fields }: Stored): unknown {
  const isOver = Date.parse(textOf(fields, 'expiresAt')) <= state.nowMs();
  return fields['status'] === 'PENDING' && isOver ? 'EXPIRED' : fields['status'];
}

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
  // One that has expired is renewed too.
  const pending = allIn(state, 'invitation', organization.id).filter(
    ({ fields }) => fields['status'] === 'PENDING',
  );
  const invited = pending.filter(
    (one) => one.fields['email'] !== email && statusOf(state, one) === 'PENDING',
  );
  const people = members.filter((member) => !isService(member));
  expectWithinPlan(state, organization, { members: people.length + invited.length + 1 });
  const earlier = pending.find(({ fields }) => fields['email'] === email);
  const expiresAtMs = Date.parse(state.now()) + invitationLifetimeSeconds * 1000;
  const expiresAt = new Date(expiresAtMs).toISOString();
  const invitation = state.store.add({
    kind: 'invitation',
    id: earlier?.id ?? state.newId(),
    organizationId: organization.id,
    ownerId: callerOf(call).id,
    fields: { email, role, status: 'PENDING', expiresAt },
    hidden: earlier?.hidden ?? {},
  });
  const changes = [{ field: 'role', from: earlier?.fields['role'] ?? null, to: role }];
  call.activities = [activityOn(call, invitation, { action: 'invitation.create', changes })];
  const { mailedMs } = invitation.hidden;
  const isPauseOver = mailedMs === undefined || state.nowMs() - Number(mailedMs) >= mailPauseMs;
  if (isPauseOver) mail(call, invitation);
  return shown(call, invitation);
}

/** Mails a new link, which voids those before. */
function mail({ state, organization }: Call, { fields, hidden }: Stored): void {
  const token = state.newSecret();
  hidden['tokens'] = [...idsOf(hidden, 'tokens'), token];
  hidden['mailedMs'] = state.nowMs();
  sendMail(state, {
    to: textOf(fields, 'email'),
    subject: `You are invited to ${textOf(organization?.fields, 'name')}`,
    path: `/invitations/${token}`,
  });
}

/** @throws MockFailure if it is unknown, or can't be accepted any more */
function openInvitation({ state, input }: Call): Stored {
  const token = input.params['token'] ?? '';
  const invitation = state.store
    .all('invitation')
    .find(({ hidden }) => idsOf(hidden, 'tokens').includes(token));
  // With an organization, its invitations are gone.
  if (!invitation) throw new MockFailure('not_found');
  const isVoid = idsOf(invitation.hidden, 'tokens').at(-1) !== token;
  if (isVoid || statusOf(state, invitation) !== 'PENDING') throw new MockFailure('invitation_gone');
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
  const status = statusOf(call.state, invitation);
  call.activities = [];
  if (status === 'REVOKED') return { id };
  if (status !== 'PENDING') throw new MockFailure('invitation_gone');
  fields['status'] = 'REVOKED';
  const changes = [{ field: 'status', from: 'PENDING', to: 'REVOKED' }];
  call.activities = [activityOn(call, invitation, { action: 'invitation.revoke', changes })];
  return { id };
}

export const invitations: Feature = {
  operations: {
    'organizations.invite': { respond: invite },
    'organizations.getInvitation': { respond: preview },
    'organizations.acceptInvitation': { respond: accept },
    'organizations.revokeInvitation': { respond: revoke },
  },
  kinds: {
    invitation: {
      computed: { status: (invitation, { state }) => statusOf(state, invitation) },
      nameOf: ({ fields }) => textOf(fields, 'email'),
    },
  },
};
