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
      // drizzle-kit resolves even an absolute path from the working directory.
      `--out=${relative('.', folder)}`,
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  );
  // drizzle-kit exits with 0 even when it fails; only its output tells.
  if (!stdout.includes('No schema changes')) {
    console.error(stdout + stderr);
    console.error('The schema has changed without a migration: pnpm generate');
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
