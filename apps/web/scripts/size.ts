import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

/** Most bytes of script, gzipped, that any page loads before it shows. */
const budget = 170 * 1024;

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly isEntry?: boolean;
}

const root = join(import.meta.dirname, '..');
await build({ root, logLevel: 'error' });
const manifest = JSON.parse(
  readFileSync(join(root, 'dist/.vite/manifest.json'), 'utf8'),
) as Readonly<Record<string, Chunk>>;

const keys = Object.keys(manifest);
const entry = keys.filter((key) => manifest[key]?.isEntry);
/** Most pages stand in it; it counts for all of them. */
const shell = 'src/shell/shell.tsx';
const pages = keys.filter((key) => /^src\/pages\/[^/]+\/page\.tsx$/.test(key));
const sizes = pages
  .map((page) => ({ page, bytes: bytesOf(filesOf([...entry, shell, page])) }))
  .toSorted((a, b) => b.bytes - a.bytes);
if (sizes.length === 0 || !manifest[shell]) throw new Error('The build has no pages');

for (const { page, bytes } of sizes.slice(0, 5))
  console.log(`${page}: ${bytes} of ${budget} bytes`);
if (sizes.some(({ bytes }) => bytes > budget)) process.exitCode = 1;

/** The scripts behind these chunks, each once. */
function filesOf(starts: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  const next = [...starts];
  for (let key = next.pop(); key !== undefined; key = next.pop()) {
    if (seen.has(key)) continue;
    seen.add(key);
    next.push(...(manifest[key]?.imports ?? []));
  }
  return [...seen].flatMap((key) => manifest[key]?.file ?? []);
}

function bytesOf(files: readonly string[]): number {
  return files
    .map((file) => gzipSync(readFileSync(join(root, 'dist', file)), { level: 9 }).length)
    .reduce((sum, bytes) => sum + bytes, 0);
}
