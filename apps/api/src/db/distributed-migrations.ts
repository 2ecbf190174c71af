import { drizzle } from 'drizzle-orm/postgres-js';
import type postgres from 'postgres';
import { readJournal, readMigration } from './migration-files.ts';
import {
  distributionParts,
  leadingTable,
  misplacedTables,
  stepFor,
  takeStep,
} from './distribution.ts';

type MigrationDatabase = ReturnType<typeof drizzle>;

/**
 * Applies the migrations that a distributed database lacks, in one transaction, as the migrator of the library does. A
 * table is distributed as soon as it is made: no constraint between it and those that are could be added before.
 *
 * @param client - one connection that is prepared for changes, as the owner of the tables and under the migration lock
 */
export async function migrateDistributed(
  client: postgres.Sql,
  migrationsFolder: string,
): Promise<void> {
  const [newest] = await client<{ appliedMs: string | null }[]>`
    select max(created_at) as "appliedMs" from drizzle.__drizzle_migrations`;
  const appliedMs = Number(newest?.appliedMs ?? 0);
  const journal = await readJournal(migrationsFolder);
  const db = drizzle(client);
  const leading = await leadingTable(db);
  await client.begin(async (tx) => {
    for (const entry of journal.filter(({ when }) => when > appliedMs)) {
      const { statements, hash } = await readMigration(migrationsFolder, entry);
      for (const statement of statements.flatMap(withDistribution(leading)))
        await tx.unsafe(statement);
      await tx`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${entry.when})`;
    }
  });
  await takeSteps(db);
}

/**
 * Takes the steps that an interrupted migration has left, and changes nothing otherwise. Tables that aren't distributed yet
 * are left to `operator distribute`: a migration distributes its own before it commits.
 *
 * @param db - as in {@link migrateDistributed}, with all migrations of this release and no later ones
 */
export async function finishMigrations(db: MigrationDatabase): Promise<void> {
  if ((await misplacedTables(db))?.length === 0) await takeSteps(db);
}

async function takeSteps(db: MigrationDatabase): Promise<void> {
  for (const stepsOf of distributionParts) {
    for (const step of await stepsOf(db)) await takeStep(db, step);
  }
}

function withDistribution(leading: string): (statement: string) => string[] {
  return (statement) => {
    const [, made] = /^\s*CREATE TABLE "(\w+)"/m.exec(statement) ?? [];
    return [statement, ...((made !== undefined && stepFor(made, leading)?.statements) || [])];
  };
}
