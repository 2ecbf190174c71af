import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'tsdown';

/** Maximum bytes after minifying and gzip. The other entries count on top of the core. */
const budgets = {
  /** With the table of routes, about 25 bytes for each operation. */
  core: 6 * 1024,
  uploader: 2 * 1024,
  /** Without `client-zip`. */
  download: 2.5 * 1024,
  events: 1024,
  reactQuery: 3 * 1024,
  /** With the words for each action. */
  resources: 2.25 * 1024,
  passkeys: 1.5 * 1024,
  resume: 1024,
  signIn: 1024,
  webhooks: 2 * 1024,
};

const source = fileURLToPath(new URL('../src/', import.meta.url));
const core = await measure("export * from './index.ts';");
const withEntry = async (name: string) =>
  (await measure(`export * from './index.ts';\nexport * from './${name}.ts';`)) - core;
const sizes = {
  core,
  uploader: await withEntry('upload'),
  download: await withEntry('download'),
  events: await withEntry('events'),
  reactQuery: await withEntry('react-query'),
  resources: await withEntry('resources'),
  passkeys: await withEntry('passkeys'),
  resume: await withEntry('resume'),
  signIn: await withEntry('sign-in'),
  webhooks: await measure("export * from './webhooks.ts';"),
};

for (const [name, budget] of Object.entries(budgets)) {
  const size = sizes[name as keyof typeof sizes];
  console.log(`${name}: ${size} of ${budget} bytes`);
  if (size > budget) process.exitCode = 1;
}

/** Bundles a module of the sources. @returns its bytes, minified and gzipped */
async function measure(code: string): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'client-size-'));
  try {
    const entry = join(directory, 'entry.ts');
    await writeFile(entry, code.replaceAll("'./", `'${source}`));
    await build({
      entry: { entry },
      outDir: join(directory, 'out'),
      config: false,
      dts: false,
      format: 'esm',
      logLevel: 'error',
      minify: true,
      platform: 'neutral',
      target: 'es2022',
    });
    const files = await readdir(join(directory, 'out'));
    const contents = await Promise.all(files.map((file) => readFile(join(directory, 'out', file))));
    return gzipSync(Buffer.concat(contents), { level: 9 }).length;
  } finally {
    await rm(directory, { recursive: true });
  }
}
