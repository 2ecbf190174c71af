import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A check that last passed on these inputs. */
interface Pass {
  readonly fingerprint: string;
  /** An ISO timestamp. */
  readonly passedAt: string;
}

export interface PassedChecks {
  /** @returns the timestamp of the pass on the same inputs; null if there is none */
  passedAt(name: string, fingerprint: string): string | null;
  remember(name: string, fingerprint: string): void;
}

/**
 * Hashes what decides the result of a check: its files, its command and the version of Node.
 *
 * @param patterns - globs below `root`; dependencies and build output don't count
 */
export function fingerprintOf(
  root: string,
  { patterns, command }: { patterns: readonly string[]; command: readonly string[] },
): string {
  const hash = createHash('sha256').update(JSON.stringify([process.version, command]));
  const entries = globSync([...patterns], {
    cwd: root,
    exclude: ['**/node_modules', '**/dist'],
    withFileTypes: true,
  });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  for (const file of [...new Set(files)].toSorted()) {
    const content = createHash('sha256').update(readFileSync(file)).digest('hex');
    hash.update(JSON.stringify([file.slice(root.length), content]));
  }
  return hash.digest('hex');
}

/** Opens the record of passed checks. A missing or unreadable file is an empty record. */
export function openPassedChecks(file: string): PassedChecks {
  const passes = new Map(Object.entries(readPasses(file)));
  return {
    passedAt(name, fingerprint) {
      const pass = passes.get(name);
      return pass?.fingerprint === fingerprint ? pass.passedAt : null;
    },
    remember(name, fingerprint) {
      passes.set(name, { fingerprint, passedAt: new Date().toISOString() });
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${JSON.stringify(Object.fromEntries(passes), null, 2)}\n`);
    },
  };
}

function readPasses(file: string): Readonly<Record<string, Pass>> {
  if (!existsSync(file)) return {};
  try {
    // Written by `remember`.
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, Pass>;
  } catch {
    return {};
  }
}
