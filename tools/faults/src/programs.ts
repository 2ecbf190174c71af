import { execFileSync } from 'node:child_process';
import { findProgram } from '../../../apps/api/src/testing/programs.ts';

/** The programs of a deployment on several machines, with their Debian packages. */
const packageOf = {
  ceph: 'ceph-common',
  'ceph-mon': 'ceph-mon',
  'ceph-osd': 'ceph-osd',
  etcd: 'etcd-server',
  haproxy: 'haproxy',
  monmaptool: 'ceph-base',
  patroni: 'patroni',
  pgbouncer: 'pgbouncer',
  radosgw: 'radosgw',
  'radosgw-admin': 'ceph-common',
  'redis-server': 'redis-server',
} as const;

export type Program = keyof typeof packageOf;

/** Paths of programs by their names. */
export type Programs<Name extends Program> = Readonly<Record<Name, string>>;

/** Programs are not installed; the message says how to install them. */
export class MissingProgramsError extends Error {
  constructor(names: readonly Program[]) {
    const packages = [...new Set(names.map((name) => packageOf[name]))].join(' ');
    super(`Not installed: ${names.join(', ')}. On Debian: apt-get install ${packages}`);
  }
}

/** @throws MissingProgramsError that names all that are missing */
export function findPrograms<Name extends Program>(names: readonly Name[]): Programs<Name> {
  const found = names.map((name) => [name, findProgram(name)] as const);
  const missing = found.filter(([, path]) => path === null).map(([name]) => name);
  if (missing.length > 0) throw new MissingProgramsError(missing);
  // Every name has a path.
  return Object.fromEntries(found) as Programs<Name>;
}

/** Whether this PgBouncer supports prepared statements in transaction mode. */
export function supportsPreparedStatements(pgbouncer: string): boolean {
  const text = execFileSync(pgbouncer, ['--version'], { encoding: 'utf8' });
  const [, major = '0', minor = '0'] = /PgBouncer (\d+)\.(\d+)/.exec(text) ?? [];
  return Number(major) > 1 || Number(minor) >= 21;
}
