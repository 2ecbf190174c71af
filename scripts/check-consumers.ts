import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unpackPackage } from './packed-packages.ts';

const repository = join(import.meta.dirname, '..');
const sources = join(repository, 'packages', 'client', 'consumer');

/** The compilers that the packages support, by the names they are installed under. */
const compilers = ['typescript-5.9', 'typescript-6', 'typescript'];

/**
 * The maximum of type instantiations that the client may add to a project. Unlike seconds, the count is the same
 * on every machine; this many take less than 0.3 s.
 */
const instantiationsLimit = 5000;

/** A compiler rejects a package, or needs too long for it. */
export class ConsumerError extends Error {}

/**
 * Compiles a project that has installed the packed client, and checks every declaration file. `consumers.ts` does so
 * with the contract.
 *
 * @param client - path of the tarball
 * @returns a line for each compiler, with its cost
 * @throws ConsumerError if one doesn't compile or takes too long
 */
export function checkConsumers(client: string): string[] {
  const project = mkdtempSync(join(tmpdir(), 'atelier-consumer-'));
  try {
    unpackPackage(client, join(project, 'node_modules', '@atelier', 'client'));
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
    for (const name of ['client', 'node']) {
      copyFileSync(join(sources, `${name}.ts`), join(project, `${name}.ts`));
    }
    // The base of the comparison: a project without the package.
    writeFileSync(join(project, 'empty.ts'), 'export const nothing = fetch;\n');
    return compilers.map((compiler) => {
      const empty = compile({ project, compiler, source: 'empty' });
      const used = compile({ project, compiler, source: 'client' });
      compile({ project, compiler, source: 'node', library: 'es2022' });
      const added = used.instantiations - empty.instantiations;
      const seconds = Math.max(0, used.seconds - empty.seconds).toFixed(2);
      const line = `${compiler}: client ${added} of ${instantiationsLimit} instantiations, ${seconds} s`;
      if (!(added <= instantiationsLimit)) throw new ConsumerError(`Too slow, ${line}`);
      return line;
    });
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

interface Compilation {
  readonly project: string;
  readonly compiler: string;
  readonly source: string;
  readonly library?: string;
}

function compile({ project, compiler, source, library = 'es2022,dom,dom.iterable' }: Compilation) {
  const options = [
    [
      `${source}.ts`,
      '--noEmit',
      '--strict',
      '--exactOptionalPropertyTypes',
      '--extendedDiagnostics',
    ],
    ['--skipLibCheck', 'false', '--target', 'es2022', '--lib', library],
    ['--module', 'nodenext', '--moduleResolution', 'nodenext'],
  ];
  const entry = join(repository, 'node_modules', compiler, 'bin', 'tsc');
  try {
    const output = execFileSync(process.execPath, [entry, ...options.flat()], {
      cwd: project,
      encoding: 'utf8',
    });
    return {
      instantiations: Number(/^Instantiations:\s+(\d+)/m.exec(output)?.[1]),
      seconds: Number(/^Check time:\s+([\d.]+)s/m.exec(output)?.[1]),
    };
  } catch (error) {
    const { stdout } = error as { stdout?: string };
    throw new ConsumerError(`${compiler} rejects ${source}.ts:\n${stdout ?? String(error)}`, {
      cause: error,
    });
  }
}
