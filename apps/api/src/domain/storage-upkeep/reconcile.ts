import pLimit from 'p-limit';
import type { Database } from '../../db/executor.ts';
import type { UpkeepDeps, UpkeepMode } from './expired-uploads.ts';
import {
  isStored,
  storedKeys,
  unreferencedContents,
  unreferencedExports,
  unreferencedSharePictures,
  unreferencedThumbnails,
  withoutUpload,
  type StoredKey,
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
const minOrphanAgeMs = 24 * 60 * 60 * 1000;
const namedMissingObjects = 20;
/** Number of concurrent requests to the storage. */
const parallelCalls = 8;

/** The prefixes of uploaded contents in the storage. */
const contentPrefix = 'collection/';
/** The prefix of thumbnails. */
const thumbnailPrefix = 'thumbnail/';
/** The prefix of exports of accounts. */
const exportPrefix = 'export/';
/** The prefix of pictures for visitors of shares. */
const sharePicturePrefix = 'share-picture/';

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
  const orphanMultipartUploads = await sweepMultipartUploads(deps, mode);
  const thumbnails = await sweepObjects(deps, mode, {
    prefix: thumbnailPrefix,
    unreferenced: unreferencedThumbnails,
    remove: (key) => releaseThumbnail(deps, key),
  });
  const exports = await sweepObjects(deps, mode, {
    prefix: exportPrefix,
    unreferenced: unreferencedExports,
  });
  const sharePictures = await sweepObjects(deps, mode, {
    prefix: sharePicturePrefix,
    unreferenced: unreferencedSharePictures,
  });
  const missing = missingObjectsFinder(deps);
  const contents = await sweepObjects(deps, mode, {
    prefix: contentPrefix,
    unreferenced: unreferencedContents,
    remove: (key) => releaseObject(deps, { key, thumbnailKey: null }),
    onPage: missing.compare,
  });
  await missing.end();
  return {
    orphanMultipartUploads,
    orphanObjects: thumbnails + exports + sharePictures + contents,
    missingObjects: missing.found.count,
    firstMissing: missing.found.first,
  };
}

/** @returns the number of uploads that were, or would be, aborted */
async function sweepMultipartUploads(deps: UpkeepDeps, mode: UpkeepMode): Promise<number> {
  const { db, store } = deps;
  const bornBefore = youngestOrphan(deps);
  let count = 0;
  for (const prefix of [contentPrefix, exportPrefix]) {
    for await (const page of store.listMultipartUploads(prefix)) {
      const old = page.filter(({ initiatedAt }) => initiatedAt <= bornBefore);
      const orphans = await withoutUpload(db, old);
      count += orphans.length;
      if (mode === 'mend') await each(orphans, (orphan) => store.abortMultipartUpload(orphan));
    }
  }
  return count;
}

interface Sweep {
  readonly prefix: string;
  readonly unreferenced: (db: Database, keys: readonly string[]) => Promise<string[]>;
  /** Removes an object. Default: from the storage, without another look. */
  readonly remove?: (key: string) => Promise<void>;
  /** Receives the keys of each page. */
  readonly onPage?: (keys: readonly string[]) => Promise<void>;
}

/** @returns the number of objects that were, or would be, removed */
async function sweepObjects(deps: UpkeepDeps, mode: UpkeepMode, sweep: Sweep): Promise<number> {
  const { db, store } = deps;
  const bornBefore = youngestOrphan(deps);
  let count = 0;
  for await (const page of store.listObjects(sweep.prefix)) {
    const old = page.filter(({ modifiedAt }) => modifiedAt <= bornBefore);
    const orphans = await sweep.unreferenced(
      db,
      old.map(({ key }) => key),
    );
    count += orphans.length;
    const remove = sweep.remove ?? ((key) => store.deleteObject(key));
    if (mode === 'mend') await each(orphans, remove);
    await sweep.onPage?.(page.map(({ key }) => key));
  }
  return count;
}

/** Reads the database in parallel with a listing: both sort by the bytes of the keys. */
function missingObjectsFinder({ db, store }: UpkeepDeps) {
  const found = { count: 0, first: [] as StoredKey[] };
  let after = '';

  async function compareSpan(listed: ReadonlySet<string>, upTo: string | null): Promise<void> {
    for await (const batch of storedKeys(db, { after, upTo })) {
      const unlisted = batch.filter(({ key }) => !listed.has(key));
      const lost = await each(unlisted, async (object) => ((await isLost(object)) ? object : []));
      found.count += lost.flat().length;
      found.first.push(...lost.flat().slice(0, namedMissingObjects - found.first.length));
    }
  }

  /** It may be newer than its page of the listing, and deleted from the database since. */
  async function isLost({ key }: StoredKey): Promise<boolean> {
    if (await store.statObject(key)) return false;
    return isStored(db, key);
  }

  return {
    found,
    async compare(keys: readonly string[]): Promise<void> {
      const last = keys.at(-1);
      if (last === undefined) return;
      await compareSpan(new Set(keys), last);
      after = last;
    },
    end: () => compareSpan(new Set(), null),
  };
}

function youngestOrphan({ clock }: UpkeepDeps): Date {
  return new Date(clock.now().getTime() - minOrphanAgeMs);
}

function each<Item, Result>(
  items: readonly Item[],
  visit: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const limit = pLimit(parallelCalls);
  return Promise.all(items.map((item) => limit(() => visit(item))));
}
