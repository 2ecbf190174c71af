import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, type Export } from '@atelier/client';
import { withinLimit } from '@atelier/client/files';
import type { Command } from 'commander';
import { failureOf } from '../failures.ts';
import { exists, fetchFile, hasContent, hasSize } from '../fetch-file.ts';
import { uniqueNames } from '../files.ts';
import { createProgress, type Progress } from '../progress.ts';
import { openSession, type GlobalOptions, type Session } from '../session.ts';
import { print, type Terminal } from '../terminal.ts';
import { reportFailure, transferAll } from '../transfers.ts';
import { readZipEntry } from '../zip-entry.ts';

interface ExportOptions extends GlobalOptions {
  readonly to?: string;
  readonly files?: string;
  readonly new?: true;
  readonly force?: true;
}

/** A file of the personal organization, as `files.json` names it. */
interface ExportedFile {
  readonly id: string;
  readonly name: string;
  readonly sizeBytes: number;
  /** In hexadecimal; null if the service had not read the file yet. */
  readonly sha256: string | null;
}

const pollMs = 1_000;
const parallel = 3;
/** How long an export counts as the one that is asked for, so that the command can be repeated. */
const recentMs = 24 * 60 * 60 * 1000;

/** Adds `export`. */
export function addExportCommand(program: Command, terminal: Terminal): void {
  program
    .command('export')
    .description('Download what the service keeps of you; run it again to continue')
    .option('--to <file>', 'the ZIP; default: atelier-export-<date>.zip')
    .option('--files <folder>', 'also download your own files there, but those that are complete')
    .option('--new', 'ask for another export, also if there is one of the last day')
    .option('--force', 'replace files that are there')
    .action((_, command: Command) => {
      const options = command.optsWithGlobals<ExportOptions>();
      return exportAll(openSession(terminal, options), options);
    });
}

async function exportAll(session: Session, options: ExportOptions): Promise<void> {
  const { terminal, isJson } = session;
  const pathAt = (createdAt: string) =>
    options.to ?? `atelier-export-${createdAt.slice(0, 10)}.zip`;
  if (options.new && !options.force) {
    // Before the request: an account may make only a few.
    await assertFree(pathAt(new Date().toISOString()));
  }
  const ready = await readyExport(session, options);
  const path = pathAt(ready.createdAt);
  // A former export may have the size of the new one.
  if (options.force || options.new || !(await hasSize(path, ready.sizeBytes))) {
    await downloadArchive(ready, { path, terminal, force: options.force });
  }
  print(terminal, { isJson, data: { path, export: { ...ready, url: null } }, text: path });
  if (options.files !== undefined) {
    const files = JSON.parse(await readZipEntry(path, 'files.json')) as ExportedFile[];
    await downloadFiles(session, files, { ...options, folder: options.files });
  }
}

/** Finds or requests an export, and waits until it is ready. */
async function readyExport(
  { api, terminal }: Session,
  options: ExportOptions,
): Promise<Export & { url: string; sizeBytes: number }> {
  const latest = options.new ? null : (await api.account.latestExport()).export;
  let current = latest && isWanted(latest) ? latest : await orAdvice(api.account.requestExport());
  if (current.status === 'PENDING') terminal.stderr.write('The export is being prepared …\n');
  while (current.status === 'PENDING') {
    await delay(pollMs);
    current = await api.account.getExport({ params: { id: current.id } });
  }
  const { url, sizeBytes } = current;
  if (current.status !== 'READY' || sizeBytes === null) {
    throw new Error('The service could not prepare the export. Run: atelier export --new');
  }
  if (url === null) throw new Error(`The export is ready. ${signInAgain}`);
  return { ...current, url, sizeBytes };
}

function isWanted({ status, createdAt }: Export): boolean {
  const isRecent = Date.parse(createdAt) > Date.now() - recentMs;
  return status === 'PENDING' || (status === 'READY' && isRecent);
}

const signInAgain =
  'It takes a sign-in of the last 10 minutes. Run: atelier login, and then the same command again';

async function orAdvice(request: Promise<Export>): Promise<Export> {
  try {
    return await request;
  } catch (error) {
    const isLate = error instanceof ApiError && error.code === 'confirmation_required';
    throw isLate ? new Error(`No export yet. ${signInAgain}`, { cause: error }) : error;
  }
}

interface Archive {
  readonly path: string;
  readonly terminal: Terminal;
  readonly force: true | undefined;
}

async function downloadArchive(
  { url, sizeBytes }: { url: string; sizeBytes: number },
  { path, terminal, force }: Archive,
): Promise<void> {
  if (!force) await assertFree(path);
  const progress = createProgress(terminal);
  const line = progress.start(path, sizeBytes);
  try {
    await fetchFile({ url, path, sizeBytes, onProgress: line.update });
    line.end('downloaded');
  } catch (error) {
    line.end(failureOf(error).text ?? 'failed');
    throw error;
  } finally {
    progress.stop();
  }
}

async function assertFree(path: string): Promise<void> {
  if (await exists(path)) throw new Error(`${path} is there already; --force replaces it`);
}

interface Folder extends GlobalOptions {
  readonly folder: string;
  readonly new?: true;
  readonly force?: true;
}

async function downloadFiles(
  session: Session,
  files: readonly ExportedFile[],
  target: Folder,
): Promise<void> {
  const { folder } = target;
  const { personalOrganizationId } = await session.api.auth.user();
  const home = openSession(session.terminal, { ...target, organization: personalOrganizationId });
  await mkdir(folder, { recursive: true });
  const again = target.new ? 'the command without --new' : 'the same command again';
  await transferAll([...uniqueNames(files)], {
    terminal: session.terminal,
    parallel,
    transfer: ([name, file], progress) =>
      downloadOne(home, file, { path: join(folder, name), progress, force: target.force }),
    summary: (missing) =>
      `${missing} of ${files.length} files are not downloaded. Run ${again} to continue.`,
  });
}

interface Target {
  readonly path: string;
  readonly progress: Progress;
  readonly force: true | undefined;
}

async function downloadOne(
  { api, isJson }: Session,
  file: ExportedFile,
  { path, progress, force }: Target,
): Promise<boolean> {
  const { id, sizeBytes } = file;
  const line = progress.start(path, sizeBytes);
  try {
    if (await hasContent(path, file)) {
      line.end('is complete');
      return true;
    }
    if (!force && (await exists(path))) throw new Error('is there already; --force replaces it');
    const { url } = await withinLimit(() => api.assets.download({ params: { id } }));
    const check = async (partial: string) => {
      if (!(await hasContent(partial, file))) throw new Error('has changed since the export');
    };
    await fetchFile({ url, path, sizeBytes, onProgress: line.update, check });
    line.end('downloaded');
    progress.print({ isJson, data: { path, file }, text: path });
    return true;
  } catch (error) {
    reportFailure(line, error);
    return false;
  }
}
