import { z } from 'zod/v4';

declare const idMark: unique symbol;

/** A schema of ids. The symbol exists only for the compiler: each id in a request needs a target. */
export interface IdSchema extends z.ZodString {
  readonly [idMark]: true;
}

/** A resource id: a lower-case UUID; the service makes version 7. */
export const Id = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, {
    error: 'Invalid id: expected a lower-case UUID',
  })
  .meta({
    id: 'Id',
    description: 'Identifier: a UUID, version 7, lower case.',
    examples: ['019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42'],
  }) as IdSchema;

/** A timestamp: ISO 8601 in UTC with milliseconds. */
export const Timestamp = z.iso.datetime({ precision: 3 }).meta({
  id: 'Timestamp',
  description: 'ISO 8601 in UTC with milliseconds.',
  examples: ['2026-11-21T09:30:00.000Z'],
});

/**
 * A timestamp in a request: ISO 8601 with any offset, or a date, which means its start in UTC. Years 1970 to
 * 9999. The output is a {@link Timestamp}.
 */
export function timestampInput() {
  return z
    .union([z.iso.datetime({ offset: true }), z.iso.date()], {
      error: 'Invalid time: expected ISO 8601, such as 2026-11-21T09:30:00Z or 2026-11-21',
    })
    .refine((value) => Date.parse(value) >= 0 && Date.parse(value) < endOfYear9999, {
      error: 'Invalid time: expected a year from 1970 to 9999',
      abort: true,
    })
    .transform((value) => new Date(value).toISOString())
    .pipe(Timestamp);
}

// Postgres has no year 0, and JavaScript writes years above 9999 with a sign.
const endOfYear9999 = Date.UTC(10_000, 0, 1);

/**
 * Describes a storage URL that is signed for each response. The signature is not part of the resource's
 * state, so the ETag does not depend on it.
 */
export function presigned(description: string) {
  return { description, 'x-presigned': true } as const;
}

/**
 * Marks a field that the service fills in later. The ETag depends on it, but an `If-Match` of a client never
 * fails because of it.
 */
export const derived = { 'x-derived': true } as const;

/** Says a default in the document: zod renders none for an input that it transforms. */
export function documentedDefault(value: number) {
  return { 'x-default': value } as const;
}

interface TextBounds {
  /** Minimum number of code points; default 1. */
  min?: number;
  /** Maximum number of code points. */
  max: number;
}

/** Text that is stored as sent. Bounds count code points; NUL and lone surrogates are rejected. */
export function verbatimText(bounds: TextBounds) {
  return z.string().check(wellFormed(), withinCodePoints(bounds)).meta(lengthOf(bounds));
}

/** A name or title: trimmed, otherwise as {@link verbatimText}. */
export function text(bounds: TextBounds) {
  return z.string().trim().check(wellFormed(), withinCodePoints(bounds)).meta(lengthOf(bounds));
}

/** An id; a malformed one gets the same error as an unknown one. */
export function anyId() {
  return verbatimText({ max: 1024 }) as IdSchema;
}

/** An email address: trimmed, lower case, at most 254 characters. */
export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .check(wellFormed(), z.maxLength(254), z.email({ error: 'Invalid email address' }))
  .meta({
    id: 'Email',
    description: 'Email address; compared in lower case.',
    examples: ['ada@example.com'],
  });

/** An integer in a query string, without sign, exponent or blanks. */
export function queryInteger({ min, max }: { min: number; max: number }) {
  return z
    .string()
    .regex(/^\d{1,15}$/, { error: `Invalid input: expected an integer from ${min} to ${max}` })
    .transform(Number)
    .pipe(z.number().int().min(min).max(max))
    .meta({ type: 'integer', pattern: undefined, minimum: min, maximum: max });
}

/** `true` or `false` in a query string. */
export function queryBoolean() {
  return z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .pipe(z.boolean())
    .meta({ type: 'boolean', enum: undefined });
}

function wellFormed() {
  return z.refine<string>((value) => value.isWellFormed() && !value.includes('\0'), {
    error: 'Invalid text: NUL and lone surrogates are not allowed',
    abort: true,
  });
}

function withinCodePoints({ min = 1, max }: TextBounds): z.core.CheckFn<string> {
  return ({ value, issues }) => {
    const length = countCodePoints(value);
    if (length < min)
      issues.push({
        code: 'too_small',
        origin: 'string',
        minimum: min,
        inclusive: true,
        input: value,
      });
    if (length > max)
      issues.push({
        code: 'too_big',
        origin: 'string',
        maximum: max,
        inclusive: true,
        input: value,
      });
  };
}

function countCodePoints(value: string): number {
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}

function lengthOf({ min = 1, max }: TextBounds) {
  return { minLength: min, maxLength: max };
}
