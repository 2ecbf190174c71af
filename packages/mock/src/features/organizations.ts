import { Organization, secondFactorGraceDays } from '@atelier/contract';
import { MockFailure } from '../failure.ts';
import { activityOn } from '../state/activities.ts';
import { hasSecondFactor, membershipOf } from '../state/access.ts';
import { bodyOf, callerOf, organizationOf } from '../state/call.ts';
import { eTagOf, expectUnchanged } from '../state/etags.ts';
import { reaches } from '../state/keys.ts';
import type { Call, Feature } from '../state/model.ts';
import { shown } from '../state/perform.ts';
import { present } from '../state/present.ts';
import { textOf } from '../state/store.ts';
import { addOrganization, allIn, isService } from './teams.ts';
import { expectWithinPlan } from './plans.ts';
import { abortOpenUploads } from './uploads.ts';

function updateSecurityPolicy(call: Call): unknown {
  const { state } = call;
  const organization = organizationOf(call);
  const view = { state, callerId: call.caller?.id ?? null };
  const eTag = eTagOf(Organization, present(organization, view, Organization));
  expectUnchanged(call.request.headers['if-match'], eTag);
  if (organization.fields['type'] === 'PERSONAL') throw new MockFailure('personal_organization');
  const isRequired = bodyOf(call)['requireSecondFactor'] === true;
  const wasRequired = organization.fields['secondFactorRequiredFrom'] !== null;
  call.activities = [];
  if (isRequired === wasRequired) return shown(call, organization);
  if (isRequired && !hasSecondFactor(state, callerOf(call))) {
    throw new MockFailure('second_factor_enrollment_required');
  }
  const now = state.now();
  const from = new Date(Date.parse(now) + secondFactorGraceDays * 24 * 60 * 60 * 1000);
  organization.fields['secondFactorRequiredFrom'] = isRequired ? from.toISOString() : null;
  organization.fields['updatedAt'] = now;
  const action = 'organization.change_security_policy';
  call.activities = [activityOn(call, organization, { action })];
  return shown(call, organization);
}

export const organizations: Feature = {
  operations: {
    'organizations.create': {
      respond: (call) => {
        const { state } = call;
        const owner = callerOf(call);
        const own = state.store
          .all('organization')
          .filter(({ ownerId, fields }) => ownerId === owner.id && fields['type'] === 'TEAM');
        expectWithinPlan(state, null, { teamsPerAccount: own.length + 1 });
        const name = textOf(bodyOf(call), 'name');
        const team = addOrganization(state, { name, type: 'TEAM', owner });
        call.activities = [activityOn(call, team, { action: 'organization.create' })];
        return shown(call, team);
      },
    },
    'organizations.updateSecurityPolicy': { respond: updateSecurityPolicy, findsItsRecords: true },
  },
  kinds: {
    organization: {
      computed: {
        myRole: ({ id }, { state, callerId }) =>
          membershipOf(state, id, callerId)?.fields['role'] ?? 'VIEWER',
        memberCount: ({ id }, { state }) =>
          allIn(state, 'member', id).filter(
            (member) => member.fields['status'] === 'ACTIVE' && !isService(member),
          ).length,
      },
      isListed: ({ id }, { state, caller, key }) =>
        membershipOf(state, id, caller?.id) !== undefined && (!key || reaches(key, id)),
      check: (_call, { publicLinks, mailContent }, organization) => {
        const isSetting = publicLinks !== undefined || mailContent !== undefined;
        if (isSetting && organization?.fields['type'] === 'PERSONAL') {
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
        abortOpenUploads(state, { organizationId: organization.id, userId: null });
        for (const member of allIn(state, 'member', organization.id)) state.store.remove(member);
        for (const { fields } of allIn(state, 'invitation', organization.id)) {
          fields['status'] = 'REVOKED';
        }
      },
    },
  },
};
