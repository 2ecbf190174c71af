import { MockFailure } from '../failure.ts';
import { activityOn } from '../state/activities.ts';
import { membershipOf } from '../state/access.ts';
import { bodyOf, callerOf } from '../state/call.ts';
import type { Feature } from '../state/model.ts';
import { shown } from '../state/perform.ts';
import { textOf } from '../state/store.ts';
import { addOrganization, allIn } from './teams.ts';
import { limitOf } from './plans.ts';

export const organizations: Feature = {
  operations: {
    'organizations.create': {
      respond: (call) => {
        const { state } = call;
        const owner = callerOf(call);
        const own = state.store
          .all('organization')
          .filter(({ ownerId, fields }) => ownerId === owner.id && fields['type'] === 'TEAM');
        if (own.length >= limitOf(state, null, 'teamsPerAccount')) {
          throw new MockFailure('plan_limit_reached');
        }
        const name = textOf(bodyOf(call), 'name');
        const team = addOrganization(state, { name, type: 'TEAM', owner });
        call.activities = [activityOn(call, team, { action: 'organization.create' })];
        return shown(call, team);
      },
    },
  },
  kinds: {
    organization: {
      computed: {
        myRole: ({ id }, { state, callerId }) =>
          membershipOf(state, id, callerId)?.fields['role'] ?? 'VIEWER',
        memberCount: ({ id }, { state }) =>
          allIn(state, 'member', id).filter(({ fields }) => fields['status'] === 'ACTIVE').length,
      },
      isListed: ({ id }, { state, caller }) => membershipOf(state, id, caller?.id) !== undefined,
      check: (_call, { publicLinks }, organization) => {
        if (publicLinks !== undefined && organization?.fields['type'] === 'PERSONAL') {
          throw new MockFailure('personal_organization');
        }
      },
      onUpdate: (call, organization, changed) => {
        const action = changed.has('name') ? 'organization.rename' : 'organization.update';
        call.activities = [activityOn(call, organization, { action })];
      },
      onRemove: ({ state, input }, organization) => {
        const { name, type } = organization.fields;
        if (type === 'PERSONAL') throw new MockFailure('personal_organization');
        if (input.query['confirmName'] !== name) throw new MockFailure('confirmation_mismatch');
        for (const member of allIn(state, 'member', organization.id)) state.store.remove(member);
        for (const { fields } of allIn(state, 'invitation', organization.id)) {
          fields['status'] = 'REVOKED';
        }
      },
    },
  },
};
