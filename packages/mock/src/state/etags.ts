import { z } from 'zod';
import { MockFailure } from '../failure.ts';
import { digestOf } from '../hash.ts';
import { unwrapped } from './kinds.ts';
import { isRecord } from './store.ts';

/** Computes the entity tag of a resource; with fields that the service adds later, it has two parts. */
export function eTagOf(schema: z.ZodType, resource: unknown): string {
  const whole = digestOf(JSON.stringify(stateOf(schema, resource, [])));
  const guarded = digestOf(JSON.stringify(stateOf(schema, resource, ['x-derived'])));
  return guarded === whole ? `"${whole}"` : `"${guarded}.${whole}"`;
}

/** Copies a value without the signatures of URLs, and without marked fields. */
function stateOf(schema: unknown, value: unknown, without: readonly string[]): unknown {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((one) => stateOf(inner.element, one, without));
  }
  if (!(inner instanceof z.ZodObject) || !isRecord(value)) return value;
  return Object.entries(inner.shape as Record<string, z.ZodType>)
    .filter(([, field]) => !without.some((mark) => field.meta()?.[mark] === true))
    .map(([name, field]) => {
      const one = value[name];
      const isPresigned = field.meta()?.['x-presigned'] === true && typeof one === 'string';
      return isPresigned ? one.split('?', 1)[0] : stateOf(field, one, without);
    });
}

/** @throws MockFailure `precondition_failed` unless an `If-Match` names the present state */
export function expectUnchanged(ifMatch: string | undefined, eTag: string): void {
  if (ifMatch === undefined || ifMatch === '*') return;
  const guarded = (tag: string) => tag.replace(/\.[^"]*"$/, '"');
  if (tagsIn(ifMatch).map(guarded).includes(guarded(eTag))) return;
  throw new MockFailure('precondition_failed');
}

/** Whether an `If-None-Match` names the present state. */
export function isNamedBy(ifNoneMatch: string | undefined, eTag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return tagsIn(ifNoneMatch).some((tag) => tag.replace(/^W\//, '') === eTag);
}

function tagsIn(header: string): string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? [];
}
