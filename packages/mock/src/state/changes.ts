import { z } from 'zod';
import { MockFailure } from '../failure.ts';
import { randomFor } from '../random.ts';
import { namedSchema, resolvedSchema } from '../schemas.ts';
import { valueOf } from '../values.ts';
import { activityOn } from './activities.ts';
import { bodyOf, callerOf } from './call.ts';
import type { Call } from './model.ts';
import { binnedKinds, schemaByKind, unwrapped, type Described } from './kinds.ts';
import { moveTo, moveToEnd, positionOf } from './positions.ts';
import { countedBy, isReference, ownName } from './present.ts';
import { errorCatalogue, type ErrorCode } from '@atelier/contract';
import type { Fields, Stored } from './store.ts';

const binDays = 30;

/** Creates a record from the body, the path and the caller; the contract's examples fill in the rest. */
export function create(call: Call, { kind, schema }: Described): Stored {
  const { state, organization, input } = call;
  const rules = state.features.kind(kind);
  const body = bodyOf(call);
  rules.check?.(call, body, null);
  const caller = callerOf(call);
  const record = {
    kind,
    id: state.newId(),
    organizationId: organization?.id ?? null,
    ownerId: caller.id,
    fields: referencesIn({ ...input.params, ...body }),
    hidden: {},
  };
  const now = state.now();
  const shape: Record<string, z.ZodType> = { ...schemaByKind.get(kind)?.shape, ...schema.shape };
  for (const [name, field] of Object.entries(shape)) {
    const isElsewhere =
      name === 'id' ||
      name in (rules.computed ?? {}) ||
      rules.ofCaller?.includes(name) ||
      (name === 'position' && rules.orderedWithin) ||
      countedBy(name) !== null ||
      isReference(field);
    if (isElsewhere) continue;
    record.fields[name] =
      body[name] ??
      input.params[name] ??
      givenBy(call, name) ??
      initialOf(call, { name, field, schema, now, id: record.id });
  }
  rules.onCreate?.(call, record);
  if (rules.orderedWithin) moveToEnd(state, record, rules.orderedWithin);
  const stored = state.store.add(record);
  declareActivity(call, stored);
  return stored;
}

function givenBy(call: Call, name: string): unknown {
  if (name === 'organizationId') return call.organization?.id;
  return name === 'createdBy' || name === 'ownerId' ? callerOf(call).id : undefined;
}

interface NewField {
  readonly name: string;
  readonly field: z.ZodType;
  readonly schema: z.ZodObject;
  readonly now: string;
  readonly id: string;
}

function initialOf({ state }: Call, { name, field, schema, now, id }: NewField): unknown {
  if (field.safeParse(null).success) return null;
  const inner = unwrapped(field);
  if (inner instanceof z.ZodEnum) return inner.options[0];
  if (inner instanceof z.ZodArray) return [];
  if (field.safeParse(now).success && name.endsWith('At')) return now;
  const described = resolvedSchema(namedSchema(schema.meta()?.id ?? ''));
  const [example] = (described.examples ?? []) as readonly Fields[];
  return valueOf(
    { random: randomFor(state.seed, id, name), baseUrl: state.baseUrl },
    { name, schema: described.properties?.[name] ?? {}, example: example?.[name] },
  );
}

/** Ids of other records, such as `projectId` and `labelIds`. */
function referencesIn(values: Fields): Fields {
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value !== undefined && /\wIds?$/.test(name)),
  );
}

/** Changes the fields of a record that the body has; does nothing if all have that value. */
export function update(call: Call, record: Stored): void {
  const { state } = call;
  const rules = state.features.kind(record.kind);
  const body = bodyOf(call);
  rules.check?.(call, body, record);
  const shape: Record<string, unknown> = { ...schemaByKind.get(record.kind)?.shape };
  const changes: { field: string; from: unknown; to: unknown }[] = [];
  const isMove = 'beforeId' in body || 'afterId' in body || 'position' in body;
  const within = rules.orderedWithin;
  const place = () => within && positionOf(state, record, within);
  const before = JSON.stringify([record.fields, place()]);
  for (const [name, to] of Object.entries(body)) {
    if (to === undefined || ['position', 'beforeId', 'afterId'].includes(name)) continue;
    const isOwn = rules.ofCaller?.includes(name) ?? false;
    if (!isOwn && !(name in shape) && !/\wIds?$/.test(name)) continue;
    const [values, key] = isOwn
      ? [record.hidden, ownName(name, callerOf(call).id)]
      : [record.fields, name];
    const from = values[key] ?? (isOwn ? false : null);
    if (JSON.stringify(from) === JSON.stringify(to)) continue;
    values[key] = to;
    changes.push({ field: name, from, to });
  }
  const changed = new Set(changes.map(({ field }) => field));
  if (isMove && within) moveTo(call, record, { anchor: body, within });
  else if (within?.some((name) => changed.has(name))) moveToEnd(state, record, within);
  const hasMoved = before !== JSON.stringify([record.fields, place()]);
  if (changes.length === 0 && !hasMoved) {
    call.activities ??= [];
    return;
  }
  if (hasMoved) for (const name of ['updatedAt', 'editedAt']) touch(call, record, { name, shape });
  rules.onUpdate?.(call, record, changed);
  declareActivity(call, record, changes);
}

function touch(
  { state }: Call,
  { fields }: Stored,
  { name, shape }: { name: string; shape: object },
): void {
  if (name in shape) fields[name] = state.now();
}

/** Deletes a record with everything that refers to it, or moves them to the bin. */
export function remove(call: Call, record: Stored): void {
  const { state } = call;
  state.features.kind(record.kind).onRemove?.(call, record);
  declareActivity(call, record);
  const deletedAt = state.now();
  const purgeAt = new Date(Date.parse(deletedAt) + binDays * 24 * 60 * 60 * 1000).toISOString();
  const take = (one: Stored) => {
    const isBinned = binnedKinds.has(one.kind);
    for (const child of state.store.childrenOf(one)) {
      // What belongs to a record in the bin stays until that is deleted for good, as activities do always.
      const isKept = child.kind === 'Activity' || (isBinned && !binnedKinds.has(child.kind));
      if (child.bin === null && !isKept) take(child);
    }
    if (isBinned) one.bin = { deletedAt, purgeAt, by: record.id };
    else state.store.remove(one);
  };
  take(record);
}

/** Restores a record from the bin, with what was deleted with it. @throws MockFailure while what it belongs to is there */
export function restore(call: Call, record: Stored): void {
  const { store } = call.state;
  if (record.bin === null) {
    call.activities = [];
    return;
  }
  for (const kind of binnedKinds) {
    const parent = store.find(kind, record.fields[`${kind}Id`]);
    if (parent?.bin) throw new MockFailure(parentDeleted(kind));
  }
  record.bin = null;
  for (const kind of binnedKinds) {
    for (const one of store.binned(kind)) if (one.bin?.by === record.id) one.bin = null;
  }
  declareActivity(call, record);
}

function parentDeleted(kind: string): ErrorCode {
  const code = `${kind}_deleted`;
  return code in errorCatalogue ? (code as ErrorCode) : 'not_found';
}

/** Notes the activity that the contract declares, unless the operation has said which. */
function declareActivity(
  call: Call,
  record: Stored,
  changes: readonly { field: string; from: unknown; to: unknown }[] = [],
): void {
  const { activities } = call.operation.endpoint.metadata;
  // Of two actions, such as favorite and unfavorite, the second one takes back the first.
  const isTakenBack = changes.some(({ to }) => to === false);
  const action = (isTakenBack ? activities[1] : null) ?? activities[0];
  call.activities ??= action ? [activityOn(call, record, { action, changes })] : [];
}
