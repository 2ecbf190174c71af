// @module-tag slow

import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterEach, beforeAll, expect, inject, test } from 'vitest';
import { packageDir } from '../package-dir.ts';
import { newUser, nextMail, somePassword } from '../testing/accounts.ts';
import { call, cloneDatabase, send, someEmail, testEnvironment } from '../testing/api.ts';
import { endApiProcesses, spawnApi, startApiProcess } from '../testing/api-process.ts';
import { createDatabase, withDatabase } from '../testing/databases.ts';
import { newCollection, uploadFile } from '../testing/library.ts';

const run = promisify(execFile);

// The package's script `build`.
const tsdown = join(packageDir, '..', '..', 'node_modules', '.bin', 'tsdown');
beforeAll(() => run(tsdown, { cwd: packageDir }), 60_000);
afterEach(endApiProcesses);

test('every module is ASCII: the runtime keeps its text with one byte for each character', () => {
  const dist = join(packageDir, 'dist');
  const modules = globSync('*.js', { cwd: dist });
  expect(modules).toContain('serve.js');
  const others = modules.filter((name) =>
    /\P{ASCII}/u.test(readFileSync(join(dist, name), 'utf8')),
  );
  expect(others).toEqual([]);
});

test('the license of every package in the bundle is beside it', () => {
  const dist = join(packageDir, 'dist');
  const packages = new Set(
    globSync('*.js.map', { cwd: dist }).flatMap((name) => {
      const { sources } = JSON.parse(readFileSync(join(dist, name), 'utf8')) as {
        sources: string[];
      };
      return sources.flatMap(
        (source) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? [],
      );
    }),
  );
  expect([...packages]).toEqual(expect.arrayContaining(['fastify', 'drizzle-orm', 'zod']));
  const titles = readFileSync(join(dist, 'licenses.txt'), 'utf8').match(/^.+(?=\nLicense: )/gm);
  const named = new Set(titles?.map((title) => title.replace(/ \S+$/, '')));
  expect([...packages].filter((name) => !named.has(name))).toEqual([]);
});

test('the build migrates its database, and finds all of its files', async () => {
  const { postgresUrl } = inject('services');
  const name = `built_${Date.now()}`;
  await createDatabase(postgresUrl, { name });
  const environment = testEnvironment(withDatabase(postgresUrl, name));
  const api = await startApiProcess(environment, 'dist/main.js');

  // Jobs, the mailer, the threads that hash.
  const user = await newUser(api);
  const manifest = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as {
    version: string;
  };
  expect(await (await fetch(`${api.url}/health`)).json()).toMatchObject({
    data: { version: manifest.version },
  });
  expect((await send(api, '/health/ready')).status).toBe(200);
  const page = await (await fetch(`${api.url}/docs`)).text();
  expect(page).toContain(
    readFileSync(join(packageDir, 'dist/page/style.css'), 'utf8').slice(0, 80),
  );
  expect(await (await fetch(`${api.url}/openapi.json`)).json()).toHaveProperty('openapi');

  // Native code, late imports, the storage.
  const project = await call(api, 'projects.create', {
    token: user.token,
    body: { name: 'Überarbeitung' },
  });
  expect([project.status, project.body.data.key]).toEqual([201, expect.stringMatching(/^[A-Z]/)]);
  const collectionId = await newCollection(api, user);
  const content = await sharp({
    create: { width: 40, height: 30, channels: 3, background: '#07f' },
  })
    .png()
    .toBuffer();
  const file = { content, fileName: 'sky.png', contentType: 'image/png' };
  const { id } = await uploadFile(api, user, file, { collectionId });
  await expect
    .poll(
      async () => (await call(api, 'assets.get', { token: user.token, params: { id } })).body.data,
      { timeout: 20_000 },
    )
    .toMatchObject({ width: 40, height: 30, thumbnailUrl: expect.any(String) });

  api.kill('SIGTERM');
  expect(await api.exited()).toBe(0);
  expect(api.output()).not.toMatch(/"level":(50|60)/);
});

test('its job runner works, and its migration and operator report their work', async () => {
  const environment = { ...testEnvironment(await cloneDatabase()), JOBS: 'separate' };
  const migration = spawnApi(environment, 'dist/migrate.js');
  expect(await migration.exited()).toBe(0);
  expect(migration.output()).toContain('the database is up to date');

  const api = await startApiProcess(environment, 'dist/main.js');
  const email = someEmail();
  await call(api, 'auth.register', { body: { email, password: somePassword } });
  const worker = spawnApi(environment, 'dist/worker.js');
  expect((await nextMail(email)).subject).toMatch(/verify/i);
  worker.kill('SIGTERM');
  expect(await worker.exited()).toBe(0);

  const { stdout } = await run(process.execPath, [join(packageDir, 'dist/operator.js'), 'verify'], {
    env: environment,
  });
  expect(stdout).toMatch(/verify: \d+ hold, 0 broken/);
});
