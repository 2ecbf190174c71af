import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

/** Maximum gzipped bytes of scripts that a page loads before it renders. */
const budget = 170 * 1024;
/**
 * Maximum bytes that the page of a share link loads, styles and document included, as browsers get them with brotli: its visitors
 * have nothing of the app yet.
 */
const visitorBudget = 100_000;

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
  readonly isEntry?: boolean;
}

type Manifest = Readonly<Record<string, Chunk>>;

const root = join(import.meta.dirname, '..');
// Not in `dist`, which may be in use.
const outDir = mkdtempSync(join(root, '.dist-'));
await build({ root, logLevel: 'error', build: { outDir } });
const app = manifestOf('manifest.json');
const visitor = manifestOf('share.json');

const keys = Object.keys(app);
// The worker is another entry.
const entry = keys.filter((key) => key.endsWith('.html') && app[key]?.isEntry);
/** The shell, which surrounds most pages. */
const shell = ['src/shell/app-shell.tsx'];
const withoutShell = new Set(
  ['login', 'register', 'verify-email', 'forgot-password', 'reset-password', 'loading']
    .concat(['keep-account', 'change-email', 'undo-email-change', 'unsubscribe', 'invitation'])
    .concat(['plans'])
    .map((name) => `src/pages/${name}/page.tsx`),
);
const pages = keys.filter((key) => /^src\/pages\/[^/]+\/page\.tsx$/.test(key));
const needed = [...shell.map((key) => app[key]), visitor['share.html']];
if (pages.length === 0 || needed.includes(undefined)) throw new Error('No pages found');

const sizes = [
  ...pages.map((page) => ({
    page,
    limit: budget,
    bytes: bytesOf(filesOf(app, [...entry, page, ...(withoutShell.has(page) ? [] : shell)])),
  })),
  { page: 'share.html', limit: visitorBudget, bytes: visitorBytes() },
].toSorted((a, b) => b.bytes - a.bytes);
rmSync(outDir, { recursive: true });

for (const { page, bytes, limit } of sizes) {
  const verdict = bytes > limit ? 'too large' : 'ok';
  console.log(`${String(bytes).padStart(7)} of ${limit} bytes, ${verdict}: ${page}`);
}
if (sizes.some(({ bytes, limit }) => bytes > limit)) process.exitCode = 1;

function manifestOf(name: string): Manifest {
  return JSON.parse(readFileSync(join(outDir, '.vite', name), 'utf8')) as Manifest;
}

function visitorBytes(): number {
  const styles = visitor['share.html']?.css ?? [];
  return ['share.html', 'theme.js', 'icon.svg', ...filesOf(visitor, ['share.html']), ...styles]
    .map((file) => statSync(join(outDir, `${file}.br`)).size)
    .reduce((sum, bytes) => sum + bytes, 0);
}

/** Returns the files of these chunks and their static imports, without duplicates. */
function filesOf(manifest: Manifest, entries: readonly string[]): readonly string[] {
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
