interface Identified {
  readonly id: string;
}

/** The items of a choice for several tasks, before and after. */
export interface ChoiceChange<Item> {
  readonly from: readonly Item[];
  readonly to: readonly Item[];
}

/** Returns the items that every list has. */
export function commonOf<Item extends Identified>(
  lists: readonly (readonly Item[])[],
): readonly Item[] {
  const [first = [], ...others] = lists;
  return first.filter(({ id }) => others.every((list) => list.some((one) => one.id === id)));
}

/** Returns the items of one task after the choice for several: what was added is added, what was removed is removed. */
export function withChoice<Item extends Identified>(
  items: readonly Item[],
  { from, to }: ChoiceChange<Item>,
): readonly Item[] {
  const has = (list: readonly Item[], { id }: Item) => list.some((one) => one.id === id);
  const kept = items.filter((item) => !has(from, item) || has(to, item));
  const added = to.filter((item) => !has(from, item) && !has(kept, item));
  return [...kept, ...added];
}
