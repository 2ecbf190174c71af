/** Work that is done for many at once, one piece after the other. */
export interface Gathered<Item> {
  add(item: Item): void;
  /** Waits until everything is done. @throws what the work threw */
  done(): Promise<void>;
}

/**
 * Hands over what has been added as soon as the piece before is done: one at a time to a slow adder, many together to a
 * fast one.
 *
 * @param onFailure - is told at once; nothing is handed over any more
 */
export function gather<Item>(
  work: (items: readonly Item[]) => Promise<void>,
  onFailure: () => void,
): Gathered<Item> {
  let waiting: Item[] = [];
  let working: Promise<void> | null = null;
  let failure: { readonly error: unknown } | null = null;

  async function workOff(): Promise<void> {
    try {
      while (waiting.length > 0) {
        const items = waiting;
        waiting = [];
        await work(items);
      }
    } catch (error) {
      failure = { error };
      onFailure();
    } finally {
      working = null;
    }
  }

  return {
    add(item) {
      waiting.push(item);
      if (!failure) working ??= workOff();
    },
    async done() {
      await working;
      if (failure) throw failure.error;
    },
  };
}
