import { hash } from 'node:crypto';
import type { z } from 'zod';
import type { PublicContext } from './context.ts';
import { Failure } from './errors.ts';
import { hasMark, lazySerializer } from './serializer.ts';

interface StateReader {
  /** Every field that the caller sees. */
  whole(resource: unknown): string;
  /** Only the fields that users and clients change; null if those are all. */
  withoutDerived: ((resource: unknown) => string) | null;
}

const stateReaders = new WeakMap<z.ZodType, StateReader>();

/**
 * Computes the entity tag of a resource as its caller sees it: equal fields give equal tags, regardless of the signatures
 * of presigned URLs. If the service adds fields later, the tag has two parts: what
 * {@link assertUnchanged} compares, a dot, and a hash that includes those fields.
 *
 * @param schema - the resource in the contract; undeclared fields are ignored
 * @returns a strong tag with its quotes
 * @see docs/decisions/0016-etags.md
 * @see docs/decisions/0028-content-inspection.md
 */
export function eTagOf<Schema extends z.ZodType>(
  schema: Schema,
  resource: z.input<Schema>,
): string {
  let reader = stateReaders.get(schema);
  if (!reader) {
    reader = stateReaderOf(schema);
    stateReaders.set(schema, reader);
  }
  const whole = digestOf(reader.whole(resource));
  if (reader.withoutDerived === null) return `"${whole}"`;
  return `"${digestOf(reader.withoutDerived(resource))}.${whole}"`;
}

/** 132 bits are enough to distinguish states. */
function digestOf(state: string): string {
  return hash('sha256', state, 'base64url').slice(0, 22);
}

/**
 * Checks a mutation's `If-Match` against the current resource. Call it in the transaction,
 * with the row locked.
 *
 * @param current - the resource as its GET would return it to this caller
 * @throws Failure `precondition_failed` (412)
 */
export function assertUnchanged<Schema extends z.ZodType>(
  ctx: Pick<PublicContext, 'ifMatch'>,
  schema: Schema,
  current: z.input<Schema>,
): void {
  if (ctx.ifMatch === null || ctx.ifMatch === '*') return;
  // Strong comparison: a tag that a proxy weakened identifies no exact state.
  if (
    tagsIn(ctx.ifMatch)
      .map(guarded)
      .includes(guarded(eTagOf(schema, current)))
  )
    return;
  throw new Failure('precondition_failed');
}

/** Strips the part of a tag that fields set by the service change. */
function guarded(tag: string): string {
  return tag.replace(/\.[^"]*"$/, '"');
}

/** Checks whether an `If-None-Match` names this state, by weak comparison. */
export function isNamedBy(ifNoneMatch: string, eTag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  return tagsIn(ifNoneMatch).some((tag) => tag.replace(/^W\//, '') === eTag);
}

function tagsIn(header: string): string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}

function stateReaderOf(schema: z.ZodType): StateReader {
  // The order of the contract, not of this object.
  const whole = lazySerializer(schema, { 'x-presigned': withoutSignature });
  if (!hasMark(schema, 'x-derived')) return { whole, withoutDerived: null };
  const treatments = { 'x-presigned': withoutSignature, 'x-derived': 'omitted' } as const;
  return { whole, withoutDerived: lazySerializer(schema, treatments) };
}

/** The path identifies the object, so another object is another state. */
function withoutSignature(address: unknown): unknown {
  return typeof address === 'string' ? address.split('?', 1)[0] : address;
}
