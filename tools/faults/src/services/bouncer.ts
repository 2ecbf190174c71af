import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accepts } from '../../../../apps/api/src/testing/accepts.ts';
import { kill } from '../../../../apps/api/src/testing/kill.ts';
import { findProgram } from '../../../../apps/api/src/testing/programs.ts';

/** PgBouncer between an API and Postgres. */
export interface Bouncer {
  readonly port: number;
  /** Kills PgBouncer with all its connections and starts it again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface BouncerOptions {
  /** Gets a subdirectory for its files, and becomes readable for every user. */
  readonly directory: string;
  readonly port: number;
  /** The text of pgbouncer.ini. */
  readonly configuration: string;
}

const nobody = 65_534;

/** Starts PgBouncer in session mode. @returns a string saying why, if it isn't installed */
export async function startBouncer(
  databaseUrl: string,
  { directory, port }: { directory: string; port: number },
): Promise<Bouncer | string> {
  const program = findProgram('pgbouncer');
  if (program === null) return 'pgbouncer is not installed (Debian: apt-get install pgbouncer)';
  const configuration = sessionConfiguration(new URL(databaseUrl), port);
  return runBouncer(program, { directory, port, configuration });
}

/** Starts PgBouncer on a configuration that makes it listen on the port. */
export async function runBouncer(
  program: string,
  { directory, port, configuration: text }: BouncerOptions,
): Promise<Bouncer> {
  const configuration = join(directory, 'pgbouncer', 'pgbouncer.ini');
  mkdirSync(join(directory, 'pgbouncer'));
  writeFileSync(configuration, text);
  // PgBouncer refuses to run as root.
  const account = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
  chmodSync(directory, 0o755);

  let child: ChildProcess = await run();
  async function run(): Promise<ChildProcess> {
    const started = spawn(program, ['-q', configuration], { stdio: 'ignore', ...account });
    while (!(await accepts(port))) {
      if (started.exitCode !== null) throw new Error('PgBouncer exited at start.');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return started;
  }
  const stop = () => kill(child);
  return {
    port,
    stop,
    async restart() {
      await stop();
      child = await run();
    },
  };
}

/** One connection to Postgres for each client, because the service listens and prepares statements. */
function sessionConfiguration(database: URL, port: number): string {
  const name = database.pathname.slice(1);
  return `[databases]
${name} = host=127.0.0.1 port=${database.port} dbname=${name} user=${database.username} password=${decodeURIComponent(database.password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = session
default_pool_size = 80
max_client_conn = 200
server_login_retry = 1
server_connect_timeout = 3
ignore_startup_parameters = extra_float_digits,statement_timeout,lock_timeout,idle_in_transaction_session_timeout
`;
}
