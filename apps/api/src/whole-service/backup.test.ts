// @module-tag slow

import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { startPostgres, startS3Server } from '@atelier/devstack';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrateDatabase } from '../db/migrate.ts';
import { logIn, newUser, type TestUser } from '../testing/accounts.ts';
import { call, startTestApi, type TestApi } from '../testing/api.ts';
import { newCollection, readyUpload, someFile, untilIdle } from '../testing/library.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../../..');
const guide = await readFile(join(root, 'docs/guides/backup.md'), 'utf8');

/** The commands of a step, as in the guide. */
function step(name: string): string {
  const found = new RegExp(`^<!-- ${name} -->\\n\\n\`\`\`sh\\n([^]*?)^\`\`\`$`, 'm').exec(
    guide,
  )?.[1];
  if (found === undefined) throw new Error(`The guide has no step ${name}`);
  return found;
}

/** Separate servers, which keep their data on disk. */
const patient = { timeout: 120_000 };

let directory: string;
const cleanUps: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'atelier-backup-'));
  // If Postgres runs as another account, it needs access to its files.
  await chmod(directory, 0o755);
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
  await rm(directory, { recursive: true, force: true });
});

/** Puts a program before all others of its name. */
async function shadow(name: string, script: string): Promise<void> {
  await mkdir(join(directory, 'bin'), { recursive: true });
  await writeFile(join(directory, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

/** Runs the commands of steps in a shell that ends at the first command that fails, with only these variables. */
async function follow(steps: readonly string[], variables: Record<string, string>) {
  // The package.json scripts of these names; `pnpm` itself need not be on the path of a test.
  const scriptOf = (name: string) => `'${process.execPath}' '${root}/apps/api/src/${name}.ts'`;
  await shadow(
    'pnpm',
    `case "$1" in
operator) shift; exec ${scriptOf('operator')} "$@";;
--filter) exec ${scriptOf('migrate')};;
esac`,
  );
  const path = [join(directory, 'bin'), process.env['ATELIER_TEST_PATH'], process.env['PATH']];
  const script = ['set -eu', ...steps].join('\n');
  return run('sh', ['-c', script], {
    env: { PATH: path.filter(Boolean).join(delimiter), HOME: directory, ...variables },
  });
}

/** The reason why these steps can't run here; null if they can. */
async function missingProgram(): Promise<string | null> {
  const path = [process.env['ATELIER_TEST_PATH'], process.env['PATH']];
  const env = { PATH: path.filter(Boolean).join(delimiter) };
  for (const program of ['pg_dump', 'pg_restore']) {
    const said = await run(program, ['--version'], { env }).catch(() => null);
    const major = Number(/\) (\d+)/.exec(said?.stdout ?? '')?.[1] ?? 0);
    if (major < 18) return `${program} 18 or newer (found ${major === 0 ? 'none' : major})`;
  }
  const rclone = await run('rclone', ['version'], { env }).catch(() => null);
  return rclone === null ? 'rclone' : null;
}

/** A separate database server and storage, laid out like the embedded services; the bucket is the default one. */
async function startServices(dataDir: string) {
  const keys = { accessKey: 'backup-access-key', secretKey: 'backup-secret-key' };
  const [postgres, storage] = await Promise.all([
    startPostgres({ dataDir: join(dataDir, 'postgres') }),
    startS3Server({ ...keys, dataDir: join(dataDir, 'storage'), region: 'us-east-1' }),
  ]);
  const stop = () => Promise.all([postgres.stop(), storage.stop()]);
  cleanUps.push(stop);
  return {
    variables: {
      DATABASE_URL: postgres.url,
      S3_ENDPOINT: storage.endpoint,
      S3_ACCESS_KEY: keys.accessKey,
      S3_SECRET_KEY: keys.secretKey,
    },
    stop,
  };
}

async function startOn(variables: Record<string, string>): Promise<TestApi> {
  const api = await startWithoutCleanUp(variables);
  cleanUps.push(() => api.close());
  return api;
}

function startWithoutCleanUp(variables: Record<string, string>): Promise<TestApi> {
  // An empty one is the service's default, not that of the tests.
  const own = { S3_BUCKET: '', ...variables };
  return startTestApi(own, { databaseUrl: String(variables['DATABASE_URL']) });
}

interface Kept {
  readonly user: TestUser;
  readonly assetId: string;
  readonly content: Buffer;
}

/** A user with their own data: rows, a stored file of two parts, activities. */
async function work(api: TestApi): Promise<Kept> {
  const user = await newUser(api);
  const collectionId = await newCollection(api, user);
  const project = { token: user.token, body: { name: 'Website' } };
  expect((await call(api, 'projects.create', project)).status).toBe(201);
  const file = someFile(9_000_000);
  const { body } = await readyUpload(api, user, { collectionId }, file);
  const completed = await call(api, 'uploads.complete', { token: user.token, body });
  expect(completed.status).toBe(200);
  await untilIdle(api);
  return { user, assetId: completed.body.data.id, content: file.content };
}

/** Checks the data: with a new sign-in, and down to the bytes of the file. */
async function expectKept(api: TestApi, { user, assetId, content }: Kept): Promise<void> {
  const again = await logIn(api, user);
  const download = await call(api, 'assets.download', {
    token: again.token,
    params: { id: assetId },
  });
  expect(download.status).toBe(200);
  const bytes = await (await fetch(download.body.data.url)).arrayBuffer();
  expect(Buffer.from(bytes).equals(content)).toBe(true);
  // The restored service accepts writes.
  await newCollection(api, again);
}

test(
  'a dump and a copy of the bucket, restored elsewhere, are complete: verify passes, and users sign in',
  patient,
  async ({ skip }) => {
    const missing = await missingProgram();
    if (missing !== null) skip(`This machine has no ${missing}`);

    const source = await startServices(join(directory, 'source'));
    await migrateDatabase(source.variables.DATABASE_URL);
    const variables = { ...source.variables, S3_BUCKET: 'atelier-files' };
    const api = await startOn(variables);
    const kept = await work(api);
    const backup = join(directory, 'backup');
    await mkdir(backup);
    // While the service runs.
    await follow([step('settings'), step('backup')], { ...variables, BACKUP: backup });
    const later = await work(api);

    const target = await startServices(join(directory, 'target'));
    const restored = await follow([step('settings'), step('restore')], {
      ...target.variables,
      BACKUP: backup,
    });
    expect(restored.stdout).toMatch(/verify: \d+ hold, 0 broken/);
    const other = await startOn(target.variables);
    await expectKept(other, kept);
    // Changes after the backup are missing, which also proves that the check above would notice.
    const gone = await call(other, 'auth.login', {
      body: { email: later.user.email, password: later.user.password },
    });
    expect(gone.status).toBe(400);
  },
);

test('a restore without the bucket is reported as incomplete', patient, async ({ skip }) => {
  const missing = await missingProgram();
  if (missing !== null) skip(`This machine has no ${missing}`);

  const source = await startServices(join(directory, 'source'));
  await migrateDatabase(source.variables.DATABASE_URL);
  const kept = await work(await startOn(source.variables));
  expect(kept.content).toHaveLength(9_000_000);
  const backup = join(directory, 'backup');
  await mkdir(backup);
  await follow([step('settings'), step('backup')], { ...source.variables, BACKUP: backup });
  await rm(join(backup, 'objects'), { recursive: true });
  await mkdir(join(backup, 'objects'));
  const target = await startServices(join(directory, 'target'));
  const restoring = follow([step('settings'), step('restore')], {
    ...target.variables,
    BACKUP: backup,
  });
  await expect(restoring).rejects.toMatchObject({ code: 1 });
});

test(
  'with `rclone sync` as well, a backup has what is deleted during the dump, and not what was deleted before',
  patient,
  async ({ skip }) => {
    const missing = await missingProgram();
    if (missing !== null) skip(`This machine has no ${missing}`);

    const source = await startServices(join(directory, 'source'));
    await migrateDatabase(source.variables.DATABASE_URL);
    await work(await startOn(source.variables));
    const backup = join(directory, 'backup');
    await mkdir(join(backup, 'objects'), { recursive: true });
    await writeFile(join(backup, 'objects', 'purged'), 'long ago');
    // The first directory of the path is that of this script.
    const purge = 'rclone delete "atelier:$S3_BUCKET" >&2';
    await shadow('pg_dump', `PATH="\${PATH#*:}"\npg_dump "$@" && ${purge}`);
    expect(guide).toContain('`rclone sync` instead of the first `rclone copy`');
    const synced = step('backup').replace('rclone copy', 'rclone sync');
    await follow([step('settings'), synced], { ...source.variables, BACKUP: backup });
    const objects = await readdir(join(backup, 'objects'));
    expect(objects).not.toContain('purged');

    const target = await startServices(join(directory, 'target'));
    const restored = await follow([step('settings'), step('restore')], {
      ...target.variables,
      BACKUP: backup,
    });
    expect(restored.stdout).toMatch(/verify: \d+ hold, 0 broken/);
  },
);

test('a copy of the embedded services’ directory is whole in its new place', patient, async () => {
  const dataDir = join(directory, 'data');
  const backup = join(directory, 'backup');
  await mkdir(backup);
  const services = await startServices(dataDir);
  await migrateDatabase(services.variables.DATABASE_URL);
  const api = await startWithoutCleanUp(services.variables);
  const kept = await work(api);
  await api.close();
  await services.stop();
  await follow([step('copy')], { ATELIER_DATA_DIR: dataDir, BACKUP: backup });
  await rm(dataDir, { recursive: true });

  const copied = await startServices(join(backup, 'data'));
  const { stdout } = await run(
    process.execPath,
    [join(root, 'apps/api/src/operator.ts'), 'verify'],
    {
      env: copied.variables,
    },
  );
  expect(stdout).toMatch(/verify: \d+ hold, 0 broken/);
  await expectKept(await startOn(copied.variables), kept);
});
