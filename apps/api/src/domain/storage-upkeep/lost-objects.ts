import type { ObjectStore } from '../../ports/object-store.ts';
import { inParallel } from './in-parallel.ts';

/** Objects that are kept in memory. */
const objectsAtOnce = 1_000;

/**
 * Finds objects that the storage has lost, in parallel with its listing: both sort by the bytes of the keys.
 *
 * @param search.referenced - what the database refers to, in that order
 * @param search.isReferenced - whether it still refers to a key
 * @param search.onLost - receives what is lost, in that order
 */
export function lostObjects<Item extends { readonly key: string }>({
  store,
  referenced,
  isReferenced,
  onLost,
}: {
  store: ObjectStore;
  referenced: AsyncGenerator<Item, void>;
  isReferenced: (key: string) => Promise<boolean>;
  onLost: (item: Item) => void;
}) {
  let next: IteratorResult<Item, void> | null = null;

  async function compare(listed: ReadonlySet<string>, isWithin: (key: string) => boolean) {
    const unlisted: Item[] = [];
    for (
      next ??= await referenced.next();
      !next.done && isWithin(next.value.key);
      next = await referenced.next()
    ) {
      if (!listed.has(next.value.key)) unlisted.push(next.value);
      if (unlisted.length === objectsAtOnce) await examine(unlisted.splice(0));
    }
    await examine(unlisted);
  }

  async function examine(unlisted: readonly Item[]): Promise<void> {
    const lost = await inParallel(unlisted, ({ key }) => isLost(key));
    unlisted.filter((_, index) => lost[index]).forEach(onLost);
  }

  /** It may be newer than its page of the listing, and deleted from the database since. */
  async function isLost(key: string): Promise<boolean> {
    return !(await store.statObject(key)) && isReferenced(key);
  }

  return {
    /** Compares the keys up to the last of a page of the listing. */
    async upTo(page: readonly string[]): Promise<void> {
      const last = Buffer.from(page.at(-1) ?? '');
      await compare(new Set(page), (key) => Buffer.compare(Buffer.from(key), last) <= 0);
    },
    rest: () => compare(new Set(), () => true),
  };
}
