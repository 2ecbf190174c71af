import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A migration in the order of the journal. */
interface JournalEntry {
  /** Its name, without extension. */
  readonly tag: string;
  /** Milliseconds since 1970, by which applied ones are known. */
  readonly when: number;
}

/** Reads the journal that drizzle-kit writes. */
export async function readJournal(folder: string): Promise<readonly JournalEntry[]> {
  const text = await readFile(join(folder, 'meta', '_journal.json'), 'utf8');
  // drizzle-kit writes this file.
  const { entries } = JSON.parse(text) as { entries: readonly JournalEntry[] };
  return entries;
}

/** Reads a migration's statements, and the hash that the migrator of the library would store. */
export async function readMigration(
  folder: string,
  { tag }: JournalEntry,
): Promise<{ statements: readonly string[]; hash: string }> {
  const text = await readFile(join(folder, `${tag}.sql`), 'utf8');
  return {
    statements: text.split('--> statement-breakpoint'),
    hash: createHash('sha256').update(text).digest('hex'),
  };
}
