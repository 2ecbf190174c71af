import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '@atelier/devstack';
import { sampleAccount, startMock } from '@atelier/mock';
import { preview } from 'vite';
import { buildApp } from './build-app.ts';
import type { Stack } from './stack.ts';

const root = join(import.meta.dirname, '../..');

/** Starts the mock, and the app beside it on another port that passes requests of the API on. */
export async function startMockStack(): Promise<{ stack: Stack; stop(): Promise<void> }> {
  const outDir = mkdtempSync(join(tmpdir(), 'atelier-app-'));
  // Mails lead to the app, which starts later.
  const [port = 0] = await freePorts(1);
  const app = `http://localhost:${port}`;
  const [mock] = await Promise.all([
    startMock({ unknownTokens: 'none', appUrl: app }),
    buildApp(outDir),
  ]);
  const proxy = Object.fromEntries(['/api', '/s/', '/health'].map((path) => [path, mock.url]));
  const server = await preview({
    root,
    configFile: false,
    logLevel: 'error',
    build: { outDir },
    preview: { host: 'localhost', port, strictPort: true, proxy },
  });
  const stack: Stack = {
    api: mock.url,
    app,
    mail: mock.url,
    storage: mock.url,
    identity: mock.url,
    demo: sampleAccount,
    storageAccessKey: '',
    storageSecretKey: '',
    databaseUrl: '',
    pid: process.pid,
  };
  return {
    stack,
    async stop() {
      await server.close();
      await mock[Symbol.asyncDispose]();
      rmSync(outDir, { recursive: true });
    },
  };
}
