import { z } from 'zod';
import { kindOf, schemaByKind, unwrapped } from './kinds.ts';
import type { View } from './model.ts';
import { positionOf } from './positions.ts';
import { idsOf, type Fields, type Stored } from './store.ts';

/** Returns a record as a schema of the contract describes it. */
export function present(record: Stored, view: View, schema?: z.ZodObject): Fields {
  const { shape } = schema ?? schemaByKind.get(record.kind) ?? z.object({});
  const entries = Object.entries(shape as Record<string, z.ZodType>)
    .map(([name, field]) => [name, valueOf(record, view, { name, field })] as const)
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries);
}

interface Field {
  readonly name: string;
  readonly field: z.ZodType;
}

function valueOf(record: Stored, view: View, { name, field }: Field): unknown {
  const { fields, bin, kind } = record;
  const { computed = {}, ofCaller = [], orderedWithin } = view.state.features.kind(kind);
  if (name === 'id') return record.id;
  const compute = computed[name];
  if (compute) return compute(record, view);
  if (ofCaller.includes(name)) return record.hidden[ownName(name, view.callerId)] ?? false;
  if (bin && (name === 'deletedAt' || name === 'purgeAt')) return bin[name];
  if (name === 'position' && orderedWithin) return positionOf(view.state, record, orderedWithin);
  if (name in fields) return fields[name];
  const counted = countedBy(name);
  if (counted !== null) return countOf(record, view, counted);
  return referenced(record, view, { name, field });
}

/** The name under which a record has a value of one account. */
export function ownName(name: string, callerId: string | null): string {
  return `${name} of ${callerId ?? 'anyone'}`;
}

/** Returns the kind that a field counts: `comment` for `commentCount`; null if it counts none. */
export function countedBy(name: string): string | null {
  const kind = /^(\w+)Count$/.exec(name)?.[1];
  return kind !== undefined && schemaByKind.has(kind) ? kind : null;
}

function countOf({ id, kind, bin }: Stored, { state }: View, counted: string): number {
  const { store } = state;
  if (bin) return store.binned(counted).filter((one) => one.bin?.by === id).length;
  return store
    .all(counted)
    .filter(
      ({ fields, organizationId }) =>
        fields[`${kind}Id`] === id ||
        idsOf(fields, `${kind}Ids`).includes(id) ||
        (kind === 'organization' && organizationId === id),
    ).length;
}

/** Returns the records that a record refers to: all of a list, or the one of an object. */
function referenced(record: Stored, view: View, { name, field }: Field): unknown {
  const schema = unwrapped(field);
  if (schema instanceof z.ZodArray) {
    const item = unwrapped(schema.element);
    if (!(item instanceof z.ZodObject)) return undefined;
    return idsOf(record.fields, idsName(name)).flatMap((id) => {
      const found = recordOf(view, { schema: item, name, id });
      return found ? [present(found, view, item)] : [];
    });
  }
  if (!(schema instanceof z.ZodObject)) return undefined;
  const id = idOfReference(record, name, schema);
  const found = recordOf(view, { schema, name, id });
  return found ? present(found, view, schema) : null;
}

function idOfReference(record: Stored, name: string, { shape }: z.ZodObject): unknown {
  const stored = record.fields[`${name}Id`];
  if (stored !== undefined) return stored;
  if (name === 'organization') return record.organizationId;
  return isPerson(shape) ? record.ownerId : undefined;
}

function recordOf(
  { state }: View,
  { schema, name, id }: { schema: z.ZodObject; name: string; id: unknown },
): Stored | undefined {
  if (isPerson(schema.shape)) return state.store.find('user', id);
  return state.store.find(kindOf(schema) ?? name, id);
}

/** Accounts are shown by their name. */
function isPerson(shape: object): boolean {
  return 'displayName' in shape;
}

/** `labelIds` for `labels`. */
function idsName(name: string): string {
  return `${name.replace(/s$/, '')}Ids`;
}

/** Whether a field has the records that the ids of another field name. */
export function isReference(field: z.ZodType): boolean {
  const schema = unwrapped(field);
  const item = schema instanceof z.ZodArray ? unwrapped(schema.element) : schema;
  return item instanceof z.ZodObject && 'id' in item.shape;
}
