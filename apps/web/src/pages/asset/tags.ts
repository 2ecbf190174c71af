/** Adds what was typed, with commas between tags. Repeated tags count once. */
export function withTags(tags: readonly string[], typed: string): readonly string[] {
  const all = [...tags, ...typed.split(',').map((tag) => tag.trim())].filter((tag) => tag !== '');
  const keys = all.map((tag) => tag.normalize('NFKC').toLowerCase());
  return all.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
}
