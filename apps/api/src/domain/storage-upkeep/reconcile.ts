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

/**
 * This folder is the janitor of the storage, as comments and `operator verify` call it: the jobs `clean_up_uploads` and
 * `reconcile_storage` end what was left, and remove what nothing refers to.
 *
 * `mend` refuses to remove most of the bucket, `mend_most` doesn't.
 */
export type ReconciliationMode = UpkeepMode | 'mend_most';

/** Objects of the bucket that are old enough to be removed. */
interface AgedObjects {
  readonly all: number;
  /** Those that nothing refers to. */
  readonly orphans: number;
}

/** The differences between storage and database. */
export interface ReconciliationReport {
  /** Multipart uploads in the storage without a row, aborted. */
  orphanMultipartUploads: number;
  /** Objects without a reference, removed. */
  orphanObjects: number;
  /** Set if there are so many of them that `mend` leaves the bucket as it is: see {@link whyWithheld}. */
  withheld: AgedObjects | null;
  /** Stored objects that the storage has lost. They are only reported. */
  missingObjects: number;
  /** The first of those. */
  firstMissing: StoredKey[];
}

/** Younger ones may get their row soon. */
const minOrphanAgeMs = dayMs;
const namedMissingObjects = 20;
/** As many may always be removed, unless nothing would be left. */
const fewObjects = 100;

/**
 * Compares storage and database in both directions, in batches. It ignores uploads under way:
 * an active upload keeps its parts and its object. A bucket that mostly belongs to another database stays as it is.
 *
 * @throws Failure `storage_unavailable` (503); the next run handles the rest
 */
export async function reconcileStorage(
  deps: UpkeepDeps,
  mode: ReconciliationMode,
): Promise<ReconciliationReport> {
  const { aged, ...missing } = await compare(deps);
  const withheld = isMost(aged) && mode !== 'mend_most' ? aged : null;
  if (withheld && mode === 'mend') {
    return { orphanMultipartUploads: 0, orphanObjects: 0, withheld, ...missing };
  }
  return {
    orphanMultipartUploads: await sweepMultipartUploads(deps, mode),
    orphanObjects: mode === 'examine' ? aged.orphans : await sweepObjects(deps, aged),
    withheld,
    ...missing,
  };
}

/** Explains to the operator why nothing was removed. */
export function whyWithheld({ all, orphans }: AgedObjects): string {
  return (
    `Nothing is removed from the bucket: the database refers to ${all - orphans} of its ${all} objects that are older than a ` +
    'day. Check that DATABASE_URL and S3_BUCKET belong together, and that the database has been restored. Only if all of ' +
    `this is so, remove the other ${orphans}: pnpm operator storage --fix --remove-most`
  );
}

/** As with a database that isn't the one of the bucket. */
function isMost({ all, orphans }: AgedObjects): boolean {
  if (orphans === 0) return false;
  return orphans === all || (orphans > fewObjects && orphans > all / 2);
}

/** Counts before anything is removed: what a page says alone isn't enough to decide. */
async function compare(deps: UpkeepDeps) {
  const { db, store } = deps;
  const missing = { missingObjects: 0, firstMissing: [] as StoredKey[] };
  const aged = { all: 0, orphans: 0 };
  const lost = lostObjects({
    store,
    referenced: storedKeys(db),
    isReferenced: (key) => isStored(db, key),
    onLost(object) {
      missing.missingObjects += 1;
      if (missing.firstMissing.length < namedMissingObjects) missing.firstMissing.push(object);
    },
  });
  for (const kind of sweptKinds) {
    for await (const page of store.listObjects(objectPrefixes[kind])) {
      deps.signal?.throwIfAborted();
      const keys = agedKeys(deps, page);
      aged.all += keys.length;
      aged.orphans += (await unreferenced(db, kind, keys)).length;
      if (kind === 'content') await lost.upTo(page.map(({ key }) => key));
    }
  }
  await lost.rest();
  return { aged, ...missing };
}

/** @returns the number of uploads that were, or would be, aborted */
async function sweepMultipartUploads(deps: UpkeepDeps, mode: ReconciliationMode): Promise<number> {
  const { db, store } = deps;
  const bornBefore = youngestOrphan(deps);
  let count = 0;
  for (const prefix of [objectPrefixes.content, objectPrefixes.export]) {
    for await (const page of store.listMultipartUploads(prefix)) {
      deps.signal?.throwIfAborted();
      const old = page.filter(({ initiatedAt }) => initiatedAt <= bornBefore);
      const orphans = await withoutUpload(db, old);
      count += orphans.length;
      if (mode !== 'examine')
        await inParallel(orphans, (orphan) => store.abortMultipartUpload(orphan));
    }
  }
  return count;
}

/** @returns the number of objects that were removed */
async function sweepObjects(deps: UpkeepDeps, { orphans: expected }: AgedObjects): Promise<number> {
  if (expected === 0) return 0;
  const { db, store } = deps;
  let count = 0;
  for (const kind of sweptKinds) {
    for await (const page of store.listObjects(objectPrefixes[kind])) {
      deps.signal?.throwIfAborted();
      const orphans = await unreferenced(db, kind, agedKeys(deps, page));
      count += orphans.length;
      await inParallel(orphans, (key) => remove(deps, kind, key));
    }
  }
  return count;
}

function agedKeys(deps: UpkeepDeps, page: readonly ListedObject[]): string[] {
  const bornBefore = youngestOrphan(deps);
  return page.filter(({ modifiedAt }) => modifiedAt <= bornBefore).map(({ key }) => key);
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
