import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '../..');
const vite = join(
  dirname(createRequire(import.meta.url).resolve('vite/package.json')),
  'bin/vite.js',
);

/**
 * Builds the app into a directory.
 *
 * @param api - base URL of the API; default: the origin of the app
 * @param settings - additional environment variables of the build
 */
export async function buildApp(
  outDir: string,
  api?: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { NODE_ENV: _tests, ...inherited } = process.env;
  const args = [vite, 'build', '--logLevel', 'error', '--emptyOutDir', '--outDir', outDir];
  const env = {
    ...inherited,
    NODE_ENV: 'production',
    ...(api !== undefined && { VITE_API_URL: api }),
    ...settings,
  };
  await promisify(execFile)(process.execPath, args, { cwd: root, env });
}
