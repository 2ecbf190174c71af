/** A migration at the time of its release. */
export interface FrozenMigration {
  /** Its date in the journal, in milliseconds since 1970. */
  readonly when: number;
  readonly sha256: string;
}

/** Every released migration by its name. */
export type MigrationsLock = Readonly<Record<string, FrozenMigration>>;

export interface JournalEntry {
  readonly idx: number;
  readonly when: number;
  readonly tag: string;
}

export interface Migrations {
  readonly journal: readonly JournalEntry[];
  /** SHA-256 of each SQL file by its name without extension. */
  readonly files: Readonly<Record<string, string>>;
}

/** Returns the lock of the migrations. */
export function lockOf({ journal, files }: Migrations): MigrationsLock {
  return Object.fromEntries(
    journal.map(({ tag, when }) => [tag, { when, sha256: files[tag] ?? '' }]),
  );
}

/**
 * Lists the problems of the migrations: out of order, incomplete, or edited after release. A migration that is not
 * in the lock yet is no problem; see {@link additionsTo}.
 */
export function migrationProblems(migrations: Migrations, lock: MigrationsLock): string[] {
  return [
    ...orderProblems(migrations),
    ...fileProblems(migrations),
    ...releaseProblems(migrations, lock),
  ];
}

/** Lists the migrations that are not in the lock yet. */
export function additionsTo(lock: MigrationsLock, { journal }: Migrations): string[] {
  return journal.map(({ tag }) => tag).filter((tag) => !(tag in lock));
}

function orderProblems({ journal }: Migrations): string[] {
  return journal.flatMap(({ idx, when, tag }, index) => {
    if (idx !== index) return [`${tag} has index ${idx} in the journal, expected ${index}.`];
    const previous = journal[index - 1];
    if (!previous || when > previous.when) return [];
    // The migrator only compares with the newest applied migration.
    return [
      `${tag} is not dated after ${previous.tag} and would be skipped silently. Generate it again.`,
    ];
  });
}

function fileProblems({ journal, files }: Migrations): string[] {
  const tags = new Set(journal.map(({ tag }) => tag));
  return [
    ...journal.filter(({ tag }) => !(tag in files)).map(({ tag }) => `${tag}.sql is missing.`),
    ...Object.keys(files)
      .filter((tag) => !tags.has(tag))
      .map((tag) => `${tag}.sql is not in the journal and would never run.`),
  ];
}

function releaseProblems(migrations: Migrations, lock: MigrationsLock): string[] {
  const current = lockOf(migrations);
  return Object.entries(lock).flatMap(([tag, released]) => {
    const now = current[tag];
    if (!now) return [`${tag} is released and gone. Put it back; undo it by a new migration.`];
    if (now.sha256 === released.sha256 && now.when === released.when) return [];
    return [
      `${tag} is released and was edited. Databases that have it never run it again: put it back and write a new migration.`,
    ];
  });
}
