import { operations, type Operation } from '@atelier/contract';
import { z } from 'zod';
import { addAccount } from './features/accounts.ts';
import { MockFailure } from './failure.ts';
import { addOrganization, allIn } from './features/teams.ts';
import { randomFor, type Random } from './random.ts';
import type { Input, MockRequest } from './requests.ts';
import { namedSchema } from './schemas.ts';
import type { Call, State } from './state/model.ts';
import { create } from './state/changes.ts';
import { returnedBy } from './state/kinds.ts';
import type { Stored } from './state/store.ts';
import { valueOf } from './values.ts';

/** The account that has the sample data: that of the contract's examples. */
export const sampleAccount = { email: 'ada@example.com', password: 'difference engine' } as const;

/** How many records of a kind there are below each record above them, by depth. */
const counts = [24, 4, 2];

/**
 * Creates an account that owns sample data in its personal organization and in a team: records of every kind that the
 * contract can create, with values from its examples. The same seed creates the same data.
 */
export function addSampleData(state: State): Stored {
  const user = addAccount(state, { ...sampleAccount, firstName: 'Ada', lastName: 'Lovelace' });
  Object.assign(user.fields, { accountStatus: 'VERIFIED', platformRole: 'ADMIN' });
  const team = addOrganization(state, { name: 'Analytical Engines', type: 'TEAM', owner: user });
  const personal = state.store.find('organization', user.fields['personalOrganizationId']);
  for (const organization of [personal, team]) {
    if (!organization) continue;
    for (const creation of creations(state)) addRecords(state, creation, { user, organization });
    state.features.addSamples(state, { user, organization });
  }
  return user;
}

interface Creation {
  readonly operation: Operation;
  /** The parameter of its path and the kind that it names; null at the top. */
  readonly parent: readonly [param: string, kind: string] | null;
  /** How many records are above one of these: 2 for a comment of a task of a project. */
  readonly depth: number;
}

/** The operations that create records as their declaration says and in no other way, parents before children. */
function creations(state: State): readonly Creation[] {
  const found: Creation[] = [];
  const open = operations.filter((operation) => {
    const { success, access } = operation.endpoint.metadata;
    const isDeclared = success.status === 201 && access.kind !== 'public';
    const { respond } = state.features.operation(operation.id);
    return isDeclared && returnedBy(operation) !== null && !respond;
  });
  for (let depth = 0; depth < counts.length; depth += 1) {
    const above = new Set(found.map(({ operation }) => returnedBy(operation)?.kind));
    const next = open.filter((operation) => {
      const parent = parentOf(operation);
      const isKnown = found.some((one) => one.operation === operation);
      return !isKnown && (parent === null ? depth === 0 : above.has(parent[1]));
    });
    found.push(...next.map((operation) => ({ operation, parent: parentOf(operation), depth })));
  }
  return found;
}

function parentOf({ endpoint }: Operation): Creation['parent'] {
  const parents = Object.entries(endpoint.metadata.targets).flatMap(([field, { resource }]) =>
    field.startsWith('params.') ? [[field.slice('params.'.length), resource] as const] : [],
  );
  return parents.at(-1) ?? null;
}

interface Owner {
  readonly user: Stored;
  readonly organization: Stored;
}

function addRecords(state: State, creation: Creation, owner: Owner): void {
  const { operation, parent, depth } = creation;
  const places = parent
    ? allIn(state, parent[1], owner.organization.id).map(({ id }) => ({ [parent[0]]: id }))
    : [{}];
  const count = counts[depth] ?? 0;
  for (const params of places) {
    for (let index = 0; index < count; index += 1) addRecord(state, { operation, params }, owner);
  }
}

function addRecord(
  state: State,
  { operation, params }: { operation: Operation; params: Input['params'] },
  { user, organization }: Owner,
): void {
  const returned = returnedBy(operation);
  const random = randomFor(state.seed, 'sample', state.newId());
  const body = bodyOf(state, operation, random);
  if (!returned || body === null) return;
  const { access } = operation.endpoint.metadata;
  const isOfUser = access.kind === 'user';
  const call: Call = {
    state,
    operation,
    request: noRequest(state),
    input: { params, query: {}, body },
    caller: user,
    session: null,
    key: null,
    organization: isOfUser ? null : organization,
    role: isOfUser ? null : 'OWNER',
    records: new Map(),
    activities: null,
  };
  try {
    create(call, returned);
  } catch (error) {
    // Such as a second label of the same name.
    if (!(error instanceof MockFailure)) throw error;
  }
}

/** Returns a valid body; null if the contract's examples make none. */
function bodyOf(state: State, { endpoint }: Operation, random: Random): unknown {
  const schema: unknown = endpoint.body;
  const name = schema instanceof z.ZodType ? schema.meta()?.id : undefined;
  if (!(schema instanceof z.ZodType) || name === undefined) return {};
  const source = { random, baseUrl: state.baseUrl };
  const value = valueOf(source, { name: 'body', schema: namedSchema(name) });
  const ids = Object.keys(endpoint.metadata.targets).flatMap((field) =>
    field.startsWith('body.') ? [field.slice('body.'.length)] : [],
  );
  const others = Object.entries(Object(value) as object).filter(([field]) => !ids.includes(field));
  const parsed = schema.safeParse(Object.fromEntries(others));
  return parsed.success ? parsed.data : null;
}

function noRequest({ baseUrl }: State): MockRequest {
  const url = new URL(baseUrl);
  return { method: 'POST', isHead: false, url, headers: {}, body: new Uint8Array() };
}
