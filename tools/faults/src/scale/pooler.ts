import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runBouncer, type Bouncer } from '../services/bouncer.ts';
import { supportsPreparedStatements } from '../programs.ts';

const deployed = join(import.meta.dirname, '../../../../deploy/pgbouncer/pgbouncer.ini');

/** Starts PgBouncer in transaction mode, on the configuration in deploy. */
export async function startPooler(
  program: string,
  { directory, port, databaseUrl }: { directory: string; port: number; databaseUrl: string },
): Promise<Bouncer & { readonly url: string }> {
  const database = new URL(databaseUrl);
  const name = database.pathname.slice(1);
  const address = `host=127.0.0.1 port=${database.port} dbname=${name}`;
  const user = `user=${database.username} password=${decodeURIComponent(database.password)}`;
  const query = "connect_query='set statement_timeout = 15000; set lock_timeout = 10000'";
  // Later lines win. Authentication isn't tested here: all clients are on this machine.
  const configuration = `${readFileSync(deployed, 'utf8')}
listen_port = ${port}
auth_type = any
auth_file =
${supportsPreparedStatements(program) ? 'max_prepared_statements = 500' : ''}
[databases]
${name} = ${address} ${user} ${query}
`;
  const bouncer = await runBouncer(program, { directory, port, configuration });
  const pooled = new URL(databaseUrl);
  pooled.port = String(port);
  return { ...bouncer, url: pooled.href };
}
