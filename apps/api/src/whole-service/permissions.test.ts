// @module-tag slow

import {
  operations,
  permissionMatrix,
  roles,
  type Access,
  type ErrorCode,
  type Role,
} from '@atelier/contract';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { users } from '../db/generated/schema.ts';
import { newUser, type TestUser } from '../testing/accounts.ts';
import { call } from '../testing/api.ts';
import { exampleInputOf } from '../testing/example-inputs.ts';
import { joinTeam, newTeam } from '../testing/organizations.ts';
import { ownRecordOf } from './fixtures.ts';
import { setUpApi } from '../testing/set-up.ts';

const callers = [
  'anonymous',
  'stranger',
  'suspended member',
  'platform administrator',
  ...roles,
] as const;
type Caller = (typeof callers)[number];
let teamId: string;

const people = new Map<Caller, TestUser>();

const api = await setUpApi();
beforeAll(async () => {
  const members = callers.filter((caller) => caller !== 'anonymous');
  for (const caller of members) people.set(caller, await newUser(api));
  await api.db
    .update(users)
    .set({ platformRole: 'ADMIN' })
    .where(eq(users.id, person('platform administrator').id));
  teamId = (await newTeam(api, person('OWNER'))).id;
  await joinTeam(api, teamId, person('ADMIN'), 'ADMIN');
  await joinTeam(api, teamId, person('MEMBER'), 'MEMBER');
  await joinTeam(api, teamId, person('VIEWER'), 'VIEWER');
  await joinTeam(api, teamId, person('suspended member'), 'OWNER', 'SUSPENDED');
});

function person(caller: Caller): TestUser {
  const user = people.get(caller);
  if (!user) throw new Error(`no user is ${caller}`);
  return user;
}

/** The refusal that the declared access implies; null if access is allowed. */
function refusalOf(access: Access, caller: Caller): ErrorCode | null {
  if (access.kind === 'public') return null;
  if (caller === 'anonymous') return 'unauthenticated';
  switch (access.kind) {
    case 'user':
      return null;
    case 'share':
      return 'unauthenticated';
    case 'administrator':
      return refusalOfAdministration(caller);
    case 'member':
      if (!isRole(caller)) {
        return access.organizationFrom === 'path' ? 'not_found' : 'organization_access_denied';
      }
      return permissionMatrix[access.permission][caller] === 'none' ? 'permission_denied' : null;
  }
}

function refusalOfAdministration(caller: Caller): ErrorCode | null {
  if (caller === 'platform administrator' || caller === 'OWNER' || caller === 'ADMIN') return null;
  return isRole(caller) ? 'not_admin' : 'organization_access_denied';
}

function isRole(caller: Caller): caller is Role {
  return (roles as readonly Caller[]).includes(caller);
}

test.each(operations)('$id responds to every caller as its access declares', async (operation) => {
  const { access } = operation.endpoint.metadata;
  const input = exampleInputOf(operation, teamId);
  for (const caller of callers) {
    const token = caller === 'anonymous' ? undefined : person(caller).token;
    const { status, body } = await call(api, operation.id, { ...input, token });
    const expected = refusalOf(access, caller);
    if (expected) expect([caller, body.code]).toEqual([caller, expected]);
    else expect([caller, ...refusals]).not.toContain(body?.code);
    expect(status).toBeLessThan(500);
  }
});

/** Codes that only access checks return. */
const refusals: readonly ErrorCode[] = [
  'unauthenticated',
  'organization_access_denied',
  'permission_denied',
  'not_admin',
];

test('every operation has a row: its access is one of five kinds, and its permission is in the matrix', () => {
  for (const { endpoint } of operations) {
    const { access } = endpoint.metadata;
    expect(['public', 'user', 'share', 'member', 'administrator']).toContain(access.kind);
    if (access.kind === 'member') expect(permissionMatrix).toHaveProperty([access.permission]);
  }
});

/** Permissions that are limited to a user's own records. */
const ownPermissions = Object.entries(permissionMatrix)
  .filter(([, reaches]) => Object.values(reaches).some((reach) => reach === 'own'))
  .map(([permission]) => permission);

const reachOperations = operations.flatMap(({ id, endpoint: { metadata } }) => {
  const { access, success } = metadata;
  return access.kind === 'member' && ownPermissions.includes(access.permission)
    ? [{ id, permission: access.permission, success: success.status }]
    : [];
});

describe.each(reachOperations)('$id', ({ id, permission, success }) => {
  test.each(roles)('%s has the permissions of the matrix', async (role) => {
    const record = ownRecordOf(id);
    const reach = permissionMatrix[permission][role];
    for (const whose of ['own', "another's"] as const) {
      // Neither of the two is the only owner, or neither could be removed.
      const { id: teamId } = await newTeam(api, person('platform administrator'));
      const caller = person(role);
      const other = person('stranger');
      const { memberId } = await joinTeam(api, teamId, caller, role);
      const { memberId: otherMemberId } = await joinTeam(api, teamId, other, 'MEMBER');
      const input = await record({
        api,
        teamId,
        founder: person('platform administrator'),
        ...(whose === 'own'
          ? { author: caller, memberId }
          : { author: other, memberId: otherMemberId }),
      });
      const { status, body } = await call(api, id, {
        ...input,
        token: caller.token,
        organizationId: teamId,
      });
      const isAllowed = reach === 'any' || (reach === 'own' && whose === 'own');
      expect([whose, status, body.code]).toEqual(
        isAllowed ? [whose, success, undefined] : [whose, 403, 'permission_denied'],
      );
    }
  });
});

test('every permission that is limited to own records is tested', () => {
  const tried = new Set<string>(reachOperations.map(({ permission }) => permission));
  expect(ownPermissions.filter((permission) => !tried.has(permission))).toEqual([]);
});
