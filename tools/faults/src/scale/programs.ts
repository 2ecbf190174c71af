import { execFileSync } from 'node:child_process';
import { findProgram } from '../../../../apps/api/src/testing/programs.ts';

/** The programs of a deployment on several machines, by their Debian packages. */
const packageOf = {
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  'redis-server': 'redis-server',
} as const;

export type Programs = Readonly<Record<keyof typeof packageOf, string>>;

/** Programs are not installed; the message says how to install them. */
export class MissingProgramsError extends Error {
  constructor(names: readonly (keyof Programs)[]) {
    const packages = names.map((name) => packageOf[name]).join(' ');
    super(`Not installed: ${names.join(', ')}. On Debian: apt-get install ${packages}`);
  }
}

/** @throws MissingProgramsError that names all of them */
export function findPrograms(): Programs {
  const found = {
    haproxy: findProgram('haproxy'),
    pgbouncer: findProgram('pgbouncer'),
    'redis-server': findProgram('redis-server'),
  };
  const { haproxy, pgbouncer, 'redis-server': redis } = found;
  if (haproxy && pgbouncer && redis) return { haproxy, pgbouncer, 'redis-server': redis };
  throw new MissingProgramsError(names.filter((name) => found[name] === null));
}

const names = ['haproxy', 'pgbouncer', 'redis-server'] as const;

/** Whether this PgBouncer supports prepared statements in transaction mode. */
export function supportsPreparedStatements(pgbouncer: string): boolean {
  const text = execFileSync(pgbouncer, ['--version'], { encoding: 'utf8' });
  const [, major = '0', minor = '0'] = /PgBouncer (\d+)\.(\d+)/.exec(text) ?? [];
  return Number(major) > 1 || Number(minor) >= 21;
}
