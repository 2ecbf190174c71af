import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where the machine has a program; null where it has none. Servers often lie where only root looks. */
export function findProgram(name: string): string | null {
  const places = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  for (const place of places) {
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
