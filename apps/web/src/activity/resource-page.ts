import type { Activity } from '@atelier/client';
import { resourceOf } from './known.ts';

interface ResourcePage {
  readonly path: string;
  readonly search: Readonly<Record<string, string>>;
}

type Identified = Pick<Activity, 'resourceType' | 'resourceId' | 'metadata'>;

/** Returns the page of an activity's resource; null if it has none or the activity doesn't say which. */
export function resourcePage({
  resourceType,
  resourceId,
  metadata,
}: Identified): ResourcePage | null {
  const page = resourceOf(resourceType)?.page ?? null;
  if (page === null) return null;
  const values: Readonly<Record<string, unknown>> = { ...metadata, id: resourceId };
  const names = [...page.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (names.some((name) => typeof values[name] !== 'string')) return null;
  const filled = page.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(values[name])),
  );
  const { pathname, searchParams } = new URL(filled, 'http://localhost');
  return { path: pathname, search: Object.fromEntries(searchParams) };
}
