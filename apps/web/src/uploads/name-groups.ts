/** The API takes this many characters of names in a request; escaped, they fit into any URL. */
const maxEscapedLength = 4096;

/** Divides distinct names into groups that fit into a URL. Leaves out those that no asset can have. */
export function groupsOf(names: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = [];
  let length = Infinity;
  for (const name of new Set(names)) {
    if (!name.isWellFormed()) continue;
    const added = new URLSearchParams([['', `${name}/`]]).toString().length;
    if (length + added > maxEscapedLength) {
      groups.push([]);
      length = 0;
    }
    groups.at(-1)?.push(name);
    length += added;
  }
  return groups;
}
