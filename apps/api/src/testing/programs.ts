import { accessSync, constants } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';

/** Finds a program of this machine. @returns its path; null if it isn't installed */
export function findProgram(name: string): string | null {
  const directories = (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  // Servers are often installed in `sbin`, which only root has in its path.
  const beside = directories.map((directory) => join(dirname(directory), 'sbin'));
  for (const place of [...directories, ...beside]) {
    const path = join(place, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not here.
    }
  }
  return null;
}
