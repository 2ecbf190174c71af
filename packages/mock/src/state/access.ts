import {
  permissionMatrix,
  type Operation,
  type Permission,
  type Role,
  type Target,
} from '@atelier/contract';
import { MockFailure } from '../failure.ts';
import type { Input, MockRequest } from '../requests.ts';
import type { Call, State } from './model.ts';
import { expectScope, defaultOrganizationOf, isAccepted, isLive, reaches } from './keys.ts';
import { isRecord, textOf, type Stored } from './store.ts';

/** The account of a bearer token, with its session or API key. */
export type Identity = Pick<Call, 'caller' | 'session' | 'key'>;

const anonymous: Identity = { caller: null, session: null, key: null };

/** @throws MockFailure `unauthenticated` */
export function authenticate(
  state: State,
  { endpoint }: Operation,
  { headers }: MockRequest,
): Identity {
  const { kind } = endpoint.metadata.access;
  // A visitor's ticket is read by the operations for visitors.
  if (kind === 'public' || kind === 'share') return anonymous;
  const token = /^Bearer (\S+)$/i.exec(headers['authorization'] ?? '')?.[1];
  if (token?.startsWith('atl_')) return identityOfKey(state, token);
  const session = state.store.all('session').find(({ hidden }) => hidden['accessToken'] === token);
  const guest = state.store.find('user', state.guestId) ?? null;
  const isOver = session && Number(session.hidden['accessUntil']) <= state.nowMs();
  if (token === undefined || !session || isOver) {
    // The mock's own tokens are valid only while their session is.
    if (guest && token && !token.startsWith('mock.')) return { ...anonymous, caller: guest };
    throw new MockFailure('unauthenticated');
  }
  return { caller: verifiedOwner(state, session), session, key: null };
}

function verifiedOwner(state: State, { ownerId }: Stored): Stored {
  const caller = state.store.find('user', ownerId);
  if (caller?.fields['accountStatus'] === 'VERIFIED') return caller;
  throw new MockFailure('unauthenticated');
}

function identityOfKey(state: State, token: string): Identity {
  const key = state.store.all('api_key').find(({ hidden }) => hidden['key'] === token);
  if (!key || !isLive(state, key)) throw new MockFailure('unauthenticated');
  const caller = verifiedOwner(state, key);
  Object.assign(key.fields, { lastUsedAt: state.now(), lastUsedIp: '127.0.0.1' });
  return { caller, session: null, key };
}

type Authorized = Pick<Call, 'caller' | 'key'> &
  Pick<Input, 'params'> &
  Pick<MockRequest, 'headers'>;

/** Finds the organization of a request, and the role of the caller there. @throws MockFailure as the contract says */
export function authorize(
  state: State,
  operation: Operation,
  request: Authorized,
): Pick<Call, 'organization' | 'role'> {
  const { keys } = operation.endpoint.metadata;
  if (request.key && keys === 'refused') throw new MockFailure('key_refused');
  const found = membershipFor(state, operation, request);
  if (keys !== 'refused' && keys !== 'any' && keys !== null) expectScope(request, keys);
  return found;
}

function membershipFor(
  state: State,
  { endpoint }: Operation,
  { caller, key, params, headers }: Authorized,
): Pick<Call, 'organization' | 'role'> {
  const { access } = endpoint.metadata;
  if (!caller || access.kind === 'public' || access.kind === 'user') {
    return { organization: null, role: null };
  }
  const named = headers['x-organization-id'];
  const isInPath = access.kind === 'member' && access.organizationFrom === 'path';
  const isAdministrator = access.kind === 'administrator';
  // What administrators of the platform may do beyond their roles, no program may do.
  const isOfPlatform = isAdministrator && !key && caller.fields['platformRole'] === 'ADMIN';
  if (isAdministrator && !key && named === undefined) {
    if (isOfPlatform) return { organization: null, role: null };
    throw new MockFailure('not_admin');
  }
  const personal = textOf(caller.fields, 'personalOrganizationId');
  const absent = key ? defaultOrganizationOf(key, caller) : personal;
  const id = isInPath ? params['id'] : (named ?? absent);
  if (key && id === undefined) throw new MockFailure('organization_required');
  const organization = state.store.find('organization', id) ?? null;
  const role = organization && roleIn({ state, caller, key }, organization.id);
  if (organization && isOfPlatform) {
    return { organization, role: leadsTeam({ organization, role }) ? role : null };
  }
  if (!organization || role === null) {
    throw new MockFailure(isInPath ? 'not_found' : 'organization_access_denied');
  }
  if (lacksSecondFactor(state, { organization, caller })) {
    throw new MockFailure('second_factor_enrollment_required');
  }
  if (isAdministrator && !leadsTeam({ organization, role })) throw new MockFailure('not_admin');
  if (access.kind === 'member' && reachOf(access.permission, role) === 'none') {
    throw new MockFailure('permission_denied');
  }
  return { organization, role };
}

/** Whether an account has a second factor. */
export function hasSecondFactor({ store }: State, { id, hidden }: Stored): boolean {
  return hidden['totp'] !== undefined || store.all('passkey').some(({ ownerId }) => ownerId === id);
}

/** Whether an account lacks the second factor that an organization requires. */
export function lacksSecondFactor(
  state: State,
  { organization, caller }: { organization: Stored; caller: Stored },
): boolean {
  const from = organization.fields['secondFactorRequiredFrom'];
  if (typeof from !== 'string' || Date.parse(from) > state.nowMs()) return false;
  return caller.hidden['isService'] !== true && !hasSecondFactor(state, caller);
}

/** Returns the active membership of an account. */
export function membershipOf(
  { store }: State,
  organizationId: string | null,
  userId: unknown,
): Stored | undefined {
  return store
    .all('member')
    .find(
      ({ organizationId: own, fields }) =>
        own === organizationId && fields['userId'] === userId && fields['status'] === 'ACTIVE',
    );
}

/** Returns the role of the caller; null without an active membership, or for an API key that doesn't reach the organization. */
export function roleIn(
  { state, caller, key }: Pick<Call, 'state' | 'caller' | 'key'>,
  organizationId: string,
): Role | null {
  if (key && !(reaches(key, organizationId) && isAccepted(state, key, organizationId))) return null;
  const membership = membershipOf(state, organizationId, caller?.id);
  // The schema of members has the roles.
  const held = (membership?.fields['role'] ?? null) as Role | null;
  return key && held === 'OWNER' ? 'ADMIN' : held;
}

export function reachOf(permission: Permission, role: Role | null): 'any' | 'own' | 'none' {
  return role === null ? 'none' : permissionMatrix[permission][role];
}

/** @throws MockFailure `confirmation_required` if the operation needs a session that was confirmed lately */
export function expectConfirmed(call: Unresolved): void {
  const { confirmation } = call.operation.endpoint.metadata;
  const isForPlatform = confirmation === 'as-platform-administrator' && !leadsTeam(call);
  if (confirmation === true || isForPlatform) expectConfirmedSession(call);
}

function leadsTeam({ organization, role }: Pick<Call, 'organization' | 'role'>): boolean {
  return organization?.fields['type'] === 'TEAM' && (role === 'OWNER' || role === 'ADMIN');
}

/** @throws MockFailure `confirmation_required` unless the session was confirmed lately */
export function expectConfirmedSession({ state, session }: Pick<Call, 'state' | 'session'>): void {
  if (!session || Number(session.hidden['confirmedUntil']) > state.nowMs()) return;
  throw new MockFailure('confirmation_required');
}

type Unresolved = Omit<Call, 'records'>;

/** Finds the records that the ids of a request name. @throws MockFailure if one is absent, or not the caller's to change */
export function resolveTargets(call: Unresolved): ReadonlyMap<string, Stored> {
  const { operation, input } = call;
  const records = new Map<string, Stored>();
  if (call.state.features.operation(operation.id).findsItsRecords) return records;
  for (const [field, target] of Object.entries(operation.endpoint.metadata.targets)) {
    const [part, name = ''] = field.split('.');
    if (target.kind === 'filter') continue;
    const source = part === 'body' ? input.body : part === 'query' ? input.query : input.params;
    const value: unknown = isRecord(source) ? source[name] : undefined;
    if (value === undefined || value === null) continue;
    for (const id of Array.isArray(value) ? (value as unknown[]) : [value]) {
      const record = find(call, { field, target }, id);
      const isMissing = !record || !isBelow(record, input.params, name);
      if (isMissing) throw new MockFailure(target.absent);
      // The access of the operation has judged an organization.
      const isJudged = target.kind !== 'record' || target.resource === 'organization';
      // What is only read is part of the operation.
      const isChanged = target.kind === 'record' && !target.permission.endsWith(':read');
      if (isChanged) expectScope(call, target.permission);
      if (!isJudged) expectReach(call, target.permission, record);
      if (!Array.isArray(value)) records.set(field, record);
    }
  }
  return records;
}

interface Named {
  readonly field: string;
  readonly target: Exclude<Target, { kind: 'filter' }>;
}

function find(call: Unresolved, { field, target }: Named, id: unknown) {
  const { state, organization, caller, operation } = call;
  // A path names a membership, a body the account of one.
  const isAccount = target.resource === 'member' && field.startsWith('body.');
  const found = isAccount
    ? membershipOf(state, organization?.id ?? null, id)
    : state.store.find(target.resource, id);
  if (!found) return undefined;
  if (target.kind === 'membership' && !membershipOf(state, found.id, caller?.id)) return undefined;
  if (target.kind === 'own' && found.ownerId !== caller?.id) return undefined;
  const isElsewhere =
    target.kind === 'record' &&
    target.resource !== 'organization' &&
    found.organizationId !== organization?.id;
  if (isElsewhere) return undefined;
  const { reachesBin = false } = state.features.operation(operation.id);
  const mayBeBinned = reachesBin || operation.id.endsWith('.restore');
  return found.bin !== null && !mayBeBinned ? undefined : found;
}

/** A comment is found only below its task. */
function isBelow({ fields }: Stored, params: Input['params'], name: string): boolean {
  return Object.entries(params).every(
    ([other, value]) => other === name || !(other in fields) || fields[other] === value,
  );
}

function expectReach(
  { role, caller }: Unresolved,
  permission: Permission,
  { ownerId }: Stored,
): void {
  const reach = reachOf(permission, role);
  if (reach === 'any' || (reach === 'own' && ownerId === caller?.id)) return;
  throw new MockFailure('permission_denied');
}
