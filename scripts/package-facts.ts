import { execFileSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'tsdown';

interface Manifest {
  readonly engines?: { readonly node?: string };
  readonly homepage?: string;
  readonly license?: string;
  readonly repository?: { readonly url?: string; readonly directory?: string };
  readonly [field: string]: unknown;
}

/**
 * Checks what users of an unpacked package rely on.
 *
 * @returns a line for each fault
 */
export function faultsOf(packed: string): string[] {
  const manifest = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8')) as Manifest;
  const files = new Set(globSync('**/*', { cwd: packed }));
  const faults: string[] = [];
  const need = (holds: boolean, fault: string) => {
    if (!holds) faults.push(fault);
  };
  // The first versions whose `require` loads ES modules without a flag.
  need(isRecent(manifest.engines?.node ?? ''), 'engines.node is too low');
  need(URL.canParse(manifest.homepage ?? ''), 'homepage is no URL');
  need(manifest.repository?.url?.startsWith('git+https:') ?? false, 'repository has no URL');
  need(manifest.repository?.directory !== undefined, 'repository has no directory');
  need(files.has('LICENSE') && files.has('README.md'), 'LICENSE or README.md is missing');
  need(
    !/"(?:workspace|catalog):/.test(JSON.stringify(manifest)),
    'a version is one of the workspace',
  );
  for (const file of files) {
    if (/\.d\.ts$|\.js$/.test(file) && /\bsourceMappingURL\b/.test(textOf(packed, file))) {
      faults.push(...missingSources(packed, file));
    }
  }
  const [code, declarations] = [/^dist\/.*\.js$/, /^dist\/.*\.d\.ts$/].map((form) =>
    [...files].filter(
      (file) => form.test(file) && /\bfrom\b|\bfunction\b|=/.test(textOf(packed, file)),
    ),
  );
  need(code?.some((file) => files.has(`${file}.map`)) ?? false, 'no source maps');
  // A program alone has no declarations.
  if (declarations && declarations.length > 0) {
    need(
      declarations.some((file) => files.has(`${file}.map`)),
      'no declaration maps',
    );
  }
  const guides = [...files].filter((file) => /^guides\/.*\.md$/.test(file));
  need(guides.length > 0, 'no guides');
  for (const guide of guides) {
    for (const [, target = ''] of textOf(packed, guide).matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
      need(existsSync(join(packed, dirname(guide), target)), `${guide} links to ${target}`);
    }
  }
  return faults;
}

/** Whether every version of a range is 20.19 or newer. */
function isRecent(engines: string): boolean {
  return engines
    .split('||')
    .every((range) => /^(>=20\.19|(\^|>=)2[2-9]\.\d+\.\d+)$/.test(range.trim()));
}

function textOf(packed: string, file: string): string {
  return readFileSync(join(packed, file), 'utf8');
}

/** A map without its sources leads an editor nowhere. */
function missingSources(packed: string, file: string): string[] {
  const map = join(packed, `${file}.map`);
  if (!existsSync(map)) return [`${file} names a map that is not packed`];
  const { sources } = JSON.parse(readFileSync(map, 'utf8')) as { sources: readonly string[] };
  return sources
    .map((source) => join(dirname(map), source))
    .filter((source) => !source.includes('node_modules') && !existsSync(source))
    .map((source) => `${file}: its source ${relative(packed, source)} is not packed`);
}

/** Checks that npm, which would pack it wrongly, refuses with a sentence. */
export function faultsOfPackingByNpm(directory: string): string[] {
  // A package manager that runs this check would pass for the one that packs.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')),
  );
  const options = { cwd: directory, encoding: 'utf8', env, stdio: 'pipe' } as const;
  try {
    execFileSync('npm', ['pack', '--dry-run', '--loglevel=error'], options);
    return ['npm packs it, without publishConfig'];
  } catch (error) {
    const { stderr = '', stdout = '' } = error as { stderr?: string; stdout?: string };
    return `${stderr}${stdout}`.includes('Pack and publish with pnpm')
      ? []
      : [`npm fails otherwise:\n${stderr}`];
  }
}

/** Maximum bytes of an import from the contract, minified and gzipped, beside zod. */
const sizeLimits = [
  {
    name: 'errors',
    // Every code with its texts: some 60 bytes for each.
    code: `export { errorCatalogue } from '@atelier/contract/errors';`,
    limit: 4500,
  },
  {
    name: 'permissions',
    code: `export { permissionMatrix } from '@atelier/contract/permissions';`,
    limit: 1024,
  },
  {
    name: 'schemas of tasks',
    code: `export { CreateTaskBody, Task, TaskPage, UpdateTaskBody } from '@atelier/contract/schemas';`,
    limit: 25 * 1024,
  },
  {
    name: 'live messages',
    code: `export { LiveMessage } from '@atelier/contract/events';`,
    limit: 25 * 1024,
  },
  { name: 'nothing', code: `import '@atelier/contract';`, limit: 64 },
];

/**
 * Bundles imports from the unpacked contract.
 *
 * @param project - has `node_modules` with the contract
 * @returns a line for each import with its size, and which are too large
 */
export async function contractSizes(project: string): Promise<{ line: string; fits: boolean }[]> {
  return Promise.all(
    sizeLimits.map(async ({ name, code, limit }) => {
      const size = await sizeOf(project, code);
      return { line: `${name}: ${size} of ${limit} bytes`, fits: size <= limit };
    }),
  );
}

async function sizeOf(project: string, code: string): Promise<number> {
  const outDir = mkdtempSync(join(tmpdir(), 'contract-size-'));
  try {
    const chunks = await build({
      entry: { entry: 'virtual:entry' },
      cwd: project,
      outDir,
      config: false,
      dts: false,
      external: [/^zod/],
      noExternal: [/^@atelier/],
      format: 'esm',
      logLevel: 'error',
      minify: true,
      platform: 'neutral',
      target: 'es2022',
      plugins: [
        {
          name: 'entry',
          resolveId: (id: string) => (id === 'virtual:entry' ? join(project, 'entry.js') : null),
          load: (id: string) => (id === join(project, 'entry.js') ? code : null),
        },
      ],
    });
    const bytes = chunks.flatMap((bundle) =>
      bundle.chunks.map((chunk) => ('code' in chunk ? Buffer.from(chunk.code) : Buffer.alloc(0))),
    );
    return gzipSync(Buffer.concat(bytes), { level: 9 }).length;
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}
