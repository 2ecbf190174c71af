import type { UploadItem } from './upload-list.ts';

/**
 * Finds the files of interrupted uploads among those that were chosen again.
 *
 * @param items - of several with an equal file, the first one gets it
 */
export function matchFiles(
  chosen: readonly File[],
  items: readonly UploadItem[],
): { readonly found: ReadonlyMap<UploadItem, File>; readonly others: readonly File[] } {
  const left = Map.groupBy(items, ({ name, sizeBytes, lastModified }) =>
    JSON.stringify([name, sizeBytes, lastModified]),
  );
  const found = new Map<UploadItem, File>();
  const others: File[] = [];
  for (const file of chosen) {
    const item = left.get(JSON.stringify([file.name, file.size, file.lastModified]))?.shift();
    if (item) found.set(item, file);
    else others.push(file);
  }
  return { found, others };
}
