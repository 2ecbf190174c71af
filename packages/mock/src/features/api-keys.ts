import {
  maxApiKeys,
  maxServiceAccountKeys,
  operations,
  permissionMatrix,
  scopeDescriptions,
  scopePresets,
  scopes,
  type ApiKey,
  type Permission,
  type PresetName,
} from '@atelier/contract';
import { invalidField, MockFailure } from '../failure.ts';
import { membershipOf, reachOf } from '../state/access.ts';
import { activityOn } from '../state/activities.ts';
import { bodyOf, callerOf, recordAt } from '../state/call.ts';
import { isLive, policyOf } from '../state/keys.ts';
import type { Call, Feature, State } from '../state/model.ts';
import { shown } from '../state/perform.ts';
import { idsOf, isRecord, textOf, type Fields, type Stored } from '../state/store.ts';
import { isOfMember } from './key-policy.ts';

const dayMs = 24 * 60 * 60 * 1000;
const expiringMs = 7 * dayMs;

/** What a new key acts as, and reaches. */
interface Holder {
  /** Null: the caller. */
  readonly account: Stored | null;
  readonly organizationIds: readonly string[];
}

function create(call: Call): Fields {
  return createKeyOf(call, {
    account: null,
    organizationIds: [...new Set(idsOf(bodyOf(call), 'organizationIds'))],
  });
}

/** @throws MockFailure `validation_failed` for what a key policy refuses */
function expectAccepted({ state, input }: Call, { account, organizationIds }: Holder): void {
  const days = isRecord(input.body) ? input.body['expiresInDays'] : null;
  for (const [index, id] of organizationIds.entries()) {
    const organization = state.store.find('organization', id);
    if (!organization) continue;
    const { personalKeys, maxLifetimeDays: max } = policyOf(organization);
    const isTooLong = typeof max === 'number' && (typeof days !== 'number' || days > max);
    if (!account && personalKeys === 'REFUSED') {
      const message = 'Invalid organizationIds: the organization refuses personal API keys';
      throw invalidField(['organizationIds', index], 'refused', message);
    }
    if (isTooLong) {
      const message = `Invalid expiresInDays: the key policy allows at most ${max}`;
      throw invalidField(['expiresInDays'], 'too_big', message);
    }
  }
}

/** Makes a key of an account. */
export function createKeyOf(call: Call, holder: Holder): Fields {
  const body = bodyOf(call);
  expectAccepted(call, holder);
  const preset = body['preset'] as PresetName | undefined;
  const wanted = new Set<string>(preset ? scopePresets[preset] : idsOf(body, 'scopes'));
  expectBelowLimit(call, holder.account);
  const days = body['expiresInDays'];
  const { record, key } = add(call, {
    name: body['name'],
    toolMode: body['toolMode'],
    scopes: scopes.filter((scope) => wanted.has(scope)),
    organizationIds: holder.organizationIds,
    account: holder.account,
    lifeMs: typeof days === 'number' ? days * dayMs : null,
  });
  call.activities = [activityOn(call, record, { action: 'api_key.create' })];
  return { ...(shown(call, record) as Fields), key };
}

interface NewKey {
  readonly name: unknown;
  readonly toolMode: unknown;
  readonly scopes: unknown;
  readonly organizationIds: unknown;
  readonly account: Stored | null;
  /** Null: it does not expire. */
  readonly lifeMs: number | null;
}

function add(call: Call, { lifeMs, account, ...given }: NewKey): { record: Stored; key: string } {
  const { state } = call;
  // 46 characters without a checksum: the mock knows its own keys.
  const key = `atl_${account ? 'svc' : 'pat'}_${state.newSecret().slice(0, 46)}`;
  const record = state.store.add({
    kind: 'api_key',
    id: state.newId(),
    organizationId: account?.organizationId ?? null,
    ownerId: account?.id ?? callerOf(call).id,
    fields: {
      ...given,
      kind: account ? 'SERVICE' : 'PERSONAL',
      prefix: key.slice(0, 12),
      lastFour: key.slice(-4),
      createdAt: state.now(),
      expiresAt: lifeMs === null ? null : new Date(state.nowMs() + lifeMs).toISOString(),
      lastUsedAt: null,
      lastUsedIp: null,
      revokedAt: null,
    },
    hidden: { key, lifeMs },
  });
  return { record, key };
}

function expectBelowLimit(call: Call, account: Stored | null): void {
  const { id } = account ?? callerOf(call);
  const { state } = call;
  const live = state.store.all('api_key').filter((key) => key.ownerId === id && isLive(state, key));
  const most = account ? maxServiceAccountKeys : maxApiKeys;
  if (live.length >= most) throw new MockFailure('too_many_api_keys');
}

function current(call: Call): unknown {
  const { key, state } = call;
  if (!key) throw new MockFailure('not_found');
  const organizations = idsOf(key.fields, 'organizationIds').flatMap((id) => {
    const organization = state.store.find('organization', id);
    const member = membershipOf(state, id, key.ownerId);
    if (!organization || !member) return [];
    const standing = { type: organization.fields['type'], role: member.fields['role'] as 'ADMIN' };
    const effectiveScopes = idsOf(key.fields, 'scopes').filter((one) => isEffective(one, standing));
    return [{ id, name: organization.fields['name'], effectiveScopes }];
  });
  return { ...(shown(call, key) as Fields), organizations };
}

function isEffective(scope: string, { type, role }: { type: unknown; role: 'OWNER' | 'ADMIN' }) {
  if (scope === 'timeline:read') return type === 'TEAM' && ['OWNER', 'ADMIN'].includes(role);
  return !(scope in permissionMatrix) || reachOf(scope as Permission, role) !== 'none';
}

/** Replaces a key. */
export function rotateKey(call: Call, old: Stored): Fields {
  const { state } = call;
  const account = state.store.find('service_account', old.ownerId) ?? null;
  if (!isLive(state, old) || old.hidden['isReplaced'] === true) {
    throw new MockFailure('api_key_ended');
  }
  const overlapMs = Number(bodyOf(call)['overlapHours'] ?? 0) * 60 * 60 * 1000;
  if (overlapMs > 0) expectBelowLimit(call, account);
  const { name, toolMode, scopes: kept, organizationIds } = old.fields;
  const lifeMs = typeof old.hidden['lifeMs'] === 'number' ? old.hidden['lifeMs'] : null;
  const given = { name, toolMode, scopes: kept, organizationIds };
  const { record, key } = add(call, { ...given, account, lifeMs });
  if (overlapMs === 0) {
    old.fields['revokedAt'] = state.now();
  } else {
    const end = new Date(state.nowMs() + overlapMs).toISOString();
    const { expiresAt } = old.fields;
    old.fields['expiresAt'] = typeof expiresAt === 'string' && expiresAt < end ? expiresAt : end;
  }
  old.hidden['isReplaced'] = true;
  call.activities = [activityOn(call, old, { action: 'api_key.rotate' })];
  return { ...(shown(call, record) as Fields), key };
}

/** Revokes a key; no-op without one, or when it is revoked. */
export function end(call: Call, key: Stored | undefined): void {
  const isOpen = key?.fields['revokedAt'] === null;
  call.activities = isOpen ? [activityOn(call, key, { action: 'api_key.revoke' })] : [];
  if (isOpen) key.fields['revokedAt'] = call.state.now();
}

function statusOf(key: Stored, state: State): ApiKey['status'] {
  if (key.fields['revokedAt'] !== null) return 'REVOKED';
  const expiresAt = textOf(key.fields, 'expiresAt');
  if (expiresAt === '') return 'ACTIVE';
  if (!isLive(state, key)) return 'EXPIRED';
  return Date.parse(expiresAt) - state.nowMs() <= expiringMs ? 'EXPIRING' : 'ACTIVE';
}

const scopeList = {
  items: scopes.map((scope) => ({
    scope,
    description: scopeDescriptions[scope],
    operations: operations
      .filter(({ endpoint }) => endpoint.metadata.keys === scope)
      .map(({ id }) => id),
  })),
};

export const apiKeys: Feature = {
  operations: {
    'apiKeys.create': { respond: create },
    'apiKeys.current': { respond: current },
    'apiKeys.rotate': { respond: (call) => rotateKey(call, recordAt(call, 'params.id')) },
    'apiKeys.revoke': {
      respond: (call) => {
        const key = recordAt(call, 'params.id');
        end(call, key);
        return { id: key.id };
      },
    },
    'apiKeys.scopes': { respond: () => scopeList },
    'apiKeys.reportLeak': {
      respond: (call) => {
        const found = bodyOf(call)['key'];
        const keys = call.state.store.all('api_key');
        end(
          call,
          keys.find(({ hidden }) => hidden['key'] === found),
        );
        return { received: true };
      },
    },
  },
  kinds: {
    api_key: {
      isListed: (key, call) => {
        if (!call.organization) return key.ownerId === call.caller?.id;
        const accountId = call.input.params['accountId'];
        return accountId === undefined ? isOfMember(key, call) : key.ownerId === accountId;
      },
      computed: {
        owner: ({ ownerId }, { state }) => {
          const user = state.store.find('user', ownerId);
          return {
            id: ownerId,
            displayName: user?.fields['displayName'],
            email: user?.fields['email'],
          };
        },
        status: (key, { state }) => statusOf(key, state),
        organizations: ({ fields }, { state }) =>
          idsOf(fields, 'organizationIds').flatMap((id) => {
            const found = state.store.find('organization', id);
            return found ? [{ id, name: found.fields['name'] }] : [];
          }),
      },
    },
  },
};
