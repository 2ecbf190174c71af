// @module-tag slow

import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { cloneDatabase, someEmail } from '../testing/api.ts';
import { operate } from '../testing/operator.ts';
import { setUpApi } from '../testing/set-up.ts';
import { startProxyTo } from '../testing/tcp-proxy.ts';

const [api, demoDatabaseUrl, directory] = await Promise.all([
  setUpApi(),
  cloneDatabase(),
  mkdtemp(join(tmpdir(), 'operator-stack-')),
]);
const file = join(directory, 'stack.json');
const { DATABASE_URL, S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY, S3_SECRET_KEY } = api.config;
const storage = { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY, S3_SECRET_KEY };
const demo = {
  databaseUrl: demoDatabaseUrl,
  storage: 'http://127.0.0.1:1',
  storageAccessKey: 'demo',
  storageSecretKey: 'a secret of the demo',
  pid: process.pid,
};

beforeAll(async () => {
  await api.deps.store.putObject({
    key: 'thumbnail/stray.webp',
    content: Buffer.from('stray'),
    contentType: 'text/plain',
  });
});
afterAll(() => rm(directory, { recursive: true }));

async function operateBeside(
  stack: Record<string, unknown>,
  { args, env }: { args: string[]; env: Record<string, string> },
) {
  await writeFile(file, JSON.stringify(stack));
  return operate(args, { ATELIER_DATA_DIR: directory, ...env });
}

test.each([[['storage', '--fix']], [['storage']], [['verify']]])(
  '%j refuses a storage without its database, or a database without its storage, beside an embedded stack',
  async (args) => {
    expect(await operateBeside(demo, { args, env: storage })).toEqual({
      exitCode: 1,
      stdout: '',
      stderr:
        `S3_ENDPOINT is set and DATABASE_URL is not, but the running embedded stack (${file}) uses another storage. ` +
        'Set DATABASE_URL to the database of that storage, or unset S3_ENDPOINT to work on the embedded stack.',
    });
    expect(await operateBeside(demo, { args, env: { DATABASE_URL } })).toEqual({
      exitCode: 1,
      stdout: '',
      stderr:
        `DATABASE_URL is set and S3_ENDPOINT is not, but the running embedded stack (${file}) uses another database. ` +
        'Set the S3 variables to the storage of that database, or unset DATABASE_URL to work on the embedded stack.',
    });
    expect(await api.deps.store.statObject('thumbnail/stray.webp')).not.toBeNull();
  },
);

test('a stack with a storage or a database of its user is found with the other part', async () => {
  const args = ['storage'];
  const ofStorage = { ...demo, databaseUrl: DATABASE_URL, storage: S3_ENDPOINT };
  const found = await operateBeside(ofStorage, { args, env: storage });
  expect(found).toMatchObject({ exitCode: 0, stderr: '' });
  const keys = { storageAccessKey: S3_ACCESS_KEY, storageSecretKey: S3_SECRET_KEY };
  const env = { DATABASE_URL, S3_BUCKET };
  expect(await operateBeside({ ...ofStorage, ...keys }, { args, env })).toEqual(found);
  expect(await operateBeside({ ...ofStorage, ...keys }, { args, env: { S3_BUCKET } })).toEqual(
    found,
  );
});

test.each([
  ['sessions', 'DATABASE_URL', ['sessions', 'a@b.co'], {}],
  ['storage', 'S3_ENDPOINT', ['storage'], { DATABASE_URL }],
])('%s takes the file of a killed stack for none', async (_, variable, args, env) => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  const run = await operateBeside({ ...demo, databaseUrl: DATABASE_URL, pid }, { args, env });
  expect(run).toEqual({
    exitCode: 1,
    stdout: '',
    stderr:
      `${variable} is not set and no embedded stack is running (${file} is of process ${pid}, which has ended). ` +
      `Start the stack, or set ${variable}.`,
  });
});

test('the database is reached past its pooler', async () => {
  const pooler = 'postgres://127.0.0.1:1/none';
  const env = { DATABASE_URL: pooler, DATABASE_DIRECT_URL: DATABASE_URL };
  expect(await operate(['jobs'], env)).toMatchObject({ exitCode: 0, stderr: '' });
  const owner = { DATABASE_DIRECT_URL: pooler, DATABASE_MIGRATION_URL: DATABASE_URL };
  const { stderr } = await operate(['distribute'], { ...env, ...owner });
  expect(stderr).toContain('This database has no Citus');
});

test('DATABASE_PREPARE=false prepares no statement', async () => {
  const requests: string[] = [];
  const onRequest = (request: string) => {
    requests.push(request);
    return 'pass' as const;
  };
  const { proxy, url } = await startProxyTo(DATABASE_URL, { onRequest });
  onTestFinished(() => proxy.close());
  // The message that parses a statement has its name, which is empty for one that is used once.
  const namesAny = () => requests.splice(0).some((request) => /\w\0\s*select/i.test(request));
  const args = ['sessions', someEmail()];
  await operate(args, { DATABASE_URL: url });
  expect(namesAny()).toBe(true);
  await operate(args, { DATABASE_URL: url, DATABASE_PREPARE: 'false' });
  expect(namesAny()).toBe(false);
});
