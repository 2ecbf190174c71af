import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'tsdown';

const repository = join(import.meta.dirname, '..', '..', '..');
const client = join(repository, 'packages', 'client', 'src');

/** The directory where clients are installed and bundled, outside the workspace. */
export const cache = join(repository, 'node_modules', '.cache', 'rivals');

/** Measures what entries of our client cost a page together, in bytes. */
export function clientSize(entries: readonly string[]): Promise<number> {
  const code = entries.map((entry) => `export * from '${client}/${entry}.ts';`).join('');
  return sizeOf(cache, code);
}

/** Bundles a module for browsers. @returns its size in bytes, minified and gzipped */
export async function sizeOf(directory: string, code: string): Promise<number> {
  mkdirSync(directory, { recursive: true });
  const scratch = mkdtempSync(join(directory, 'bundle-'));
  try {
    const entry = join(scratch, 'entry.js');
    writeFileSync(entry, code);
    await build({
      cwd: scratch,
      entry: { entry },
      outDir: join(scratch, 'out'),
      config: false,
      dts: false,
      format: 'esm',
      logLevel: 'error',
      minify: true,
      platform: 'browser',
      target: 'es2022',
      deps: { alwaysBundle: /./ },
    });
    const out = join(scratch, 'out');
    const contents = readdirSync(out).map((file) => readFileSync(join(out, file)));
    return gzipSync(Buffer.concat(contents), { level: 9 }).length;
  } finally {
    rmSync(scratch, { recursive: true });
  }
}
