import { parseArgs } from 'node:util';
import { Email } from '@atelier/contract';
import type { JobState } from '../domain/operate-jobs/queries.ts';
import type { ReconciliationMode } from '../domain/storage-upkeep/reconcile.ts';
import type { DistributeMode } from './distribute.ts';

const accountCommands = {
  'grant-admin': 'make a verified account a platform administrator',
  'revoke-admin': 'make an administrator an ordinary user again',
  suspend: 'refuse sign-ins of an account and end its sessions at once',
  reinstate: 'let a suspended account sign in again',
  sessions: 'list the open sessions of an account',
  'end-sessions': 'end every session of an account',
  'reset-second-factor': 'remove the second factor of an account and end its sessions',
} as const;

const jobCommands = {
  jobs: 'list the jobs that are not done; with --failed, those out of attempts',
  'retry-job': 'let a job run now, with all its attempts',
} as const;

const searchCommands = {
  reindex: 'build the search indexes of all organizations anew, while searches go on',
} as const;

const clusterCommands = {
  distribute:
    'distribute the organizations over the workers of a Citus cluster; with --print, print the statements',
} as const;

const storageCommands = {
  storage:
    'compare the file storage with the database; with --fix, clean up at once, and with --remove-most also when that removes most of the bucket; exits with 1 when an expired upload could not be ended, or most of the bucket would go',
  verify:
    'check all that has to hold in database and storage; exits with 1 when something does not',
} as const;

export interface StorageCommand {
  readonly name: 'storage';
  readonly mode: ReconciliationMode;
}

/** A command that needs only the database. */
export type DatabaseCommand =
  | { readonly name: keyof typeof accountCommands; readonly email: string }
  | { readonly name: 'jobs'; readonly states: readonly JobState[] }
  | { readonly name: 'retry-job'; readonly jobId: string }
  | { readonly name: 'reindex' };

export interface DistributeCommand {
  readonly name: 'distribute';
  readonly mode: DistributeMode;
}

export type Command =
  | DatabaseCommand
  | StorageCommand
  | DistributeCommand
  | { readonly name: 'verify' };

/** The command line does not match {@link usage}. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const usage = `Usage: pnpm operator <command> <email>
       pnpm operator jobs [--failed]
       pnpm operator retry-job <id>
       pnpm operator reindex
       pnpm operator storage [--fix [--remove-most]]
       pnpm operator verify
       pnpm operator distribute [--print]

Commands:
${Object.entries({
  ...accountCommands,
  ...jobCommands,
  ...searchCommands,
  ...storageCommands,
  ...clusterCommands,
})
  .map(([name, purpose]) => `  ${name.padEnd(21)}${purpose}`)
  .join('\n')}

It works on DATABASE_URL, past its pooler if there is DATABASE_DIRECT_URL, or, without that, on the running embedded stack
of ATELIER_DATA_DIR (default .data); storage and verify likewise on S3_ENDPOINT, S3_ACCESS_KEY and S3_SECRET_KEY. distribute changes tables, as their owner:
if there is DATABASE_MIGRATION_URL, it takes that.
`;

/**
 * @param args - the arguments after the program's name
 * @throws UsageError with the reason
 */
export function readCommandLine(args: readonly string[]): Command | 'help' {
  const { values, positionals } = parse(args);
  if (values.help) return 'help';
  const [name, ...operands] = positionals;
  if (name === undefined) throw new UsageError('Name a command and an email.');
  if (values.failed && name !== 'jobs') throw new UsageError('--failed goes with jobs only.');
  if (values.fix && name !== 'storage') throw new UsageError('--fix goes with storage only.');
  if (values['remove-most'] && !values.fix) {
    throw new UsageError('--remove-most goes with storage --fix only.');
  }
  if (values.print && name !== 'distribute') {
    throw new UsageError('--print goes with distribute only.');
  }
  if (name === 'distribute') {
    if (operands.length > 0) throw new UsageError('distribute takes nothing but --print.');
    return { name, mode: values.print ? 'print' : 'make' };
  }
  if (name === 'storage') {
    if (operands.length > 0) throw new UsageError('storage takes nothing but --fix.');
    if (values['remove-most']) return { name, mode: 'mend_most' };
    return { name, mode: values.fix ? 'mend' : 'examine' };
  }
  if (name === 'reindex') {
    if (operands.length > 0) throw new UsageError('reindex takes nothing more.');
    return { name };
  }
  if (name === 'verify') {
    if (operands.length > 0) throw new UsageError('verify takes nothing more.');
    return { name };
  }
  if (name === 'jobs') {
    if (operands.length > 0) throw new UsageError('jobs takes nothing but --failed.');
    return { name, states: values.failed ? ['failed'] : ['waiting', 'running', 'failed'] };
  }
  if (name === 'retry-job') return { name, jobId: jobIdOf(operands) };
  if (isAccountCommand(name)) return { name, email: emailOf(name, operands) };
  throw new UsageError(`There is no command ${quoted(name)}.`);
}

function emailOf(name: string, [address, ...rest]: readonly string[]): string {
  if (address === undefined) throw new UsageError(`${name} needs the email of an account.`);
  if (rest.length > 0) throw new UsageError(`${name} takes one email and nothing more.`);
  const email = Email.safeParse(address);
  if (!email.success) throw new UsageError(`${quoted(address)} is not an email address.`);
  return email.data;
}

function jobIdOf([id, ...rest]: readonly string[]): string {
  if (id === undefined) throw new UsageError('retry-job needs the id of a job.');
  if (rest.length > 0) throw new UsageError('retry-job takes one id and nothing more.');
  // The queue's ids have 64 bits; eighteen digits always fit.
  if (!/^\d{1,18}$/.test(id)) throw new UsageError(`${quoted(id)} is not the id of a job.`);
  return id;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        help: { type: 'boolean', short: 'h' },
        failed: { type: 'boolean' },
        fix: { type: 'boolean' },
        'remove-most': { type: 'boolean' },
        print: { type: 'boolean' },
      },
      allowPositionals: true,
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The arguments are not valid.');
  }
}

function isAccountCommand(name: string): name is keyof typeof accountCommands {
  return Object.hasOwn(accountCommands, name);
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
