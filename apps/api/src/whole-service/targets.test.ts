// @module-tag slow

import {
  errorCatalogue,
  operations,
  permissionMatrix,
  roles,
  type ErrorCode,
  type Operation,
  type Role,
  type Target,
} from '@atelier/contract';
import { and, eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { memberships } from '../db/generated/schema.ts';
import { newUser, type TestUser } from '../testing/accounts.ts';
import { call } from '../testing/api.ts';
import { filledTeam, type FilledTeam } from '../testing/filled-team.ts';
import { fingerprintsOf } from '../testing/fingerprints.ts';
import { crossTenantInputs } from './cross-tenant-inputs.ts';
import type { Input } from '../testing/feature-fixtures.ts';
import { inOrderOfLife, inputsOf, placeOf } from './fixtures.ts';
import { joinTeam } from '../testing/organizations.ts';
import { setUpApi } from '../testing/set-up.ts';

type Ownership = 'own' | "another member's";

/** A request, and its result by the contract: the error code, or null. */
interface Case {
  readonly operation: Operation;
  readonly input: Input;
  readonly refusal: ErrorCode | null;
}
let foreign: FilledTeam;

const api = await setUpApi();
beforeAll(async () => {
  const [owner, member] = [await newUser(api), await newUser(api)];
  foreign = await filledTeam(api, { owner, member, mark: 'foreign', times: 2 });
});

/** Operations with an id that is more than a filter, in an order in which each can succeed. */
const naming = inOrderOfLife(
  operations.filter(({ endpoint }) => targetsOf({ endpoint }).length > 0),
);

function targetsOf({ endpoint }: Pick<Operation, 'endpoint'>) {
  return Object.entries(endpoint.metadata.targets).flatMap(([field, target]) =>
    target.kind === 'filter' || target.kind === 'shared' ? [] : [{ field, target }],
  );
}

/** A team whose records belong to the caller, or to another member, and where the caller has a role. */
async function teamFor(role: Role, ownership: Ownership) {
  const [caller, other, member] = [await newUser(api), await newUser(api), await newUser(api)];
  const owner = ownership === 'own' ? caller : other;
  const team = await filledTeam(api, { owner, member, mark: 'birch', times: 2 });
  if (ownership === 'own') {
    await joinTeam(api, team.organizationId, other, 'OWNER');
    await setRole(team, caller, role);
  } else {
    await joinTeam(api, team.organizationId, caller, role);
  }
  return { caller, team };
}

async function setRole({ organizationId }: FilledTeam, user: TestUser, role: Role): Promise<void> {
  await api.db
    .update(memberships)
    .set({ role })
    .where(and(eq(memberships.organizationId, organizationId), eq(memberships.userId, user.id)));
}

/** Records that users don't create for themselves: rights on one's own don't apply to them. */
const ownerless = ['organization', 'member', 'invitation'];

function refusalOf(target: Target, role: Role, ownership: Ownership): ErrorCode | null {
  const isOwn = ownership === 'own' && !ownerless.includes(target.resource);
  if (target.kind === 'filter' || target.kind === 'shared') return null;
  if (target.kind === 'own') return isOwn ? null : target.absent;
  if (target.kind === 'membership') return null;
  const reach = permissionMatrix[target.permission][role];
  return reach === 'any' || (reach === 'own' && isOwn) ? null : 'permission_denied';
}

function refusalOfAccess({ endpoint }: Operation, role: Role): ErrorCode | null {
  const { access } = endpoint.metadata;
  if (access.kind !== 'member') return null;
  return permissionMatrix[access.permission][role] === 'none' ? 'permission_denied' : null;
}

/** Returns every input with ids of the caller's organization. */
function casesWithin(team: FilledTeam, role: Role, ownership: Ownership): Case[] {
  return naming.flatMap((operation) =>
    inputsOf(operation.id, team).map((input) => {
      const named = targetsOf(operation).filter(({ field }) => isIn(input, field));
      const refusals = named.map(({ field, target }) =>
        // It lies in the personal organization of its publisher.
        operation.id === 'assets.publish' && field === 'params.id' && ownership !== 'own'
          ? 'not_found'
          : refusalOf(target, role, ownership),
      );
      const first = refusals.find((refusal) => refusal !== null) ?? null;
      return { operation, input, refusal: refusalOfAccess(operation, role) ?? first };
    }),
  );
}

function isIn(input: Input, field: string): boolean {
  const [where, name = ''] = field.split('.');
  const part: object = Object(where === 'params' ? input.params : input.body);
  return name in part;
}

/** Returns every input with one id of another organization. */
function foreignCases(team: FilledTeam, role: Role) {
  return naming.flatMap((operation) =>
    crossTenantInputs(operation, { ours: team, theirs: foreign }).flatMap(({ input, places }) => {
      const named = targetsOf(operation).filter(({ field }) => places.includes(field));
      return named.map(({ field, target }) => {
        const { absent } = target;
        // A caller who isn't a member has no role there.
        const isOrganization = target.resource === 'organization';
        const refusal = isOrganization ? absent : (refusalOfAccess(operation, role) ?? absent);
        return { operation, input, refusal, field };
      });
    }),
  );
}

async function outcomeOf({ operation, input }: Case, caller: TestUser, team: FilledTeam) {
  const { status, body } = await call(api, operation.id, {
    ...input,
    token: caller.token,
    ...('x-organization-id' in operation.endpoint.headers && {
      organizationId: team.organizationId,
    }),
  });
  return [operation.id, input, status, body?.code];
}

function expectedOf({ operation, input, refusal }: Case) {
  const { success } = operation.endpoint.metadata;
  const status = refusal === null ? success.status : errorCatalogue[refusal].status;
  return [operation.id, input, status, refusal ?? undefined];
}

/** Refusals first: they change nothing. */
async function expectOutcomes(cases: readonly Case[], caller: TestUser, team: FilledTeam) {
  const before = await fingerprintsOf(api);
  for (const refused of cases.filter(({ refusal }) => refusal !== null)) {
    expect(await outcomeOf(refused, caller, team)).toEqual(expectedOf(refused));
  }
  expect(await fingerprintsOf(api)).toEqual(before);
  for (const allowed of cases.filter(({ refusal }) => refusal === null)) {
    expect(await outcomeOf(allowed, caller, team)).toEqual(expectedOf(allowed));
  }
}

describe.each(roles)('%s', (role) => {
  test('reaches their own records as the contract declares, and none of another organization', async () => {
    const { caller, team } = await teamFor(role, 'own');
    const cases = [...foreignCases(team, role), ...casesWithin(team, role, 'own')];
    await expectOutcomes(cases, caller, team);
  });

  test("reaches another member's records as the contract declares", async () => {
    const { caller, team } = await teamFor(role, "another member's");
    const cases = casesWithin(team, role, "another member's");
    await expectOutcomes(cases, caller, team);
  });
});

test.each(naming)('$id has each of its targets tried, within and without', (operation) => {
  const fields = targetsOf(operation).map(({ field }) => field);
  const inputs = inputsOf(operation.id, foreign);
  const without = fields.filter((field) => !inputs.some((input) => isIn(input, field)));
  expect(without.map((field) => `add ${field} to an input of ${placeOf(operation.id)}`)).toEqual(
    [],
  );
  const ours = { ...foreign };
  for (const name of Object.keys(ours)) Object.assign(ours, { [name]: `our ${name}` });
  const tried = crossTenantInputs(operation, { ours, theirs: foreign }).flatMap(
    ({ places }) => places,
  );
  expect(
    fields.filter((field) => !tried.includes(field)),
    'name each field after a key of FilledTeam in apps/api/src/testing/filled-team.ts, or map it in testing/cross-tenant-inputs.ts',
  ).toEqual([]);
});
