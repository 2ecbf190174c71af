import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { PublicContext } from './context.ts';
import { Failure } from './errors.ts';
import { lazySerializer } from './serializer.ts';

type StateReader = (resource: unknown) => string;

const stateReaders = new WeakMap<z.ZodType, StateReader>();

/**
 * The entity tag of a resource as its caller sees it: equal for equal fields, whatever the signatures of
 * its presigned addresses.
 *
 * @param schema - the resource in the contract; undeclared fields don't count
 * @returns a strong tag with its quotes
 * @see docs/decisions/0016-etags.md
 */
export function eTagOf<Schema extends z.ZodType>(
  schema: Schema,
  resource: z.input<Schema>,
): string {
  let stateOf = stateReaders.get(schema);
  if (!stateOf) {
    stateOf = stateReaderOf(schema);
    stateReaders.set(schema, stateOf);
  }
  const digest = createHash('sha256').update(stateOf(resource)).digest();
  return `"${digest.subarray(0, 16).toString('base64url')}"`;
}

/**
 * Checks a mutation's `If-Match` against the resource as it is now. To be called in the transaction,
 * with the row locked.
 *
 * @param current - the resource as its GET would answer it to this caller
 * @throws Failure `precondition_failed` (412)
 */
export function assertUnchanged<Schema extends z.ZodType>(
  ctx: Pick<PublicContext, 'ifMatch'>,
  schema: Schema,
  current: z.input<Schema>,
): void {
  if (ctx.ifMatch === null || ctx.ifMatch === '*') return;
  // Strong comparison: a tag that came back weakened names no exact state.
  if (tagsIn(ctx.ifMatch).includes(eTagOf(schema, current))) return;
  throw new Failure('precondition_failed');
}

/** Whether an `If-None-Match` names this state, by weak comparison. */
export function isNamedBy(ifNoneMatch: string, eTag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return tagsIn(ifNoneMatch).some((tag) => tag.replace(/^W\//, '') === eTag);
}

function tagsIn(header: string): string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}

function stateReaderOf(schema: z.ZodType): StateReader {
  // The order of the contract, not of the object at hand.
  const serialize = lazySerializer(schema);
  const presigned = new Set(presignedIn(z.toJSONSchema(schema)));
  if (presigned.size === 0) return serialize;
  return (resource) =>
    JSON.stringify(JSON.parse(serialize(resource)), (name, value: unknown) =>
      typeof value === 'string' && presigned.has(name) ? withoutSignature(value) : value,
    );
}

/** Names of the properties whose signature is no part of the state. */
function presignedIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, child]: [string, unknown]) => {
    const isPresigned = typeof child === 'object' && child !== null && 'x-presigned' in child;
    return isPresigned ? [name] : presignedIn(child);
  });
}

/** The path names the object, so that another object is another state. */
function withoutSignature(address: string): string {
  return address.split('?', 1)[0] ?? '';
}
