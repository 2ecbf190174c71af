import type { z } from 'zod';

type Headers = Readonly<Record<string, unknown>>;
type Issue = z.core.$ZodIssue;

/** A schema in the form that libraries share, as far as ts-rest uses it. */
interface StandardSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    validate(
      headers: Headers,
    ): { readonly issues: readonly Issue[] } | { readonly value: undefined };
  };
}

/**
 * Combines the schemas of an operation's headers. Given one for each header, ts-rest copies the headers of every request
 * into maps and back to check them; handlers read the request's own.
 *
 * @returns undefined if there is nothing to check
 */
export function checkOfHeaders(
  declared: Readonly<Record<string, z.ZodType>>,
): StandardSchema | undefined {
  const fields = Object.entries(declared);
  if (fields.length === 0) return undefined;
  return {
    '~standard': {
      version: 1,
      vendor: 'atelier',
      validate(headers) {
        const issues = fields.flatMap(([name, schema]) => issuesOf(schema, name, headers[name]));
        return issues.length === 0 ? { value: undefined } : { issues };
      },
    },
  };
}

const none: readonly Issue[] = [];

function issuesOf(schema: z.ZodType, name: string, value: unknown): readonly Issue[] {
  const { error } = schema.safeParse(value);
  return error?.issues.map((issue) => ({ ...issue, path: [name] })) ?? none;
}
