import { KeyPolicy, MemberApiKey } from '@atelier/contract';
import { MockFailure } from '../failure.ts';
import { activityOn } from '../state/activities.ts';
import { membershipOf } from '../state/access.ts';
import { bodyOf, organizationOf } from '../state/call.ts';
import { eTagOf, expectUnchanged } from '../state/etags.ts';
import { exclude, isAccepted, isLive, policyOf, reaches } from '../state/keys.ts';
import type { Call, Feature } from '../state/model.ts';
import { pageOf } from '../state/lists.ts';
import { listedBy } from '../state/kinds.ts';
import { present } from '../state/present.ts';
import type { Stored } from '../state/store.ts';

function update(call: Call): unknown {
  const organization = organizationOf(call);
  const current = policyOf(organization);
  expectUnchanged(call.request.headers['if-match'], eTagOf(KeyPolicy, current));
  const wanted = { ...current, ...bodyOf(call) };
  const policy = {
    personalKeys: wanted.personalKeys,
    maxLifetimeDays: wanted.maxLifetimeDays,
  };
  call.activities = [];
  if (JSON.stringify(policy) === JSON.stringify(current)) return policy;
  if (organization.fields['type'] === 'PERSONAL') throw new MockFailure('personal_organization');
  organization.hidden['keyPolicy'] = policy;
  call.activities = [activityOn(call, organization, { action: 'organization.update' })];
  return policy;
}

/** Whether a personal key of a member reaches the organization of a request, and has not ended. */
export function isOfMember(key: Stored, { state, organization }: Call): boolean {
  const id = organization?.id;
  return (
    key.organizationId === null &&
    reaches(key, id) &&
    isLive(state, key) &&
    membershipOf(state, id ?? null, key.ownerId) !== undefined
  );
}

function list(call: Call): unknown {
  const listed = listedBy(call.operation);
  if (!listed) throw new Error('it lists keys');
  const { items, pagination } = pageOf(call, listed);
  const { state } = call;
  const refused = (id: unknown) => {
    const key = state.store.find('api_key', id);
    return key !== undefined && !isAccepted(state, key, organizationOf(call).id);
  };
  return { items: items.map((item) => ({ ...item, isRefused: refused(item['id']) })), pagination };
}

function excludeKey(call: Call): unknown {
  const { state, input } = call;
  const key = state.store.find('api_key', input.params['keyId']);
  if (!key || !isOfMember(key, call)) throw new MockFailure('not_found');
  const organization = organizationOf(call);
  const view = { state, callerId: call.caller?.id ?? null };
  const eTag = eTagOf(MemberApiKey, present(key, view, MemberApiKey));
  expectUnchanged(call.request.headers['if-match'], eTag);
  exclude(key, organization.id);
  const activity = activityOn(call, key, { action: 'api_key.exclude' });
  call.activities = [{ ...activity, organizationId: organization.id }];
  return { id: key.id };
}

export const keyPolicy: Feature = {
  operations: {
    'apiKeys.listOfOrganization': { respond: list },
    'apiKeys.exclude': { respond: excludeKey, findsItsRecords: true },
    'apiKeys.policy': { respond: (call) => policyOf(organizationOf(call)) },
    'apiKeys.updatePolicy': { respond: update, findsItsRecords: true },
  },
};
