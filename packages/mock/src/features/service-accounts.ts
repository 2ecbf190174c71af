import { maxServiceAccounts, serviceAddressSuffix } from '@atelier/contract';
import { MockFailure } from '../failure.ts';
import { activityOn } from '../state/activities.ts';
import { bodyOf, callerOf, organizationOf, recordAt } from '../state/call.ts';
import { isLive, revokeKeys } from '../state/keys.ts';
import type { Call, Feature, State } from '../state/model.ts';
import { shown } from '../state/perform.ts';
import { textOf, type Fields, type Stored } from '../state/store.ts';
import { createKeyOf, end, rotateKey } from './api-keys.ts';
import { addMember, allIn } from './teams.ts';
import { abortOpenUploads } from './uploads.ts';

function create(call: Call): unknown {
  const { state } = call;
  const organization = organizationOf(call);
  if (organization.fields['type'] === 'PERSONAL') throw new MockFailure('personal_organization');
  if (allIn(state, 'service_account', organization.id).length >= maxServiceAccounts) {
    throw new MockFailure('too_many_service_accounts');
  }
  const { name, role } = bodyOf(call);
  const caller = callerOf(call);
  const id = state.newId();
  const now = state.now();
  const user = state.store.add({
    kind: 'user',
    id,
    organizationId: null,
    ownerId: id,
    fields: {
      email: `${id}${serviceAddressSuffix}`,
      firstName: name,
      lastName: null,
      displayName: name,
      avatarUrl: null,
      accountStatus: 'VERIFIED',
      platformRole: 'USER',
      mailNotices: false,
      mailSignIns: false,
      personalOrganizationId: organization.id,
      createdAt: now,
      updatedAt: now,
    },
    hidden: { passwords: [], isService: true },
  });
  const member = addMember(state, { organizationId: organization.id, user, role });
  member.hidden['isService'] = true;
  const account = state.store.add({
    kind: 'service_account',
    id,
    organizationId: organization.id,
    ownerId: caller.id,
    fields: {
      name,
      role,
      createdBy: { id: caller.id, displayName: caller.fields['displayName'] },
      createdAt: now,
      updatedAt: now,
    },
  });
  call.activities = [activityOn(call, account, { action: 'service_account.create' })];
  return shown(call, account);
}

function keysOf(state: State, { id }: Stored): Stored[] {
  return state.store.all('api_key').filter(({ ownerId }) => ownerId === id);
}

function liveKeysOf(state: State, account: Stored): Stored[] {
  return keysOf(state, account).filter((key) => isLive(state, key));
}

function memberOf(state: State, { id, organizationId }: Stored): Stored | undefined {
  return allIn(state, 'member', organizationId).find(({ ownerId }) => ownerId === id);
}

function userOf({ store }: State, { id }: Stored): Stored | undefined {
  return store.find('user', id);
}

/** Only a key of the account in the path. */
function keyAt(call: Call): Stored {
  const key = recordAt(call, 'params.keyId');
  if (key.ownerId !== recordAt(call, 'params.accountId').id) throw new MockFailure('not_found');
  return key;
}

export const serviceAccounts: Feature = {
  operations: {
    'serviceAccounts.create': { respond: create },
    'serviceAccounts.createKey': {
      respond: (call) => {
        const account = recordAt(call, 'params.accountId');
        const ids = [organizationOf(call).id];
        return createKeyOf(call, { account, organizationIds: ids });
      },
    },
    'serviceAccounts.rotateKey': { respond: (call) => rotateKey(call, keyAt(call)) },
    'serviceAccounts.revokeKey': {
      respond: (call) => {
        const key = keyAt(call);
        end(call, key);
        return { id: key.id };
      },
    },
  },
  kinds: {
    service_account: {
      computed: {
        keyCount: (account, { state }) => liveKeysOf(state, account).length,
        lastUsedAt: (account, { state }) =>
          keysOf(state, account)
            .map(({ fields }) => textOf(fields, 'lastUsedAt'))
            .toSorted()
            .at(-1) || null,
      },
      onUpdate: ({ state }, account) => {
        const { name, role } = account.fields;
        const user = userOf(state, account);
        if (user) Object.assign(user.fields, { firstName: name, displayName: name } as Fields);
        const member = memberOf(state, account);
        if (member) member.fields['role'] = role;
      },
      onRemove: (call, account) => {
        const { state } = call;
        const { id: userId, organizationId } = account;
        const revokedKeys = liveKeysOf(state, account).length;
        revokeKeys(state, userId);
        const abortedUploads = abortOpenUploads(state, { organizationId, userId });
        const action = 'service_account.delete';
        const metadata = { revokedKeys, ...(abortedUploads > 0 && { abortedUploads }) };
        call.activities = [activityOn(call, account, { action, metadata })];
        const user = userOf(state, account);
        if (user) user.fields['accountStatus'] = 'SUSPENDED';
        const member = memberOf(state, account);
        if (member) state.store.remove(member);
        for (const task of allIn(state, 'task', account.organizationId)) {
          const ids = task.fields['assigneeIds'];
          if (!Array.isArray(ids)) continue;
          task.fields['assigneeIds'] = ids.filter((id) => id !== account.id);
        }
      },
      nameOf: ({ fields }) => textOf(fields, 'name'),
    },
  },
};
