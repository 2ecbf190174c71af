/** Calls under way at the same time. */
const most = 4;

export interface Outcomes<Item, Answer> {
  readonly done: readonly { readonly item: Item; readonly answer: Answer }[];
  readonly failures: readonly unknown[];
}

/**
 * Does something to each item, a few at a time; one that fails holds no other up.
 *
 * @throws the first failure when there is nothing else
 */
export async function each<Item, Answer>(
  items: readonly Item[],
  run: (item: Item) => Promise<Answer>,
): Promise<Outcomes<Item, Answer>> {
  const waiting = items.values();
  const done: { item: Item; answer: Answer }[] = [];
  const failures: unknown[] = [];
  const work = async () => {
    for (const item of waiting) {
      try {
        done.push({ item, answer: await run(item) });
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: most }, work));
  if (done.length === 0 && failures.length > 0) throw failures[0];
  return { done, failures };
}
