import type { Member, Organization, UpdateMemberBody } from '@atelier/client';
import { editCached } from '@atelier/client/react-query';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../session/api.ts';
import { accountKeys } from '../../session/account.ts';
import { selectOrganization } from '../../session/selected-organization.ts';
import { topicKey, useOrganizationMutation, type TopicKey } from '../../session/queries.ts';
import { texts } from '../../texts/members.ts';
import { notify } from '../../ui/notices.tsx';

const invalidates: readonly TopicKey[] = [
  ['organizations', 'listMembers'],
  ['organizations', 'people'],
];

/** Changes the role or the status of a member, with an optimistic update. */
export function useMemberUpdate(team: Organization, member: Member) {
  const client = useQueryClient();
  const name = member.user.displayName;
  return useOrganizationMutation({
    change: (body: UpdateMemberBody, options) =>
      api.organizations.updateMember(
        { params: { id: team.id, memberId: member.id }, body },
        options,
      ),
    invalidates,
    optimistic: (cache, body) =>
      editCached<Member>(cache, {
        keys: invalidates.map(topicKey),
        ids: [member.id],
        edit: (one) => ({ ...one, ...defined(body) }),
      }),
    onDone(_, { role, status }) {
      if (role) notify(texts.roleChanged(name, texts.roles[role]));
      if (status === 'SUSPENDED') notify(texts.suspended(name));
      if (status === 'ACTIVE') notify(texts.reinstated(name));
      // The user may have changed their own role.
      void client.invalidateQueries({ queryKey: accountKeys.organizations });
    },
  });
}

function defined({ role, status }: UpdateMemberBody): Partial<Member> {
  return { ...(role && { role }), ...(status && { status }) };
}

/** Removes a member. */
export function useMemberRemoval(team: Organization, member: Member) {
  const client = useQueryClient();
  return useOrganizationMutation({
    change: (_: void, options) =>
      api.organizations.removeMember({ params: { id: team.id, memberId: member.id } }, options),
    invalidates,
    onDone() {
      notify(texts.removed(member.user.displayName));
      void client.invalidateQueries({ queryKey: accountKeys.organizations });
    },
  });
}

/** Leaves a team and switches to the personal organization. */
export function useLeaving(team: Organization) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useOrganizationMutation({
    async change(memberId: string, options) {
      const params = { id: team.id, memberId };
      await api.organizations.removeMember({ params }, options);
      // Before any refetch of the team's data, which would respond 403 from now on.
      selectOrganization(null);
    },
    invalidates: [],
    onDone() {
      notify(texts.left(team.name));
      void client.invalidateQueries({ queryKey: accountKeys.organizations });
      void navigate({ to: '/' });
    },
  });
}
