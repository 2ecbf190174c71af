import { statSync } from 'node:fs';

/** The unprivileged user that runs a program. */
export interface Account {
  uid: number;
  gid: number;
}

const nobodyAccount: Account = { uid: 65_534, gid: 65_534 };

/**
 * Returns the account for Postgres, which can't run as root; undefined if this process isn't root, and Postgres
 * runs as the same user.
 *
 * @param clusterDir - an existing cluster keeps its owner, so that root can use a user's data
 */
export function accountForPostgres(clusterDir: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(clusterDir, { throwIfNoEntry: false });
  if (owner === undefined || owner.uid === 0) return nobodyAccount;
  return { uid: owner.uid, gid: owner.gid };
}
