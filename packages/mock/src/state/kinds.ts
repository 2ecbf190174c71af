import { operations, resourceTypes, type Operation } from '@atelier/contract';
import { z } from 'zod';

/** What a schema of the contract describes: `task` for `Task`, and for `TaskLabel` `label`. */
export interface Described {
  /** A resource of the contract in its spelling, or the name of the schema. */
  readonly kind: string;
  readonly schema: z.ZodObject;
}

/** Compares names regardless of their spelling: `api_key` and `ApiKey` are one. */
const canonical = (name: string) => name.toLowerCase().replaceAll(/[^a-z]/g, '');

const targetKinds = operations.flatMap(({ endpoint }) =>
  Object.values(endpoint.metadata.targets).map(({ resource }) => resource),
);
const resourceByName = new Map(
  [...new Set<string>([...resourceTypes, ...targetKinds])].map((name) => [canonical(name), name]),
);
const suffixes = [...resourceByName.keys()].toSorted((a, b) => b.length - a.length);

/**
 * Returns the kind of a schema: the resource with which its name ends, such as `asset` for `BinnedAsset`. A schema that
 * names none is a kind of its own.
 */
export function kindOf(schema: z.ZodType): string | null {
  const name = schema.meta()?.id;
  if (typeof name !== 'string') return null;
  const found = suffixes.find((suffix) => canonical(name).endsWith(suffix));
  return (found && resourceByName.get(found)) ?? name;
}

/** Returns the kind and schema of the items of a list; null for an operation that is none. */
export function listedBy({ endpoint }: Operation): Described | null {
  const { list, success } = endpoint.metadata;
  const items: unknown = success.data instanceof z.ZodObject ? success.data.shape['items'] : null;
  if (!list || !(items instanceof z.ZodArray)) return null;
  return describedBy(items.element);
}

/** Returns the kind and schema of the record that a success has; null if it has none, or only its id. */
export function returnedBy({ endpoint }: Operation): Described | null {
  const { data } = endpoint.metadata.success;
  if (!(data instanceof z.ZodObject) || !('id' in data.shape)) return null;
  return Object.keys(data.shape).length > 1 ? describedBy(data) : null;
}

/** Whether a success has nothing but the id of the record that it is about. */
export function returnsOnlyId({ endpoint }: Operation): boolean {
  const { data } = endpoint.metadata.success;
  return data instanceof z.ZodObject && Object.keys(data.shape).join() === 'id';
}

function describedBy(schema: unknown): Described | null {
  if (!(schema instanceof z.ZodObject)) return null;
  const kind = kindOf(schema);
  return kind === null ? null : { kind, schema };
}

/** Kinds whose deleted records are listed by a bin. */
export const binnedKinds: ReadonlySet<string> = new Set(
  operations.flatMap((operation) => {
    const listed = listedBy(operation);
    return listed && 'deletedAt' in listed.schema.shape ? [listed.kind] : [];
  }),
);

/** The schema that describes a whole record of each kind. */
export const schemaByKind: ReadonlyMap<string, z.ZodObject> = new Map(
  operations
    .flatMap((operation) => [returnedBy(operation), listedBy(operation)])
    .filter((one) => one !== null)
    // The schema with the name of the kind is the last one and wins.
    .toSorted((a, b) => Number(isNamedLike(a)) - Number(isNamedLike(b)))
    .map(({ kind, schema }) => [kind, schema]),
);

function isNamedLike({ kind, schema }: Described): boolean {
  return canonical(schema.meta()?.id ?? '') === canonical(kind);
}

/** Returns a schema without its optional, nullable and default wrappers. */
export function unwrapped(schema: unknown): unknown {
  return schema instanceof z.ZodNullable ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault
    ? unwrapped(schema.unwrap())
    : schema;
}
