import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { createClient } from '@atelier/client';
import { seedColumn, seedTasks } from './boards.ts';
import { inBulk } from './bulk.ts';
import { seedLibrary } from './library.ts';
import { password, signUp } from './accounts.ts';
import type { Sizes } from './sizes.ts';
import { seedTimeline } from './timeline.ts';

/** The seeded accounts and records. The first account owns everything. */
export interface Seeded {
  readonly emails: readonly string[];
  readonly workOrganizationId: string;
  readonly libraryOrganizationId: string;
  readonly boardOrganizationId: string;
  readonly shortColumnProjectId: string;
  readonly longColumnProjectId: string;
}

/** A finished seeding, and the migrations and sizes that it was made with. */
interface SeedRecord {
  readonly fingerprint: string;
  /** A hash of each migration that had been applied. */
  readonly migrations: readonly string[];
  readonly seeded: Seeded;
}

const accountCount = 10;
const migrationsDir = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  '..',
  'apps',
  'api',
  'migrations',
);

/** Removes the records of an earlier run that seeded others than this one would. */
export function dropOutdated(dataDir: string, sizes: Sizes): void {
  const record = recordIn(dataDir);
  if (!existsSync(record)) return;
  const { fingerprint, migrations: applied } = readRecord(record);
  const current = migrationHashes();
  // New migrations apply at the next start; ones that were rewritten can't.
  const canMigrate = () => applied.every((hash, index) => hash === current[index]);
  if (fingerprint === fingerprintOf(sizes) && canMigrate()) return;
  rmSync(dataDir, { recursive: true, force: true });
}

/** Returns the records of an earlier run; null if it didn't finish. */
export function readSeeded(dataDir: string): Seeded | null {
  const record = recordIn(dataDir);
  return existsSync(record) ? readRecord(record).seeded : null;
}

/** Fills an empty, migrated database by set-based statements, and vacuums it. */
export async function seed(
  stack: { dataDir: string; apiUrl: string; mailUrl: string; databaseUrl: string },
  sizes: Sizes,
): Promise<Seeded> {
  const emails = Array.from({ length: accountCount }, (_, n) => `person-${n}@example.com`);
  const accounts = await signUp(stack, emails);
  const memberIds = accounts.map(({ id }) => id);
  const sql = postgres(stack.databaseUrl, { max: 1, onnotice: () => undefined });
  try {
    const newTeam = (name: string) => createTeam(sql, stack.apiUrl, { name, emails, memberIds });
    const workOrganizationId = await newTeam('Work');
    const libraryOrganizationId = await newTeam('Library');
    const boardOrganizationId = await newTeam('Boards');
    const boards = { organizationId: boardOrganizationId, memberIds };
    await seedTasks(sql, { organizationId: workOrganizationId, memberIds }, sizes.tasks);
    const shortColumnProjectId = await seedColumn(sql, boards, {
      key: 'SHORT',
      taskCount: sizes.shortColumn,
      projectRank: 'a0',
    });
    const longColumnProjectId = await seedColumn(sql, boards, {
      key: 'LONG',
      taskCount: sizes.longColumn,
      projectRank: 'a1',
    });
    const library = { organizationId: libraryOrganizationId, memberIds };
    await inBulk(sql, 'assets', () => seedLibrary(sql, { ...library, assetCount: sizes.assets }));
    await inBulk(sql, 'activities', () =>
      seedTimeline(sql, { ...library, activityCount: sizes.activities }),
    );
    await sql`vacuum analyze`;
    await sql`checkpoint`;
    const seeded: Seeded = {
      emails,
      workOrganizationId,
      libraryOrganizationId,
      boardOrganizationId,
      shortColumnProjectId,
      longColumnProjectId,
    };
    const record: SeedRecord = {
      fingerprint: fingerprintOf(sizes),
      migrations: migrationHashes(),
      seeded,
    };
    writeFileSync(recordIn(stack.dataDir), JSON.stringify(record, null, 2));
    return seeded;
  } finally {
    await sql.end();
  }
}

async function createTeam(
  sql: postgres.Sql,
  apiUrl: string,
  { name, emails, memberIds }: { name: string; emails: string[]; memberIds: string[] },
): Promise<string> {
  const api = createClient({ baseUrl: apiUrl });
  await api.auth.login({ body: { email: emails[0] ?? '', password } });
  const { id } = await api.organizations.create({ body: { name } });
  await sql`update organizations set plan_code = 'BUSINESS' where id = ${id}`;
  await sql`
    insert into memberships (id, organization_id, user_id, role, status, joined_at)
    select uuidv7(), ${id}, member, 'MEMBER', 'ACTIVE', now()
    from unnest(${memberIds.slice(1)}::uuid[]) as member`;
  return id;
}

function recordIn(dataDir: string): string {
  return join(dataDir, 'seeded.json');
}

function readRecord(file: string): SeedRecord {
  // Written by this module.
  return JSON.parse(readFileSync(file, 'utf8')) as SeedRecord;
}

function migrationHashes(): string[] {
  return globSync('*.sql', { cwd: migrationsDir })
    .toSorted()
    .map((file) =>
      createHash('sha256')
        .update(readFileSync(join(migrationsDir, file)))
        .digest('hex'),
    );
}

/** Changes whenever the rows would. */
function fingerprintOf(sizes: Sizes): string {
  const hash = createHash('sha256').update(JSON.stringify(sizes));
  for (const file of globSync('*.ts', { cwd: import.meta.dirname }).toSorted()) {
    hash.update(readFileSync(join(import.meta.dirname, file)));
  }
  return hash.digest('hex');
}
