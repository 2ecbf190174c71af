import type { Deps } from '../../deps.ts';
import type { Transaction } from '../../db/executor.ts';
import type { ListedObject } from '../../ports/object-store.ts';
import { inParallel } from '../storage-upkeep/in-parallel.ts';
import { lostObjects } from '../storage-upkeep/lost-objects.ts';
import { unreferenced, withoutUpload } from '../storage-upkeep/queries.ts';
import { objectKinds, objectPrefixes, type ObjectKind } from '../stored-objects/kinds.ts';
import type { CheckResult } from './verify.ts';
import {
  avatarsInHand,
  countExpiredUploads,
  expectedAmong,
  expectedKeys,
  isExpected,
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
  const lost = objectKinds.map((kind) =>
    lostObjects({
      store: deps.store,
      referenced: expectedKeys(tx, kind),
      isReferenced: (key) => isExpected(deps.db, kind, key),
      onLost: ({ key }) => missing.add(key),
    }),
  );
  let orphans = 0;

  for await (const page of deps.store.listObjects('')) {
    for (const kind of objectKinds) {
      const listed = page.filter(({ key }) => key.startsWith(objectPrefixes[kind]));
      const expected = await expectedAmong(deps.db, kind, keysOf(listed));
      const sizes = new Map(expected.map(({ key, sizeBytes }) => [key, sizeBytes]));
      for (const { key, sizeBytes } of listed) {
        const known = sizes.get(key) ?? null;
        if (known !== null && known !== sizeBytes) {
          differing.add(`${key} has ${sizeBytes} bytes instead of ${known}`);
        }
      }
      const others = keysOf(listed).filter((key) => !sizes.has(key));
      const { left, unowned } = await judge(deps, kind, others);
      orphans += left;
      unowned.forEach(unknown.add);
    }
    keysOf(page)
      .filter((key) => !Object.values(objectPrefixes).some((prefix) => key.startsWith(prefix)))
      .forEach(unknown.add);
    for (const { upTo } of lost) await upTo(keysOf(page));
  }
  for (const { rest } of lost) await rest();
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
  kind: ObjectKind,
  keys: readonly string[],
): Promise<{ left: number; unowned: string[] }> {
  if (kind !== 'avatar') return { left: (await unreferenced(db, kind, keys)).length, unowned: [] };
  const inHand = new Set(await avatarsInHand(db, keys));
  const others = keys.filter((key) => !inHand.has(key));
  // Referenced or removed since.
  const remaining = await inParallel(others, async (key) => {
    if (await isExpected(db, kind, key)) return [];
    return (await store.statObject(key)) ? key : [];
  });
  return { left: keys.length - others.length, unowned: remaining.flat() };
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
