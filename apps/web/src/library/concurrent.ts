const concurrency = 4;

export interface Results<Item, Result> {
  readonly done: readonly { readonly item: Item; readonly result: Result }[];
  readonly failures: readonly unknown[];
}

/**
 * Runs a function for each item, four at a time. A failure doesn't stop the others.
 *
 * @throws the first error if every item failed
 */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<Results<Item, Result>> {
  const queue = items.values();
  const done: { item: Item; result: Result }[] = [];
  const failures: unknown[] = [];
  const work = async () => {
    for (const item of queue) {
      try {
        done.push({ item, result: await run(item) });
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  if (done.length === 0 && failures.length > 0) throw failures[0];
  return { done, failures };
}
