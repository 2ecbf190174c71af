import { newUser, nextMail, type TestUser } from '../../testing/accounts.ts';
import { call, someEmail } from '../../testing/api.ts';
import { invitationTokenIn } from '../../testing/invitations.ts';
import { joinTeam } from '../../testing/organizations.ts';
import { enrol } from '../../testing/second-factors.ts';
import type { FeatureFixtures, InputsOf, Story } from '../../testing/feature-fixtures.ts';
import { noInput, withBody } from '../../testing/fixture-parts.ts';

const organization: InputsOf = (team) => [{ params: { id: team.organizationId } }];
const member: InputsOf = (team) => [
  { params: { id: team.organizationId, memberId: team.memberId } },
];

export const organizationsFixtures: FeatureFixtures<'organizations'> = {
  inputs: {
    list: noInput,
    create: withBody(noInput, () => ({ name: 'Another' })),
    get: organization,
    rename: withBody(organization, () => ({ name: 'Renamed' })),
    updateSecurityPolicy: withBody(organization, () => ({ requireSecondFactor: false })),
    remove: (team) => [{ params: { id: team.organizationId }, query: { confirmName: 'Renamed' } }],
    listMembers: organization,
    invite: withBody(organization, () => ({ email: 'somebody@example.com' })),
    listInvitations: organization,
    revokeInvitation: (team) => [
      { params: { id: team.organizationId, invitationId: team.invitationId } },
    ],
    removeMember: member,
    // Only the mail contains the token of the path.
    acceptInvitation: null,
    updateMember: withBody(member, () => ({ role: 'VIEWER' })),
  },
  ownRecords: {
    removeMember: async ({ teamId, memberId }) => ({ params: { id: teamId, memberId } }),
  },
  endings: ['revokeInvitation', 'removeMember', 'remove'],
  stories: {
    'a team and its members': teamAndMembers,
    'a team that protects itself': securityPolicy,
  },
};

async function teamAndMembers({
  api,
  walk,
  people: { ada, bob, viewer, stranger },
}: Story): Promise<void> {
  const created = await walk('organizations.create', {
    as: ada,
    input: { body: { name: 'Analytical Engines' } },
    recorded: ({ body: { data } }) => ({
      action: 'organization.create',
      organizationId: data.id,
      fields: ['name'],
    }),
  });
  const teamId: string = created.body.data.id;
  await joinTeam(api, teamId, viewer, 'VIEWER');
  const inTeam = { organizationId: teamId };
  await walk('organizations.rename', {
    as: ada,
    input: { params: { id: teamId }, body: { name: 'Difference Engines' } },
    recorded: { ...inTeam, action: 'organization.rename', fields: ['name'] },
  });
  await walk('organizations.rename', {
    as: ada,
    input: { params: { id: teamId }, body: { publicLinks: 'ON_FOR_NEW' } },
    recorded: { ...inTeam, action: 'organization.update', fields: ['publicLinks'] },
  });

  const invite = (email: string) =>
    walk('organizations.invite', {
      as: ada,
      input: { params: { id: teamId }, body: { email, role: 'MEMBER' } },
      recorded: { ...inTeam, action: 'invitation.create', fields: ['role'] },
      refused: [{ body: { email: viewer.email } }],
    });
  const withdrawn = await invite(someEmail('withdrawn'));
  await walk('organizations.revokeInvitation', {
    as: ada,
    input: { params: { id: teamId, invitationId: withdrawn.body.data.id } },
    recorded: { ...inTeam, action: 'invitation.revoke', fields: ['status'] },
  });
  await invite(bob.email);
  const token = invitationTokenIn(await nextMail(bob.email, 2));
  const membershipOf = async ({ id }: TestUser) => {
    const { body } = await call(api, 'organizations.listMembers', {
      token: ada.token,
      params: { id: teamId },
    });
    const members: { id: string; userId: string }[] = body.data.items;
    return String(members.find(({ userId }) => userId === id)?.id);
  };
  await walk('organizations.acceptInvitation', {
    as: bob,
    input: { params: { token } },
    recorded: async () => ({
      ...inTeam,
      action: 'member.join',
      fields: ['role'],
      resourceId: await membershipOf(bob),
    }),
    refused: [{ token: stranger.token }],
  });
  const params = { id: teamId, memberId: await membershipOf(bob) };
  await walk('organizations.updateMember', {
    as: ada,
    input: { params, body: { role: 'ADMIN', status: 'SUSPENDED' } },
    recorded: { ...inTeam, action: 'member.update', fields: ['role', 'status'] },
  });
  await walk('organizations.removeMember', {
    as: ada,
    input: { params },
    recorded: { ...inTeam, action: 'member.remove', fields: ['role'] },
    refused: [{ params: { id: teamId, memberId: await membershipOf(ada) } }],
  });

  const { id, name } = (
    await call(api, 'organizations.create', { token: bob.token, body: { name: 'Short-lived' } })
  ).body.data;
  await walk('organizations.remove', {
    as: bob,
    input: { params: { id }, query: { confirmName: name } },
    recorded: { action: 'organization.delete', organizationId: id },
    refused: [{ query: { confirmName: 'Another' } }],
  });
}

async function securityPolicy({ api, walk }: Story): Promise<void> {
  const grace = await newUser(api, 'grace');
  await enrol(api, grace);
  const created = await call(api, 'organizations.create', {
    token: grace.token,
    body: { name: 'Strict' },
  });
  const { id } = created.body.data;
  for (const requireSecondFactor of [true, false]) {
    await walk('organizations.updateSecurityPolicy', {
      as: grace,
      input: { params: { id }, body: { requireSecondFactor } },
      recorded: {
        organizationId: id,
        action: 'organization.change_security_policy',
        fields: ['requireSecondFactor'],
      },
    });
  }
}
