import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  additionsTo,
  lockOf,
  migrationProblems,
  type JournalEntry,
  type Migrations,
  type MigrationsLock,
} from './migration-rules.ts';

// Checks the migrations against the lock; with --write, also adds the new ones to it.
const folder = join(import.meta.dirname, '..', 'apps', 'api', 'migrations');
const lockFile = join(import.meta.dirname, 'migrations.lock.json');

const migrations = readMigrations();
const lock = readJson(lockFile) as MigrationsLock;
const problems = migrationProblems(migrations, lock);
const additions = additionsTo(lock, migrations);

if (problems.length > 0) {
  fail(problems);
} else if (process.argv.includes('--write')) {
  writeFileSync(lockFile, `${JSON.stringify(lockOf(migrations), null, 2)}\n`);
  if (additions.length > 0) console.log(`Frozen: ${additions.join(', ')}`);
} else if (additions.length > 0) {
  fail(additions.map((tag) => `${tag} is not in scripts/migrations.lock.json: pnpm generate`));
}

function readMigrations(): Migrations {
  const { entries } = readJson(join(folder, 'meta', '_journal.json')) as {
    entries: JournalEntry[];
  };
  const files = globSync('*.sql', { cwd: folder }).map((name): [string, string] => [
    basename(name, '.sql'),
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex'),
  ]);
  return { journal: entries, files: Object.fromEntries(files) };
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function fail(messages: readonly string[]): void {
  console.error(messages.join('\n'));
  process.exitCode = 1;
}
