import { resolve } from 'node:path';
import { uploadsIn } from '@atelier/client/resume';
import { upload } from '@atelier/client/upload';
import type { Command } from 'commander';
import { failureOf, PartialFailure, UsageError } from '../failures.ts';
import { filesOf, openFile } from '../files.ts';
import { createProgress, inParallel, type Progress } from '../progress.ts';
import { openSession, type GlobalOptions, type Session } from '../session.ts';
import { print, type Terminal } from '../terminal.ts';

interface UploadOptions extends GlobalOptions {
  readonly collection: string;
  readonly parallel: string;
}

/** Adds `upload`. */
export function addUploadCommand(program: Command, terminal: Terminal): void {
  program
    .command('upload')
    .description('Upload files and folders; run it again to continue what was interrupted')
    .argument('<paths...>', 'files, and folders with all that is below them')
    .requiredOption('--collection <id or title>', 'where the assets go')
    .option('--parallel <n>', 'how many files at the same time', '3')
    .action((paths: string[], _, command: Command) => {
      const options = command.optsWithGlobals<UploadOptions>();
      return uploadAll(openSession(terminal, options), paths, options);
    });
}

async function uploadAll(
  session: Session,
  paths: readonly string[],
  { collection, parallel }: UploadOptions,
): Promise<void> {
  if (!/^[1-9]\d?$/.test(parallel)) throw new UsageError('--parallel takes a number up to 99.');
  const files = await filesOf(paths);
  if (files.length === 0) throw new UsageError('There is no file below these folders.');
  const collectionId = await collectionOf(session, collection);
  const progress = createProgress(session.terminal);
  let failed = 0;
  try {
    await inParallel(files, Number(parallel), async (path) => {
      const isUploaded = await uploadOne(session, { path, collectionId, progress });
      if (!isUploaded) failed += 1;
    });
  } finally {
    progress.stop();
  }
  if (failed > 0) {
    session.terminal.stderr.write(
      `${failed} of ${files.length} files failed. Run the same command again to continue.\n`,
    );
    throw new PartialFailure();
  }
}

async function uploadOne(
  { api, store, terminal, isJson, url }: Session,
  { path, collectionId, progress }: { path: string; collectionId: string; progress: Progress },
): Promise<boolean> {
  const file = await openFile(path);
  const line = progress.start(path, file.size);
  try {
    // With the path: copies in several folders have the same name, size and often the same last change.
    const key = JSON.stringify([url, collectionId, resolve(path)]);
    const resume = { store: uploadsIn(store.uploads), key };
    const task = upload(api, file, { collectionId, resume });
    for await (const { loadedBytes } of task) line.update(loadedBytes);
    const asset = await task.done;
    line.update(file.size);
    line.end('uploaded');
    print(terminal, { isJson, data: { path, asset }, text: `${asset.id}  ${path}` });
    return true;
  } catch (error) {
    line.end(failureOf(error).text ?? 'failed');
    return false;
  }
}

/** Finds a collection by its id or its exact title. @throws UsageError for none and for several */
async function collectionOf({ api }: Session, wanted: string): Promise<string> {
  // Loaded here, because it takes a third of a second.
  const { Id } = await import('@atelier/contract/schemas');
  if (Id.safeParse(wanted).success) return wanted;
  const found: string[] = [];
  const query = { scope: 'organization', q: wanted } as const;
  for await (const { id, title } of api.collections.list.iterate({ query })) {
    if (title === wanted) found.push(id);
  }
  const [id] = found;
  if (id === undefined) throw new UsageError(`There is no collection called ${wanted}.`);
  if (found.length > 1) {
    throw new UsageError(`${found.length} collections are called ${wanted}: ${found.join(', ')}.`);
  }
  return id;
}
