import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
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
// Beside the real one, which may be in use.
const outDir = mkdtempSync(join(root, '.dist-'));
await build({ root, logLevel: 'error', build: { outDir } });
const manifest = JSON.parse(readFileSync(join(outDir, '.vite/manifest.json'), 'utf8')) as Readonly<
  Record<string, Chunk>
>;

const keys = Object.keys(manifest);
const entry = keys.filter((key) => manifest[key]?.isEntry);
/** Most pages stand in it, and it asks for the rest of the frame as soon as it shows. */
const frame = ['src/shell/app-shell.tsx'];
const withoutFrame = new Set(
  ['login', 'register', 'verify-email', 'forgot-password', 'reset-password', 'loading']
    .concat(['invitation', 'plans'])
    .map((name) => `src/pages/${name}/page.tsx`),
);
const pages = keys.filter((key) => /^src\/pages\/[^/]+\/page\.tsx$/.test(key));
if (pages.length === 0 || frame.some((key) => !manifest[key])) throw new Error('No pages found');

const sizes = pages
  .map((page) => ({
    page,
    bytes: bytesOf(filesOf([...entry, page, ...(withoutFrame.has(page) ? [] : frame)])),
  }))
  .toSorted((a, b) => b.bytes - a.bytes);
rmSync(outDir, { recursive: true });

for (const { page, bytes } of sizes) {
  const verdict = bytes > budget ? 'too large' : 'ok';
  console.log(`${String(bytes).padStart(7)} of ${budget} bytes, ${verdict}: ${page}`);
}
if (sizes.some(({ bytes }) => bytes > budget)) process.exitCode = 1;

/** The scripts behind these chunks, each once: what a browser asks for without being led on. */
function filesOf(starts: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  const next = [...starts];
  for (let key = next.pop(); key !== undefined; key = next.pop()) {
    if (seen.has(key)) continue;
    seen.add(key);
    next.push(...(manifest[key]?.imports ?? []));
  }
  return [...new Set([...seen].flatMap((key) => manifest[key]?.file ?? []))];
}

function bytesOf(files: readonly string[]): number {
  return files
    .map((file) => gzipSync(readFileSync(join(outDir, file)), { level: 9 }).length)
    .reduce((sum, bytes) => sum + bytes, 0);
}
