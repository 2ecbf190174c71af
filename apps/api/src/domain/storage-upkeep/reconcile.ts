import { dayMs } from '../../kernel/durations.ts';
import type { ListedObject } from '../../ports/object-store.ts';
import { objectPrefixes } from '../stored-objects/kinds.ts';
import type { UpkeepDeps, UpkeepMode } from './expired-uploads.ts';
import { inParallel } from './in-parallel.ts';
import { lostObjects } from './lost-objects.ts';
import {
  isStored,
  storedKeys,
  sweptKinds,
  unreferenced,
  withoutUpload,
  type StoredKey,
  type SweptKind,
} from './queries.ts';
import { releaseObject, releaseThumbnail } from './release.ts';

/** The differences between storage and database. */
export interface ReconciliationReport {
  /** Multipart uploads in the storage without a row, aborted. */
  orphanMultipartUploads: number;
  /** Objects without a reference, removed. */
  orphanObjects: number;
  /** Stored objects that the storage has lost. They are only reported. */
  missingObjects: number;
  /** The first of those. */
  firstMissing: StoredKey[];
}

/** Younger ones may get their row soon. */
const minOrphanAgeMs = dayMs;
const namedMissingObjects = 20;

/**
 * Compares storage and database in both directions, in batches. It ignores uploads under way:
 * an active upload keeps its parts and its object.
 *
 * @throws Failure `storage_unavailable` (503); the next run handles the rest
 */
export async function reconcileStorage(
  deps: UpkeepDeps,
  mode: UpkeepMode,
): Promise<ReconciliationReport> {
  const { db, store } = deps;
  const report: ReconciliationReport = {
    orphanMultipartUploads: await sweepMultipartUploads(deps, mode),
    orphanObjects: 0,
    missingObjects: 0,
    firstMissing: [],
  };
  const lost = lostObjects({
    store,
    referenced: storedKeys(db),
    isReferenced: (key) => isStored(db, key),
    onLost(object) {
      report.missingObjects += 1;
      if (report.firstMissing.length < namedMissingObjects) report.firstMissing.push(object);
    },
  });
  for (const kind of sweptKinds) {
    for await (const page of store.listObjects(objectPrefixes[kind])) {
      report.orphanObjects += await sweepObjects(deps, mode, { kind, page });
      if (kind === 'content') await lost.upTo(page.map(({ key }) => key));
    }
  }
  await lost.rest();
  return report;
}

/** @returns the number of uploads that were, or would be, aborted */
async function sweepMultipartUploads(deps: UpkeepDeps, mode: UpkeepMode): Promise<number> {
  const { db, store } = deps;
  const bornBefore = youngestOrphan(deps);
  let count = 0;
  for (const prefix of [objectPrefixes.content, objectPrefixes.export]) {
    for await (const page of store.listMultipartUploads(prefix)) {
      const old = page.filter(({ initiatedAt }) => initiatedAt <= bornBefore);
      const orphans = await withoutUpload(db, old);
      count += orphans.length;
      if (mode === 'mend')
        await inParallel(orphans, (orphan) => store.abortMultipartUpload(orphan));
    }
  }
  return count;
}

/** @returns the number of objects of a page that were, or would be, removed */
async function sweepObjects(
  deps: UpkeepDeps,
  mode: UpkeepMode,
  { kind, page }: { kind: SweptKind; page: readonly ListedObject[] },
): Promise<number> {
  const bornBefore = youngestOrphan(deps);
  const old = page.filter(({ modifiedAt }) => modifiedAt <= bornBefore);
  const orphans = await unreferenced(
    deps.db,
    kind,
    old.map(({ key }) => key),
  );
  if (mode === 'mend') await inParallel(orphans, (key) => remove(deps, kind, key));
  return orphans.length;
}

/** Removes an unreferenced object, with another look at what organizations share. */
async function remove(deps: UpkeepDeps, kind: SweptKind, key: string): Promise<void> {
  if (kind === 'content') return releaseObject(deps, { key, thumbnailKey: null });
  if (kind === 'thumbnail') return releaseThumbnail(deps, key);
  return deps.store.deleteObject(key);
}

function youngestOrphan({ clock }: UpkeepDeps): Date {
  return new Date(clock.now().getTime() - minOrphanAgeMs);
}
