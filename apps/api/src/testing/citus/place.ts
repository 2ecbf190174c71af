import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where the tests find Citus: a folder with its files for the bundled Postgres, or a cluster that runs. */
export type CitusPlace =
  | { readonly kind: 'folder'; readonly path: string }
  /** `url` is of a database with the extension, on the coordinator. */
  | { readonly kind: 'cluster'; readonly url: string };

/**
 * Finds Citus by `CITUS_DIR`, by `DATABASE_URL`, or beside the project.
 *
 * @param root - the project's folder
 * @returns null if there is none
 */
export function findCitus(
  env: Readonly<Record<string, string | undefined>>,
  root: string,
): CitusPlace | null {
  const { CITUS_DIR: folder, DATABASE_URL: url } = env;
  if (folder) return { kind: 'folder', path: folder };
  if (url) return { kind: 'cluster', url };
  const beside = join(root, '../shared/citus');
  return existsSync(join(beside, 'lib/citus.so')) ? { kind: 'folder', path: beside } : null;
}
