import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

/** Maximum gzipped bytes of scripts that a page loads before it renders. */
const budget = 170 * 1024;

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly isEntry?: boolean;
}

const root = join(import.meta.dirname, '..');
// Not in `dist`, which may be in use.
const outDir = mkdtempSync(join(root, '.dist-'));
await build({ root, logLevel: 'error', build: { outDir } });
const manifest = JSON.parse(readFileSync(join(outDir, '.vite/manifest.json'), 'utf8')) as Readonly<
  Record<string, Chunk>
>;

const keys = Object.keys(manifest);
// The worker is another entry.
const entry = keys.filter((key) => key.endsWith('.html') && manifest[key]?.isEntry);
/** The shell, which surrounds most pages. */
const shell = ['src/shell/app-shell.tsx'];
const withoutShell = new Set(
  ['login', 'register', 'verify-email', 'forgot-password', 'reset-password', 'loading']
    .concat([
      'keep-account',
      'change-email',
      'undo-email-change',
      'unsubscribe',
      'invitation',
      'plans',
      'share',
    ])
    .map((name) => `src/pages/${name}/page.tsx`),
);
const pages = keys.filter((key) => /^src\/pages\/[^/]+\/page\.tsx$/.test(key));
if (pages.length === 0 || shell.some((key) => !manifest[key])) throw new Error('No pages found');

const sizes = pages
  .map((page) => ({
    page,
    bytes: bytesOf(filesOf([...entry, page, ...(withoutShell.has(page) ? [] : shell)])),
  }))
  .toSorted((a, b) => b.bytes - a.bytes);
rmSync(outDir, { recursive: true });

for (const { page, bytes } of sizes) {
  const verdict = bytes > budget ? 'too large' : 'ok';
  console.log(`${String(bytes).padStart(7)} of ${budget} bytes, ${verdict}: ${page}`);
}
if (sizes.some(({ bytes }) => bytes > budget)) process.exitCode = 1;

/** Returns the files of these chunks and their static imports, without duplicates. */
function filesOf(entries: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  const next = [...entries];
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
