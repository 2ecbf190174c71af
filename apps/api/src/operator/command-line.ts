import { parseArgs } from 'node:util';
import { Email } from '@atelier/contract';
import type { UpkeepMode } from '../workflows/storage-upkeep/expired-uploads.ts';

const accountCommands = {
  'grant-admin': 'make a verified account a platform administrator',
  'revoke-admin': 'make an administrator an ordinary user again',
  suspend: 'refuse logins of an account and end its sessions at once',
  reinstate: 'let a suspended account log in again',
  sessions: 'list the open sessions of an account',
  'end-sessions': 'end every session of an account',
} as const;

export type AccountCommandName = keyof typeof accountCommands;

export interface AccountCommand {
  readonly name: AccountCommandName;
  readonly email: string;
}

export interface StorageCommand {
  readonly name: 'storage';
  readonly mode: UpkeepMode;
}

/** The command line is not one that {@link usage} describes. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const usage = `Usage: pnpm operator <command> <email>
       pnpm operator storage [--fix]

Commands:
${Object.entries(accountCommands)
  .map(([name, purpose]) => `  ${name.padEnd(14)}${purpose}`)
  .join('\n')}
  storage       compare the file storage with the database; with --fix, clean up at once

It works on DATABASE_URL or, without that, on the running embedded stack of ATELIER_DATA_DIR (default .data);
storage likewise on S3_ENDPOINT, S3_ACCESS_KEY and S3_SECRET_KEY.
`;

/**
 * @param args - what follows the name of the program
 * @throws UsageError saying what is wrong with them
 */
export function readCommandLine(args: readonly string[]): AccountCommand | StorageCommand | 'help' {
  const { values, positionals } = parse(args);
  if (values.help) return 'help';
  const [name, address, ...rest] = positionals;
  if (name === undefined) throw new UsageError('Name a command and an email.');
  if (name === 'storage') {
    if (address !== undefined) throw new UsageError('storage takes nothing but --fix.');
    return { name, mode: values.fix ? 'mend' : 'examine' };
  }
  if (values.fix) throw new UsageError('--fix goes with storage only.');
  if (!isAccountCommand(name)) throw new UsageError(`There is no command ${quoted(name)}.`);
  if (address === undefined) throw new UsageError(`${name} needs the email of an account.`);
  if (rest.length > 0) throw new UsageError(`${name} takes one email and nothing more.`);
  const email = Email.safeParse(address);
  if (!email.success) throw new UsageError(`${quoted(address)} is not an email address.`);
  return { name, email: email.data };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: { help: { type: 'boolean', short: 'h' }, fix: { type: 'boolean' } },
      allowPositionals: true,
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'The arguments are not valid.');
  }
}

function isAccountCommand(name: string): name is AccountCommandName {
  return Object.hasOwn(accountCommands, name);
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
