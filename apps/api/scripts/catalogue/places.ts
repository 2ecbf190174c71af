import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Reads where the tables are defined.
 *
 * @param root - the paths of the files are relative to it
 * @param pattern - a glob of the files that define tables
 * @returns a function from the name of a table to its file and line
 */
export function placesIn(root: string, pattern: string): (table: string) => string {
  const places = new Map<string, string>();
  for (const file of globSync(pattern, { cwd: root })) {
    const text = readFileSync(join(root, file), 'utf8');
    for (const { 1: name = '', index } of text.matchAll(/pgTable\(\s*'([a-z_]+)'/g)) {
      places.set(name, `${file}:${text.slice(0, index).split('\n').length}`);
    }
  }
  return (table) => places.get(table) ?? pattern;
}
