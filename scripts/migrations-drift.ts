import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import config from '../drizzle.config.ts';

if (typeof config.schema !== 'string' || !config.out || !config.casing) {
  throw new Error('drizzle.config.ts names no schema, folder or casing');
}
const { dialect, schema, out, casing } = config;
const folder = mkdtempSync(join(tmpdir(), 'atelier-migrations-'));
try {
  cpSync(out, folder, { recursive: true });
  const { stdout, stderr } = spawnSync(
    'drizzle-kit',
    [
      'generate',
      `--dialect=${dialect}`,
      `--schema=${schema}`,
      `--casing=${casing}`,
      // It takes every path for one from the working directory.
      `--out=${relative('.', folder)}`,
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  );
  // What it says is all there is to go by: it exits with 0 even when it breaks.
  if (!stdout.includes('No schema changes')) {
    console.error(stdout + stderr);
    console.error('The schema has changed without a migration: pnpm exec drizzle-kit generate');
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
