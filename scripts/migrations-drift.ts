import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
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
  const before = migrationsIn(folder);
  const { status, stdout, stderr } = spawnSync(
    'drizzle-kit',
    [
      'generate',
      `--dialect=${dialect}`,
      `--schema=${schema}`,
      `--casing=${casing}`,
      // It takes a path for relative to the working directory, whatever it looks like.
      `--out=${relative('.', folder)}`,
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const added = migrationsIn(folder).filter((name) => !before.includes(name));
  if (status !== 0 || added.length > 0) {
    if (status !== 0) console.error(stdout + stderr);
    console.error('The schema has changed without a migration: pnpm exec drizzle-kit generate');
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function migrationsIn(directory: string): string[] {
  return readdirSync(directory).filter((name) => name.endsWith('.sql'));
}
