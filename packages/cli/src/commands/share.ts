import type { Client, Share } from '@atelier/client';
import type { Command } from 'commander';
import { UsageError } from '../failures.ts';
import { openSession, type GlobalOptions } from '../session.ts';
import { print, readInput, table, type Terminal } from '../terminal.ts';

interface AddOptions extends GlobalOptions {
  readonly asset?: true;
  readonly label?: string;
  readonly passwordStdin?: true;
  readonly days?: string;
  readonly download?: true;
  readonly watermark?: string;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Adds `add`, `ls` and `end`. */
export function addShareCommands(share: Command, terminal: Terminal): void {
  share
    .command('add')
    .description('Share a collection by a link with people without an account')
    .argument('<id>')
    .option('--asset', 'the id is that of an asset')
    .option('--label <text>', 'what visitors read above it')
    .option('--password-stdin', 'read a password from standard input, which visitors need')
    .option('--days <n>', 'how long it lasts; default: 30, or fewer if the organization demands it')
    .option('--download', 'let visitors download the files')
    .option('--watermark <text>', 'text across the pictures that visitors see')
    .action((id: string, _, command: Command) =>
      add(terminal, id, command.optsWithGlobals<AddOptions>()),
    );
  share
    .command('ls')
    .description('List shares, the newest first')
    .action((_, command: Command) => list(terminal, command.optsWithGlobals()));
  share
    .command('end')
    .description('End a share')
    .argument('<id>')
    .action(async (id: string, _, command: Command) => {
      const { api, isJson } = openSession(terminal, command.optsWithGlobals());
      const data = await api.shares.remove({ params: { id } });
      print(terminal, { isJson, data, text: 'Ended.' });
    });
}

async function add(terminal: Terminal, targetId: string, options: AddOptions): Promise<void> {
  const { api, isJson } = openSession(terminal, options);
  const password = options.passwordStdin
    ? (await readInput(terminal)).replace(/\r?\n$/, '')
    : undefined;
  const { days } = options;
  const expiresAt = days === undefined ? undefined : await expiryIn(api, days);
  const made = await api.shares.create({
    body: {
      targetType: options.asset ? 'ASSET' : 'COLLECTION',
      targetId,
      allowDownload: options.download ?? false,
      ...(expiresAt !== undefined && { expiresAt }),
      ...(options.label !== undefined && { label: options.label }),
      ...(options.watermark !== undefined && { watermark: options.watermark }),
      ...(password !== undefined && { password }),
    },
  });
  print(terminal, { isJson, data: made, text: made.url ?? made.id });
}

/**
 * Returns the time after some days by the clock of the service: with this machine's, which may be ahead, they could be more
 * than the organization allows.
 *
 * @throws UsageError if it is no number of days
 */
async function expiryIn(api: Client, days: string): Promise<string> {
  if (!/^[1-9]\d{0,3}$/.test(days)) {
    throw new UsageError(`--days takes a whole number of days, not ${days}.`);
  }
  const { headers } = await api.health.live().withMeta();
  const nowMs = Date.parse(headers.get('date') ?? '') || Date.now();
  return new Date(nowMs + Number(days) * dayMs).toISOString();
}

async function list(terminal: Terminal, options: GlobalOptions): Promise<void> {
  const { api, isJson } = openSession(terminal, options);
  const found: Share[] = [];
  for await (const share of api.shares.list.iterate({ query: { limit: 100 } })) found.push(share);
  print(terminal, {
    isJson,
    data: found,
    text: found.length === 0 ? 'No shares.' : table(found.map(lineOf)),
  });
}

function lineOf({ id, status, target, label, expiresAt, openingCount }: Share): string[] {
  const until = expiresAt === null ? 'no expiry' : `until ${expiresAt.slice(0, 10)}`;
  return [id, status, until, `${openingCount} openings`, label ?? target.title ?? ''];
}
