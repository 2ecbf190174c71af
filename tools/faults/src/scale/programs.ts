import { execFileSync } from 'node:child_process';
import { findProgram } from '../services/programs.ts';

/** What stands beside the service when it runs on several machines, as Debian packages it. */
const packageOf = {
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  'redis-server': 'redis-server',
} as const;

export type Programs = Readonly<Record<keyof typeof packageOf, string>>;

/** Programs that the machine hasn't; the message says how it gets them. */
export class MissingPrograms extends Error {
  constructor(names: readonly (keyof Programs)[]) {
    const packages = names.map((name) => packageOf[name]).join(' ');
    super(`Not installed: ${names.join(', ')}. On Debian: apt-get install ${packages}`);
  }
}

/** @throws MissingPrograms that names all of them */
export function findPrograms(): Programs {
  const found = {
    haproxy: findProgram('haproxy'),
    pgbouncer: findProgram('pgbouncer'),
    'redis-server': findProgram('redis-server'),
  };
  const { haproxy, pgbouncer, 'redis-server': redis } = found;
  if (haproxy && pgbouncer && redis) return { haproxy, pgbouncer, 'redis-server': redis };
  throw new MissingPrograms(names.filter((name) => found[name] === null));
}

const names = ['haproxy', 'pgbouncer', 'redis-server'] as const;

/** Whether this PgBouncer carries prepared statements over in transaction mode. */
export function knowsPreparedStatements(pgbouncer: string): boolean {
  const text = execFileSync(pgbouncer, ['--version'], { encoding: 'utf8' });
  const [, major = '0', minor = '0'] = /PgBouncer (\d+)\.(\d+)/.exec(text) ?? [];
  return Number(major) > 1 || Number(minor) >= 21;
}
