import pLimit from 'p-limit';
import type { Database } from '../../db/executor.ts';
import type { UpkeepDeps, UpkeepMode } from './expired-uploads.ts';
import {
  isStored,
  storedKeys,
  unreferencedContents,
  unreferencedThumbnails,
  withoutUpload,
  type StoredKey,
} from './queries.ts';

/** What the storage and the database did not agree on. */
export interface ReconciliationReport {
  /** Multipart uploads of the storage that no row knew of, aborted. */
  orphanMultipartUploads: number;
  /** Objects that no row referred to, removed. */
  orphanObjects: number;
  /** Stored objects that the storage has lost. Nothing is done about them but to say so. */
  missingObjects: number;
  /** The first of those. */
  firstMissing: StoredKey[];
}

/** Younger ones may be about to get their row. */
const minOrphanAgeMs = 24 * 60 * 60 * 1000;
const namedMissingObjects = 20;
/** Calls to the storage at a time. */
const parallelCalls = 8;

/** Where uploaded contents lie in the storage. */
const contentPrefix = 'collection/';
/** Where the small pictures of contents lie. */
const thumbnailPrefix = 'thumbnail/';

/**
 * Compares storage and database both ways, in batches. Whatever is on its way between the two is left
 * alone: an active upload keeps its parts and its object.
 *
 * @throws Failure `storage_unavailable` (503); what is left is for the next time
 */
export async function reconcileStorage(
  deps: UpkeepDeps,
  mode: UpkeepMode,
): Promise<ReconciliationReport> {
  const orphanMultipartUploads = await sweepMultipartUploads(deps, mode);
  const thumbnails = await sweepObjects(deps, mode, {
    prefix: thumbnailPrefix,
    unreferenced: unreferencedThumbnails,
  });
  const missing = missingObjectsFinder(deps);
  const contents = await sweepObjects(deps, mode, {
    prefix: contentPrefix,
    unreferenced: unreferencedContents,
    onPage: missing.compare,
  });
  await missing.end();
  return {
    orphanMultipartUploads,
    orphanObjects: thumbnails + contents,
    missingObjects: missing.found.count,
    firstMissing: missing.found.first,
  };
}

/** @returns how many were, or would be, aborted */
async function sweepMultipartUploads(deps: UpkeepDeps, mode: UpkeepMode): Promise<number> {
  const { db, store } = deps;
  const bornBefore = youngestOrphan(deps);
  let count = 0;
  for await (const page of store.listMultipartUploads(contentPrefix)) {
    const old = page.filter(({ initiatedAt }) => initiatedAt <= bornBefore);
    const orphans = await withoutUpload(db, old);
    count += orphans.length;
    if (mode === 'mend') await each(orphans, (orphan) => store.abortMultipartUpload(orphan));
  }
  return count;
}

interface Sweep {
  readonly prefix: string;
  readonly unreferenced: (db: Database, keys: readonly string[]) => Promise<string[]>;
  /** Sees the keys of each page. */
  readonly onPage?: (keys: readonly string[]) => Promise<void>;
}

/** @returns how many were, or would be, removed */
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
    if (mode === 'mend') await each(orphans, (key) => store.deleteObject(key));
    await sweep.onPage?.(page.map(({ key }) => key));
  }
  return count;
}

/** Walks through the database beside a listing: both go by the bytes of the keys. */
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

  /** It may have come after its page was listed, and gone from the database since. */
  async function isLost({ id, key }: StoredKey): Promise<boolean> {
    if (await store.statObject(key)) return false;
    return isStored(db, id);
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
