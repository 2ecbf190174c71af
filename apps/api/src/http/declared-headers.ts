import type { z } from 'zod';

/** A schema as ts-rest takes them (https://standardschema.dev). */
interface HeadersSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (
      headers: Readonly<Record<string, unknown>>,
    ) => { readonly issues: readonly object[] } | { readonly value: null };
  };
}

/**
 * Makes one schema of the declared headers, which checks them where they are. Of a schema for each, ts-rest would copy all
 * headers of every request into a map and back, and no handler reads them from there.
 *
 * @param declared - by the lower-case names of the headers
 */
export function headersSchemaOf(declared: Readonly<Record<string, z.ZodType>>): HeadersSchema {
  const schemas = Object.entries(declared);
  return {
    '~standard': {
      version: 1,
      vendor: 'atelier',
      validate(headers) {
        const issues: object[] = [];
        for (const [name, schema] of schemas) {
          const { error } = schema.safeParse(headers[name]);
          for (const issue of error?.issues ?? []) issues.push({ ...issue, path: [name] });
        }
        return issues.length > 0 ? { issues } : { value: null };
      },
    },
  };
}
