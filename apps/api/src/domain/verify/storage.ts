import pLimit from 'p-limit';
import type { Deps } from '../../deps.ts';
import type { Transaction } from '../../db/executor.ts';
import type { ListedObject } from '../../ports/object-store.ts';
import {
  unreferencedContents,
  unreferencedExports,
  unreferencedSharePictures,
  unreferencedThumbnails,
  withoutUpload,
} from '../storage-upkeep/queries.ts';
import type { CheckResult } from './verify.ts';
import {
  avatarsInHand,
  countExpiredUploads,
  everyHome,
  expectedAmong,
  expectedKeys,
  isExpected,
  type Home,
} from './queries/stored-keys.ts';

export interface StorageVerification {
  readonly results: readonly CheckResult[];
  /** Objects that are no violation: the janitor removes them in time. */
  readonly leftForJanitor: {
    readonly expiredUploads: number;
    readonly multipartUploads: number;
    readonly objects: number;
  };
}

type VerifyDeps = Pick<Deps, 'db' | 'store'>;

const namedSubjects = 10;
const parallelCalls = 8;
/** Keys that are kept in memory. */
const keysAtOnce = 1_000;

/** The prefixes of the objects of each kind in the storage. */
const prefixes: Readonly<Record<Home, string>> = {
  content: 'collection/',
  thumbnail: 'thumbnail/',
  avatar: 'avatar/',
  export: 'export/',
  sharePicture: 'share-picture/',
};

/**
 * Compares the storage with the database, in pages. The service may keep running: a difference is
 * checked again before it counts as a violation.
 *
 * @throws Failure `storage_unavailable` (503)
 */
export async function verifyStorage(deps: VerifyDeps): Promise<StorageVerification> {
  return deps.db.transaction((tx) => compare(deps, tx), { accessMode: 'read only' });
}

/** @param tx - reads the keys that the database refers to, during the listing */
async function compare(deps: VerifyDeps, tx: Transaction): Promise<StorageVerification> {
  const missing = finding('stored-objects', 'Every object that the database refers to is stored');
  const differing = finding('object-sizes', 'Every object has the size that the database tells');
  const unknown = finding(
    'known-objects',
    'Everything stored is known, or the janitor’s to remove',
  );
  const lost = everyHome.map((home) => lostFinder(deps, home, expectedKeys(tx, home)));
  let orphans = 0;

  for await (const page of deps.store.listObjects('')) {
    for (const home of everyHome) {
      const listed = page.filter(({ key }) => key.startsWith(prefixes[home]));
      const expected = await expectedAmong(deps.db, home, keysOf(listed));
      const sizes = new Map(expected.map(({ key, sizeBytes }) => [key, sizeBytes]));
      for (const { key, sizeBytes } of listed) {
        const known = sizes.get(key) ?? null;
        if (known !== null && known !== sizeBytes) {
          differing.add(`${key} has ${sizeBytes} bytes instead of ${known}`);
        }
      }
      const others = keysOf(listed).filter((key) => !sizes.has(key));
      const { left, unreferenced } = await judge(deps, home, others);
      orphans += left;
      unreferenced.forEach(unknown.add);
    }
    keysOf(page)
      .filter((key) => !Object.values(prefixes).some((prefix) => key.startsWith(prefix)))
      .forEach(unknown.add);
    for (const { upTo } of lost)
      (await upTo(page.at(-1)?.key ?? '', keysOf(page))).forEach(missing.add);
  }
  for (const { rest } of lost) (await rest()).forEach(missing.add);
  return {
    results: [missing.result, differing.result, unknown.result],
    leftForJanitor: {
      expiredUploads: await countExpiredUploads(deps.db),
      multipartUploads: await countOrphanMultipartUploads(deps),
      objects: orphans,
    },
  };
}

/** Sorts unreferenced objects: those that a job will remove, and those that stay forever. */
async function judge(
  { db, store }: VerifyDeps,
  home: Home,
  keys: readonly string[],
): Promise<{ left: number; unreferenced: string[] }> {
  switch (home) {
    case 'content':
      return { left: (await unreferencedContents(db, keys)).length, unreferenced: [] };
    case 'thumbnail':
      return { left: (await unreferencedThumbnails(db, keys)).length, unreferenced: [] };
    case 'export':
      return { left: (await unreferencedExports(db, keys)).length, unreferenced: [] };
    case 'sharePicture':
      return { left: (await unreferencedSharePictures(db, keys)).length, unreferenced: [] };
    case 'avatar': {
      const inHand = new Set(await avatarsInHand(db, keys));
      const others = keys.filter((key) => !inHand.has(key));
      // Referenced or removed since.
      const remaining = await each(others, async (key) => {
        if (await isExpected(db, 'avatar', key)) return [];
        return (await store.statObject(key)) ? key : [];
      });
      return { left: keys.length - others.length, unreferenced: remaining.flat() };
    }
  }
}

/** Finds lost objects in parallel with the listing: both sort by the bytes of the keys. */
function lostFinder({ db, store }: VerifyDeps, home: Home, keys: AsyncGenerator<string>) {
  let next: IteratorResult<string, void> | null = null;

  async function compareSpan(isWithin: (key: string) => boolean, listed: ReadonlySet<string>) {
    const lost: string[] = [];
    const unlisted: string[] = [];
    for (next ??= await keys.next(); !next.done && isWithin(next.value); next = await keys.next()) {
      if (!listed.has(next.value)) unlisted.push(next.value);
      if (unlisted.length === keysAtOnce) lost.push(...(await lostOf(unlisted.splice(0))));
    }
    return [...lost, ...(await lostOf(unlisted))];
  }

  async function lostOf(unlisted: readonly string[]): Promise<string[]> {
    const lost = await each(unlisted, async (key) => {
      if (await store.statObject(key)) return [];
      // Deleted since, both row and object.
      return (await isExpected(db, home, key)) ? key : [];
    });
    return lost.flat();
  }

  return {
    /** Compares the keys up to the last of a page of the listing. */
    upTo: (last: string, page: readonly string[]) =>
      compareSpan((key) => Buffer.compare(Buffer.from(key), Buffer.from(last)) <= 0, new Set(page)),
    rest: () => compareSpan(() => true, new Set()),
  };
}

async function countOrphanMultipartUploads({ db, store }: VerifyDeps): Promise<number> {
  let count = 0;
  for await (const page of store.listMultipartUploads('')) {
    count += (await withoutUpload(db, page)).length;
  }
  return count;
}

/** Counts violations, and keeps the first. */
function finding(name: string, claim: string) {
  const subjects: string[] = [];
  const result = { name, claim, total: 0, subjects };
  return {
    result,
    add(this: void, subject: string): void {
      result.total += 1;
      if (subjects.length < namedSubjects) subjects.push(subject);
    },
  };
}

function keysOf(objects: readonly ListedObject[]): string[] {
  return objects.map(({ key }) => key);
}

function each<Item, Result>(
  items: readonly Item[],
  visit: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const limit = pLimit(parallelCalls);
  return Promise.all(items.map((item) => limit(() => visit(item))));
}
