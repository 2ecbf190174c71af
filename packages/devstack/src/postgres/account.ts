import { statSync } from 'node:fs';

/** The unprivileged user that a program is run as. */
export interface Account {
  uid: number;
  gid: number;
}

const nobody: Account = { uid: 65_534, gid: 65_534 };

/**
 * The account for Postgres, which refuses to run as root; undefined when this process isn't root
 * and Postgres runs as the same user.
 *
 * @param clusterDir - a cluster made earlier keeps its owner, so that root can go on with a user's data
 */
export function accountForPostgres(clusterDir: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(clusterDir, { throwIfNoEntry: false });
  if (owner === undefined || owner.uid === 0) return nobody;
  return { uid: owner.uid, gid: owner.gid };
}
