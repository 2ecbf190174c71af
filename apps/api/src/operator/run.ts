import { systemClock } from '../adapters/system-clock.ts';
import { connectDatabase, type Database } from '../db/client.ts';
import { deviceNameOf } from '../kernel/device-name.ts';
import {
  accountOperations,
  OperatorError,
} from '../workflows/operate-accounts/operate-accounts.ts';
import {
  readCommandLine,
  usage,
  UsageError,
  type AccountCommand,
  type StorageCommand,
} from './command-line.ts';
import { databaseUrlOf, storageSettingsOf } from './stack.ts';
import { operateStorage } from './storage.ts';

export interface OperatorCall {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the embedded stack keeps its files unless the environment says otherwise. */
  readonly defaultDataDir: string;
  readonly print: (line: string) => void;
  readonly complain: (line: string) => void;
}

/** Runs one command. @returns the exit code: 0 done, 1 not possible, 2 not understood */
export async function runOperator(call: OperatorCall): Promise<0 | 1 | 2> {
  try {
    const command = readCommandLine(call.args);
    if (command === 'help') {
      call.print(usage);
      return 0;
    }
    call.print(await execute(command, call));
    return 0;
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
  command: AccountCommand | StorageCommand,
  { env, defaultDataDir, complain }: OperatorCall,
): Promise<string> {
  const url = await databaseUrlOf(env, defaultDataDir);
  const { db, close } = connectDatabase({ url, maxConnections: 2, statementTimeoutMs: 15_000 });
  try {
    if (command.name !== 'storage') return await operateAccount(db, command);
    const settings = await storageSettingsOf(env, defaultDataDir);
    return await operateStorage({ db, settings, mode: command.mode, complain });
  } finally {
    await close(2);
  }
}

async function operateAccount(db: Database, { name, email }: AccountCommand): Promise<string> {
  const accounts = accountOperations({ db, clock: systemClock });
  switch (name) {
    case 'grant-admin':
      return accounts.grantAdmin(email);
    case 'revoke-admin':
      return accounts.revokeAdmin(email);
    case 'suspend':
      return accounts.suspend(email);
    case 'reinstate':
      return accounts.reinstate(email);
    case 'end-sessions':
      return accounts.endSessions(email);
    case 'sessions':
      return table(email, await accounts.listSessions(email));
  }
}

type SessionList = Awaited<ReturnType<ReturnType<typeof accountOperations>['listSessions']>>;

function table(email: string, { rows, total }: SessionList): string {
  if (total === 0) return `${email} has no open session.`;
  const lines = [
    ['ID', 'DEVICE', 'ADDRESS', 'LAST USED'],
    ...rows.map((row) => [
      row.id,
      deviceNameOf(row.userAgent),
      row.ipAddress ?? '',
      row.lastUsedAt.toISOString(),
    ]),
  ];
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  const text = lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
  return total > rows.length ? `${text}\n… and ${total - rows.length} more` : text;
}

/** The innermost cause: the outer ones hold statements and their parameters. */
function describeDefect(error: unknown): string {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  return `The database could not be used${code}: ${cause instanceof Error ? cause.message : 'unknown reason'}`;
}
