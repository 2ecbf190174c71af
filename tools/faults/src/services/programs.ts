import { accessSync, constants } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';

/** Where the machine has a program; null where it has none. */
export function findProgram(name: string): string | null {
  const directories = (process.env['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  // Servers often lie where only root looks.
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
