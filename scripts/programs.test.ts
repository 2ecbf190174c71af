import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { build } from 'tsdown';
import { expect, test } from 'vitest';

const packages = join(import.meta.dirname, '..', 'packages');

test.each(['cli', 'conformance', 'mcp', 'mock'])(
  'every package that the program of %s loads is one of its dependencies',
  async (name) => {
    const { dependencies } = JSON.parse(
      readFileSync(join(packages, name, 'package.json'), 'utf8'),
    ) as { dependencies: Readonly<Record<string, string>> };
    const loaded = (await packagesOf(join(packages, name, 'src', 'cli.ts'))).filter(
      (imported) => !(imported in dependencies),
    );
    expect(loaded).toEqual([]);
  },
);

/** Lists the packages that a program and those of the workspace below it load. */
async function packagesOf(program: string): Promise<string[]> {
  const bundles = await build({
    entry: [program],
    config: false,
    dts: false,
    external: [/^(?!@atelier\/|\.|\/)/],
    format: 'esm',
    logLevel: 'error',
    noExternal: [/^@atelier\//],
    platform: 'node',
    // Packages are loaded also for what isn't used of them.
    treeshake: false,
    write: false,
  });
  const chunks = bundles.flatMap((bundle) => bundle.chunks.filter((file) => file.type === 'chunk'));
  const own = new Set(chunks.map(({ fileName }) => fileName));
  const names = chunks
    .flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
    .filter((specifier) => !own.has(specifier) && !isBuiltin(specifier))
    .map((specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier);
  return [...new Set(names)].toSorted();
}
