import { openAsBlob } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { safeFileName } from '@atelier/client/files';
import mime from 'mime';
import { UsageError } from './failures.ts';
import { LargeFile } from './large-file.ts';

/**
 * Lists the files of paths: themselves, and everything below folders but links and hidden entries. What can't be read is listed
 * itself, so that it fails alone when it is opened.
 *
 * @throws UsageError for a path where there is nothing
 */
export async function filesOf(paths: readonly string[]): Promise<string[]> {
  const lists = await Promise.all(
    paths.map(async (path) => {
      const found = await stat(path).catch(({ code }: NodeJS.ErrnoException) => code);
      if (typeof found === 'object' && found.isDirectory()) return filesBelow(path);
      const isMissing = found === 'ENOENT' || found === 'ENOTDIR';
      if (typeof found === 'object' ? found.isFile() : !isMissing) return [path];
      throw new UsageError(`There is no file or folder ${path}.`);
    }),
  );
  return [...new Map(lists.flat().map((path) => [resolve(path), path])).values()];
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => null);
  if (!entries) return [folder];
  const visible = entries.filter(({ name }) => !name.startsWith('.'));
  const lists = await Promise.all(
    visible.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesBelow(path);
      return entry.isFile() ? [path] : [];
    }),
  );
  return lists.flat().toSorted();
}

/** Opens a file without reading it. */
export async function openFile(path: string): Promise<File> {
  const type = mime.getType(path) ?? 'application/octet-stream';
  const found = await stat(path);
  if (found.isDirectory()) {
    // The system says why, if it refuses again.
    await readdir(path);
    throw new Error('this folder could not be read');
  }
  const { mtimeMs, size } = found;
  const content = await openAsBlob(path, { type });
  const options = { type, lastModified: Math.trunc(mtimeMs) };
  // Node 26 counts the bytes of such a blob in 32 bits.
  if (size >= 2 ** 32) return new LargeFile(path, { ...options, start: 0, end: size });
  return new File([content], basename(path), options);
}

/**
 * Gives each file a safe name of its own: a collection may have several of one name, and some systems take names for
 * equal that differ in case or in how an accent is written.
 */
export function uniqueNames<File extends { readonly id: string; readonly name: string }>(
  files: readonly File[],
): Map<string, File> {
  const taken = new Set<string>();
  return new Map(
    files.map((file) => {
      const safe = safeName(file.name);
      let name = safe;
      for (let number = 1; taken.has(keyOf(name)); number += 1) {
        name = number === 1 ? `${file.id}-${safe}` : `${file.id}-${number}-${safe}`;
      }
      taken.add(keyOf(name));
      return [name, file];
    }),
  );
}

function keyOf(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Returns a name that is safe in a folder, and not hidden: other people choose the names of assets. */
function safeName(name: string): string {
  return safeFileName(name).replace(/^\.+/, '_');
}
