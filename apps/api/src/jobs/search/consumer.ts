import type { SearchType } from '@atelier/contract';
import type { Transaction } from '../../db/executor.ts';
import { enqueueJob } from '../../domain/job-queue.ts';
import { firstPiece, indexResources } from '../../domain/search-index/index-resources.ts';
import { removeParts, searchConsumer } from '../../domain/search-index/queries/rows.ts';
import { findCollectionsOf, findPersons } from '../../domain/search-index/queries/sources.ts';
import type { Consumer } from '../follow/follow.ts';
import type { LogRow } from '../follow/queries.ts';

/**
 * Keeps the index of search: each resource that an activity is about is read as it is now. So activities may come late, or
 * twice.
 *
 * @see docs/decisions/0087-search.md
 */
export function keepSearchIndex(): Consumer {
  return {
    name: searchConsumer,
    follows: 'every organization',
    take: keepIndex,
    async restart(tx, organizationId) {
      await enqueueJob(tx, 'index_search', firstPiece(organizationId));
    },
  };
}

const searched: Partial<Record<LogRow['resourceType'], SearchType>> = {
  task: 'task',
  comment: 'comment',
  asset: 'asset',
  collection: 'collection',
  project: 'project',
};

async function keepIndex(
  tx: Transaction,
  organizationId: string,
  rows: readonly LogRow[],
): Promise<void> {
  const touched = Map.groupBy(
    rows.filter(({ resourceType }) => searched[resourceType]),
    ({ resourceType }) => resourceType,
  );
  for (const [resourceType, ofType] of touched) {
    const type = searched[resourceType];
    if (type) await indexResources(tx, { organizationId, type }, idsOf(ofType));
  }
  // A publication may have created the collection it is in, which has no activity of its own.
  const published = idsOf(withAction(rows, 'asset.publish'));
  await indexResources(
    tx,
    { organizationId, type: 'collection' },
    await findCollectionsOf(tx, organizationId, published),
  );
  await indexResources(
    tx,
    { organizationId, type: 'person' },
    await personsIn(tx, organizationId, rows),
  );
  await removeParts(tx, organizationId, {
    taskIds: idsOf(withAction(rows, 'task.delete')),
    projectIds: idsOf(withAction(rows, 'project.delete')),
    collectionIds: idsOf(withAction(rows, 'collection.delete')),
  });
  // There may be a million of them.
  const changed = [
    ...withAction(rows, 'collection.rename'),
    ...withAction(rows, 'collection.restore'),
  ];
  for (const collectionId of idsOf(changed)) {
    const piece = { organizationId, type: 'asset', afterId: null, collectionId } as const;
    await enqueueJob(tx, 'index_search', piece);
  }
}

/** The accounts that became members, or no longer are. */
async function personsIn(tx: Transaction, organizationId: string, rows: readonly LogRow[]) {
  const members = rows.filter(({ resourceType }) => resourceType === 'member');
  const creators = withAction(rows, 'organization.create').map(({ actor }) => actor?.id);
  const named = members.map(({ metadata }) => metadata?.['userId']);
  const joined = await findPersons(tx, organizationId, idsOf(members));
  const ids = [...named, ...creators, ...joined].filter((id) => typeof id === 'string');
  return [...new Set(ids)];
}

function withAction(rows: readonly LogRow[], wanted: LogRow['action']): LogRow[] {
  return rows.filter(({ action }) => action === wanted);
}

/** Sorted: other statements take the locks of rows in the same order. */
function idsOf(rows: readonly LogRow[]): string[] {
  return [...new Set(rows.map(({ resourceId }) => resourceId))].toSorted();
}
