import { systemClock } from '../adapters/system-clock.ts';
import { connectDatabase } from '../db/client.ts';
import type { Database } from '../db/executor.ts';
import { createScopes, everywhere } from '../db/scopes.ts';
import { accountOperations } from '../domain/operate-accounts/operate-accounts.ts';
import { jobOperations } from '../domain/operate-jobs/operate-jobs.ts';
import { enqueueRebuilds } from '../domain/search-index/queries/rebuilds.ts';
import { OperatorError } from '../domain/operator-error.ts';
import {
  readCommandLine,
  usage,
  UsageError,
  type Command,
  type DatabaseCommand,
} from './command-line.ts';
import { operateDistribute } from './distribute.ts';
import { innermostCause } from './innermost-cause.ts';
import { databaseUrlOf, storageSettingsOf } from './stack.ts';
import { operateStorage } from './storage.ts';
import { operateVerify } from './verify.ts';
import { jobTable, sessionTable } from './text-tables.ts';

export interface OperatorCall {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The embedded stack's default data directory. */
  readonly defaultDataDir: string;
  readonly print: (line: string) => void;
  readonly complain: (line: string) => void;
}

const timeoutMs = 15_000;
/** Timeout of statements that read whole tables of any size. */
const wholeTableTimeoutMs = 6 * 60 * 60 * 1000;

/** Runs one command. @returns the exit code: 0 success, 1 failure or failed check, 2 usage error */
export async function runOperator(call: OperatorCall): Promise<0 | 1 | 2> {
  try {
    const command = readCommandLine(call.args);
    if (command === 'help') {
      call.print(usage);
      return 0;
    }
    const { report, exitCode } = await execute(command, call);
    call.print(report);
    return exitCode;
  } catch (error) {
    if (error instanceof UsageError) {
      call.complain(`${error.message}\n\n${usage}`);
      return 2;
    }
    call.complain(error instanceof OperatorError ? error.message : describeDefect(error));
    return 1;
  }
}

async function execute(
  command: Command,
  call: OperatorCall,
): Promise<{ report: string; exitCode: 0 | 1 }> {
  const url = await databaseUrlOf(environmentOf(command, call), call.defaultDataDir);
  const readsWholeTables = command.name === 'verify' || command.name === 'distribute';
  const statementTimeoutMs = readsWholeTables ? wholeTableTimeoutMs : timeoutMs;
  // Harmless if the database has no policies, so that the operator needn't know.
  const scopes = createScopes();
  // One sees all connections but its own.
  const maxConnections = command.name === 'distribute' ? 1 : 2;
  const prepare = call.env['DATABASE_PREPARE'] !== 'false';
  const { db, close } = connectDatabase({
    url,
    prepare,
    maxConnections,
    statementTimeoutMs,
    scopes,
  });
  try {
    return await everywhere(scopes, () => executeOn(db, command, call));
  } finally {
    await close(2);
  }
}

/** Only the owner of the tables changes them. */
function environmentOf({ name }: Command, { env }: OperatorCall): OperatorCall['env'] {
  const owner = env['DATABASE_MIGRATION_URL'];
  if (name !== 'distribute' || !owner) return env;
  return { ...env, DATABASE_URL: owner, DATABASE_DIRECT_URL: owner };
}

async function executeOn(
  db: Database,
  command: Command,
  { env, defaultDataDir, print, complain }: OperatorCall,
): Promise<{ report: string; exitCode: 0 | 1 }> {
  if (command.name === 'distribute') {
    return { report: await operateDistribute(db, { mode: command.mode, print }), exitCode: 0 };
  }
  if (command.name === 'verify') {
    const settings = await storageSettingsOf(env, defaultDataDir);
    const { report, holds } = await operateVerify(db, settings);
    return { report, exitCode: holds ? 0 : 1 };
  }
  if (command.name !== 'storage') {
    return { report: await operateDatabase(db, command), exitCode: 0 };
  }
  const settings = await storageSettingsOf(env, defaultDataDir);
  const { report, isDone } = await operateStorage({ db, settings, mode: command.mode, complain });
  return { report, exitCode: isDone ? 0 : 1 };
}

async function operateDatabase(db: Database, command: DatabaseCommand): Promise<string> {
  const accounts = accountOperations({ db, clock: systemClock });
  const jobs = jobOperations({ db });
  switch (command.name) {
    case 'jobs':
      return jobTable(await jobs.list(command.states));
    case 'retry-job':
      return jobs.retry(command.jobId);
    case 'reindex':
      return `${await enqueueRebuilds(db)} search indexes are built anew, by the processes that run jobs.`;
    case 'grant-admin':
      return accounts.grantAdmin(command.email);
    case 'revoke-admin':
      return accounts.revokeAdmin(command.email);
    case 'suspend':
      return accounts.suspend(command.email);
    case 'reinstate':
      return accounts.reinstate(command.email);
    case 'end-sessions':
      return accounts.endSessions(command.email);
    case 'reset-second-factor':
      return accounts.resetSecondFactor(command.email);
    case 'sessions':
      return sessionTable(command.email, await accounts.listSessions(command.email));
  }
}

function describeDefect(error: unknown): string {
  const { code, message } = innermostCause(error);
  return `The database could not be used${code === null ? '' : ` (${code})`}: ${message}`;
}
