import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  startIdentityProvider,
  startMailInbox,
  type RunningIdentityProvider,
} from '@atelier/devstack';
import type { TestProject } from 'vitest/node';
import { createDatabase, migrateForService, withDatabase } from './databases.ts';
import { startDatabaseServer } from './database-server.ts';
import { startStorageServer } from './storage-server.ts';
import { countingSettings, startCounting, writeCounts } from './statement-report.ts';
import { testBaseUrl } from './test-base-url.ts';

export interface TestStorage {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    services: Services;
  }
}

/** The real services that all test files share. */
export interface Services {
  /** A connection string of the server with the right to create databases. */
  readonly postgresUrl: string;
  /** A migrated database that each file clones. */
  readonly templateDatabase: string;
  readonly s3: TestStorage;
  /** An additional storage of another make for tests of the adapter, if configured. */
  readonly otherS3: TestStorage | null;
  readonly mail: { smtpUrl: string; url: string };
  readonly identity: Pick<RunningIdentityProvider, 'google' | 'github'>;
  /** Every (operation, status) in any test, one per line. */
  readonly statusesFile: string;
  /** The compile cache of the tests' processes: later ones start in half the time. */
  readonly compileCache: string;
}

const template = 'atelier_template';
const s3Keys = { region: 'us-east-1', accessKey: 'test-access-key', secretKey: 'test-secret-key' };

/** Vitest's global set-up: one cluster, one object store, mail server and sign-in provider for the whole run. */
export default function setUp(project: TestProject): Promise<() => Promise<void>> {
  return provideServices(project, startTemplateServer);
}

type DatabaseOfRun = Pick<Services, 'postgresUrl' | 'templateDatabase'> & {
  stop(): Promise<void>;
};

/** Starts all services. @param startDatabase - keeps its files in the given directory */
export async function provideServices(
  project: TestProject,
  startDatabase: (directory: string) => Promise<DatabaseOfRun>,
): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'atelier-test-'));
  const [database, s3, mail, identity] = await Promise.all([
    startDatabase(join(directory, 'postgres')),
    startStorageServer(join(directory, 's3'), s3Keys),
    // Tests count the mails to an address: none may be evicted, however many other files send meanwhile.
    startMailInbox({ smtpPort: 0, httpPort: 0, maxMails: 1_000_000 }),
    startIdentityProvider({ google: registration('google'), github: registration('github') }),
  ]);
  const { postgresUrl, templateDatabase } = database;
  project.provide('services', {
    postgresUrl,
    templateDatabase,
    s3: { endpoint: s3.endpoint, ...s3Keys },
    otherS3: otherStorage(),
    mail: { smtpUrl: mail.smtpUrl, url: mail.url },
    identity: { google: identity.google, github: identity.github },
    statusesFile: join(directory, 'statuses.txt'),
    compileCache: process.env['NODE_COMPILE_CACHE'] ?? join(directory, 'compile-cache'),
  });
  return async () => {
    await Promise.all([database.stop(), s3.stop(), mail.stop(), identity.stop()]);
    await rm(directory, { recursive: true, force: true });
  };
}

async function startTemplateServer(directory: string): Promise<DatabaseOfRun> {
  // `pnpm bench:statements` sets this.
  const countsFile = process.env['STATEMENT_COUNTS'];
  const postgres = await startDatabaseServer(directory, countsFile ? countingSettings : {});
  if (countsFile) await startCounting(postgres.url);
  await createDatabase(postgres.url, { name: template });
  await migrateForService(withDatabase(postgres.url, template));
  return {
    postgresUrl: postgres.url,
    templateDatabase: template,
    async stop() {
      if (countsFile) await writeCounts(postgres.url, countsFile);
      await postgres.stop();
    },
  };
}

/** Returns the storage of `S3_TEST_*`. Prints whether there is one. */
function otherStorage(): TestStorage | null {
  const {
    S3_TEST_ENDPOINT: endpoint,
    S3_TEST_ACCESS_KEY: accessKey = '',
    S3_TEST_SECRET_KEY: secretKey = '',
    S3_TEST_REGION: region = 'us-east-1',
  } = process.env;
  const which = endpoint ?? 'none (S3_TEST_ENDPOINT is not set)';
  process.stdout.write(`Storage beside the embedded one in this run: ${which}\n`);
  return endpoint === undefined ? null : { endpoint, region, accessKey, secretKey };
}

function registration(provider: 'google' | 'github') {
  return {
    clientId: `test-${provider}-client`,
    clientSecret: `test-${provider}-secret`,
    redirectUris: [`${testBaseUrl}/api/auth/${provider}/callback`],
  };
}
