import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMailInbox, startS3Server } from '@atelier/devstack';
import type { TestProject } from 'vitest/node';
import { migrateDatabase } from '../db/migrate.ts';
import { createDatabase, withDatabase } from './databases.ts';
import { startDatabaseServer } from './database-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    services: Services;
  }
}

/** The real services that all test files share. */
export interface Services {
  /** A connection string of the server that may create databases. */
  readonly postgresUrl: string;
  /** A migrated database that each file clones. */
  readonly templateDatabase: string;
  readonly s3: { endpoint: string; accessKey: string; secretKey: string };
  readonly mail: { smtpUrl: string; url: string };
  /** Every (operation, status) that a test has seen, a line each. */
  readonly answersFile: string;
}

const template = 'atelier_template';
const s3Keys = { accessKey: 'test-access-key', secretKey: 'test-secret-key' };

/** Vitest's global set-up: one cluster, one object store and one mail server for the whole run. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'atelier-test-'));
  const [postgres, s3, mail] = await Promise.all([
    startDatabaseServer(join(directory, 'postgres')),
    startS3Server({ dataDir: join(directory, 's3'), ...s3Keys, fsync: 'never' }),
    startMailInbox({ smtpPort: 0, httpPort: 0 }),
  ]);
  await createDatabase(postgres.url, { name: template });
  await migrateDatabase(withDatabase(postgres.url, template));

  project.provide('services', {
    postgresUrl: postgres.url,
    templateDatabase: template,
    s3: { endpoint: s3.endpoint, ...s3Keys },
    mail: { smtpUrl: mail.smtpUrl, url: mail.url },
    answersFile: join(directory, 'answers.txt'),
  });
  return async () => {
    await Promise.all([postgres.stop(), s3.stop(), mail.stop()]);
    await rm(directory, { recursive: true, force: true });
  };
}
