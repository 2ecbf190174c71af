import type { Collection } from '@atelier/contract';
import { aboutResource } from '../../domain/activity.ts';
import type { CollectionRow } from './queries.ts';

export function presentCollection(row: CollectionRow): Collection {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export const aboutCollection = aboutResource(
  'collection',
  ({ title }: { readonly title: string }) => title,
);
