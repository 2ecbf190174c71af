import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from '../../db/executor.ts';
import { storedObjects } from '../../db/generated/schema.ts';
import type { StoredObjectKey } from '../../domain/stored-objects/queries.ts';

/** Finds what organizations have of an object, where it has no thumbnail. */
export function findUncovered(db: Database, key: string): Promise<StoredObjectKey[]> {
  return db
    .select({ organizationId: storedObjects.organizationId, id: storedObjects.id })
    .from(storedObjects)
    .where(and(eq(storedObjects.key, key), isNull(storedObjects.thumbnailKey)));
}
