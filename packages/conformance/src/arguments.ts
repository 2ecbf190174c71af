import { parseArgs } from 'node:util';
import { operations } from '@atelier/contract';
import { groupOf } from './check.ts';
import { isGroup } from './gate.ts';
import { selectedChecks, type ConformanceOptions } from './run.ts';

const reporterNames = ['pretty', 'junit', 'json', 'github'] as const;
export type ReporterName = (typeof reporterNames)[number];

/** A report and its file; null for standard output. */
export interface ReporterChoice {
  readonly name: ReporterName;
  readonly file: string | null;
}

export type Command =
  | { readonly kind: 'help' | 'version' }
  | { readonly kind: 'list'; readonly checks: ReturnType<typeof selectedChecks> }
  | {
      readonly kind: 'run';
      readonly options: ConformanceOptions;
      readonly reporters: readonly ReporterChoice[];
    };

/** Invalid arguments; the message says what to write instead. */
export class UsageError extends Error {}

export const usage = `Checks a deployment of the Atelier API against its contract.

  conformance --base-url URL --mail-api URL [options]
  conformance --base-url URL --profile read-only --email ADDRESS --password PASSWORD [options]

  --base-url URL        base URL of the service
  --mail-api URL        its mail inbox: URL/email lists the mails
  --profile NAME        full (default): creates accounts and leaves them behind
                        read-only: signs in, changes nothing, signs out
  --email, --password   the account of the read-only profile; the variable
                        CONFORMANCE_PASSWORD may hold the password
  --sign-in NAME        google or github: a provider that skips its pages for a login_hint
  --only GROUPS         groups of the contract, such as auth,uploads
  --checks IDS          ids of checks or prefixes of ids, such as session.,input.body:tasks
  --reporter NAMES      pretty (default), junit, json, github; each to a file with junit=out.xml
  --seed N              seed of random values (default 1)
  --concurrency N       checks in parallel, 1 to 64 (default 6)
  --allow-missing       an operation may respond with 501
  --list                prints the checks without running them
  --help, --version

Exit codes: 0 it conforms, 1 it does not, 2 wrong usage or no response, 141 output no longer read.`;

const options = {
  'base-url': { type: 'string' },
  'mail-api': { type: 'string' },
  profile: { type: 'string', default: 'full' },
  email: { type: 'string' },
  password: { type: 'string' },
  'sign-in': { type: 'string' },
  only: { type: 'string' },
  checks: { type: 'string' },
  reporter: { type: 'string', default: 'pretty' },
  seed: { type: 'string', default: '1' },
  concurrency: { type: 'string', default: '6' },
  'allow-missing': { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
  version: { type: 'boolean', default: false },
} as const;

/**
 * Parses a command line.
 *
 * @param variables - of the environment
 * @throws UsageError
 */
export function parseCommand(
  args: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
): Command {
  const values = parsed(args);
  if (values.help) return { kind: 'help' };
  if (values.version) return { kind: 'version' };
  const selection = {
    ...(values.only !== undefined && { only: groupsIn(values.only) }),
    ...(values.checks !== undefined && { checks: listIn('checks', values.checks) }),
  };
  const profile = oneOf('profile', values.profile, ['full', 'read-only'] as const);
  const selected = selectedChecks({ ...selection, profile });
  if (selected.length === 0) {
    throw new UsageError('no check matches --only, --checks and --profile; --list prints all');
  }
  if (values.list) return { kind: 'list', checks: selected };
  const common = {
    ...selection,
    baseUrl: address('base-url', values['base-url']),
    seed: wholeNumber('seed', values.seed, [0, 2 ** 32 - 1]),
    concurrency: wholeNumber('concurrency', values.concurrency, [1, 64]),
    allowMissing: values['allow-missing'],
  };
  const reporters = reportersIn(values.reporter);
  if (profile === 'full') {
    return { kind: 'run', reporters, options: { ...common, ...fullOptions(values) } };
  }
  const account = accountIn(values, variables['CONFORMANCE_PASSWORD']);
  return { kind: 'run', reporters, options: { ...common, profile, account } };
}

type Values = ReturnType<typeof parsed>;

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function fullOptions(values: Values) {
  if (values.email !== undefined || values.password !== undefined) {
    throw new UsageError('--email and --password belong to --profile read-only');
  }
  if (values['mail-api'] === undefined) {
    throw new UsageError(
      '--profile full creates accounts and needs --mail-api to read their mails; without it, use --profile read-only',
    );
  }
  const signIn = values['sign-in'];
  return {
    mailApiUrl: address('mail-api', values['mail-api']),
    ...(signIn !== undefined && {
      signIn: oneOf('sign-in', signIn, ['google', 'github'] as const),
    }),
  };
}

function accountIn(values: Values, variable: string | undefined) {
  const { email, password = variable } = values;
  if (values['sign-in'] !== undefined || values['mail-api'] !== undefined) {
    throw new UsageError('--sign-in and --mail-api belong to --profile full');
  }
  if (email === undefined || password === undefined) {
    throw new UsageError('--profile read-only needs --email and --password');
  }
  return { email, password };
}

function address(option: string, text: string | undefined): string {
  if (text === undefined) throw new UsageError(`--${option} is missing`);
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new UsageError(`--${option} takes a URL such as http://localhost:3000, not ${text}`);
}

function wholeNumber(option: string, text: string, [least, most]: [number, number]): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new UsageError(`--${option} takes a whole number from ${least} to ${most}, not ${text}`);
}

function oneOf<const Name extends string>(
  option: string,
  text: string,
  names: readonly Name[],
): Name {
  const name = names.find((candidate) => candidate === text);
  if (name !== undefined) return name;
  throw new UsageError(`--${option} takes ${names.join(' or ')}, not ${text || 'nothing'}`);
}

function listIn(option: string, text: string): string[] {
  const items = text.split(',').map((item) => item.trim());
  if (items.every((item) => item !== '')) return items;
  throw new UsageError(`--${option} takes names separated by commas`);
}

function groupsIn(text: string): string[] {
  const groups = [...new Set(operations.map(({ id }) => groupOf(id)))];
  const names = listIn('only', text);
  const unknown = names.find((name) => !groups.some((group) => isGroup(group, name)));
  if (unknown === undefined) return names;
  throw new UsageError(`--only knows no group ${unknown}; there are ${groups.join(', ')}`);
}

function reportersIn(text: string): ReporterChoice[] {
  const choices = listIn('reporter', text).map((item): ReporterChoice => {
    const [name = '', ...rest] = item.split('=');
    const file = rest.join('=');
    if (rest.length > 0 && file === '')
      throw new UsageError(`--reporter ${name}= has no file name`);
    return { name: oneOf('reporter', name, reporterNames), file: file === '' ? null : file };
  });
  const machineReadable = choices.find(
    ({ name, file }) => file === null && (name === 'junit' || name === 'json'),
  );
  if (machineReadable && choices.filter(({ file }) => file === null).length > 1) {
    const { name } = machineReadable;
    throw new UsageError(
      `two reports would mix on standard output: write one to a file, such as ${name}=report.${name === 'json' ? 'json' : 'xml'}`,
    );
  }
  return choices;
}
