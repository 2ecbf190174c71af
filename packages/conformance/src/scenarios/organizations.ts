import { mailedToken, newAccount, type Account } from '../accounts.ts';
import type { Check } from '../check.ts';
import type { Probe } from '../probe.ts';
import { invite } from '../inviting.ts';

const invitations: Check = {
  id: 'organization.invitations',
  group: 'organizations',
  title: 'a mailed invitation is accepted once, by its addressee; a revoked one is void',
  run: async ({ probe, fixtures }) => {
    const { owner, viewer } = fixtures;
    const guest = await newAccount(probe, 'guest');
    const { token } = owner;
    const teamId = await newTeam(probe, token, 'Invitations');
    const offer = { token, teamId, email: guest.email, role: 'MEMBER' };
    const revoked = await invite(probe, offer);
    const dead = await mailedToken(probe, guest.email, 'invited');
    const about = { id: teamId, invitationId: revoked.id };
    await probe.succeed('organizations.revokeInvitation', { token, params: about });
    const preview = await probe.request('organizations.getInvitation', { params: { token: dead } });
    probe.expectRefusal('organization.invitations', preview, 'invitation_gone');
    const late = await accept(probe, guest.token, dead);
    probe.expectRefusal('organization.invitations', late, 'invitation_gone');

    await invite(probe, offer);
    const live = await mailedToken(probe, guest.email, { kind: 'invited', after: dead });
    const seen = await probe.request('organizations.getInvitation', { params: { token: live } });
    probe.dataIn('organizations.getInvitation', seen);
    probe.expect({
      rule: 'organization.invitation-masked',
      response: seen,
      holds: !seen.text.includes(guest.email),
      expected: 'a masked email address',
      actual: guest.email,
    });
    const wrong = await accept(probe, viewer.token, live);
    probe.expectRefusal('organization.invitations', wrong, 'invitation_email_mismatch');
    const accepted = await accept(probe, guest.token, live);
    const { id: invitationId } = probe.dataIn('organizations.acceptInvitation', accepted);
    const again = await accept(probe, guest.token, live);
    probe.expectRefusal('organization.invitations', again, 'invitation_gone', 'already_member');
    const revoking = await probe.request('organizations.revokeInvitation', {
      token,
      params: { id: teamId, invitationId },
    });
    probe.expectRefusal('organization.invitations', revoking, 'invitation_gone');
    const member = await probe.request('organizations.invite', {
      token,
      params: { id: teamId },
      body: { email: guest.email },
    });
    probe.expectRefusal('organization.invitations', member, 'already_member');
    await leave(probe, { owner, guest }, teamId);
  },
};

async function leave(
  probe: Probe,
  { owner, guest }: { owner: Account; guest: Account },
  id: string,
): Promise<void> {
  const members = await probe.succeed('organizations.listMembers', {
    token: owner.token,
    params: { id },
  });
  const memberOf = (userId: string) =>
    members.items.find((member) => member.userId === userId)?.id ?? '';
  const [mine, theirs] = [memberOf(guest.id), memberOf(owner.id)];
  const forbidden = await probe.request('organizations.removeMember', {
    token: guest.token,
    params: { id, memberId: theirs },
  });
  probe.expectRefusal('permission.role', forbidden, 'permission_denied');
  await probe.succeed('organizations.updateMember', {
    token: owner.token,
    params: { id, memberId: mine },
    body: { role: 'VIEWER' },
  });
  await probe.succeed('organizations.removeMember', {
    token: guest.token,
    params: { id, memberId: mine },
  });
  const gone = await probe.request('organizations.get', { token: guest.token, params: { id } });
  probe.expectRefusal('organization.leaving', gone, 'not_found');
}

const lastOwner: Check = {
  id: 'organization.last-owner',
  group: 'organizations',
  title: 'a team keeps an owner, and deleting it needs its exact name',
  run: async ({ probe, fixtures: { owner } }) => {
    const { token, personalOrganizationId } = owner;
    const id = await newTeam(probe, token, 'Last owner');
    const params = { id };
    const { items } = await probe.succeed('organizations.listMembers', { token, params });
    const member = { id, memberId: items[0]?.id ?? '' };
    const removed = await probe.request('organizations.removeMember', { token, params: member });
    probe.expectRefusal('organization.last-owner', removed, 'last_owner');
    for (const body of [{ role: 'MEMBER' }, { status: 'SUSPENDED' }]) {
      const response = await probe.request('organizations.updateMember', {
        token,
        params: member,
        body,
      });
      probe.expectRefusal('organization.last-owner', response, 'last_owner');
    }
    const { name } = await probe.succeed('organizations.rename', {
      token,
      params,
      body: { name: 'Renamed' },
    });
    const wrong = await probe.request('organizations.remove', {
      token,
      params,
      query: { confirmName: 'renamed' },
    });
    probe.expectRefusal('organization.deletion', wrong, 'confirmation_mismatch');
    await probe.succeed('organizations.remove', { token, params, query: { confirmName: name } });
    const gone = await probe.request('organizations.get', { token, params });
    probe.expectRefusal('resource.after-delete', gone, 'not_found');

    const personal = { id: personalOrganizationId };
    const invited = await probe.request('organizations.invite', {
      token,
      params: personal,
      body: { email: 'invited@example.com' },
    });
    probe.expectRefusal('organization.personal', invited, 'personal_organization');
    const mine = await probe.succeed('organizations.get', { token, params: personal });
    const deleted = await probe.request('organizations.remove', {
      token,
      params: personal,
      query: { confirmName: mine.name },
    });
    probe.expectRefusal('organization.personal', deleted, 'personal_organization');
  },
};

async function newTeam(probe: Probe, token: string, name: string): Promise<string> {
  return (await probe.succeed('organizations.create', { token, body: { name } })).id;
}

function accept(probe: Probe, token: string, invitation: string) {
  return probe.request('organizations.acceptInvitation', { token, params: { token: invitation } });
}

export const organizationScenarios: readonly Check[] = [invitations, lastOwner];
