import type { Operation } from '@atelier/contract';
import { z } from 'zod';

/** Returns the schema of the body; null if the operation reads none. */
export function bodySchemaOf({ endpoint }: Operation): z.ZodType | null {
  const body: unknown = endpoint.body;
  return body instanceof z.ZodType && !endpoint.metadata.toleratesAnyBody ? body : null;
}

/** Returns the schema of the query; null if the operation reads none. */
export function querySchemaOf({ endpoint }: Operation): z.ZodType | null {
  return 'query' in endpoint && endpoint.query instanceof z.ZodType ? endpoint.query : null;
}

/** Returns the names of the path parameters. */
export function paramNamesOf({ endpoint }: Operation): string[] {
  return [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name]) => String(name));
}
