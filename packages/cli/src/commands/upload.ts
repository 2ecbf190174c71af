import { resolve } from 'node:path';
import type { Asset } from '@atelier/client';
import { withinLimit } from '@atelier/client/files';
import { uploadsIn } from '@atelier/client/resume';
import { upload, type UploadState } from '@atelier/client/upload';
import type { Command } from 'commander';
import { UsageError } from '../failures.ts';
import { filesOf, openFile } from '../files.ts';
import type { Progress } from '../progress.ts';
import { openSession, type GlobalOptions, type Session } from '../session.ts';
import type { Terminal } from '../terminal.ts';
import { reportFailure, transferAll } from '../transfers.ts';

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
  // With the path: copies in several folders have the same name, size and often the same last change.
  const keyOf = (path: string) => JSON.stringify([session.url, collectionId, resolve(path)]);
  await transferAll(files, {
    terminal: session.terminal,
    parallel: Number(parallel),
    transfer: (path, progress) =>
      uploadOne(session, { path, collectionId, progress, key: keyOf(path) }),
    summary: (missing) =>
      `${missing} of ${files.length} files are not uploaded. Run the same command again to continue.`,
  });
  for (const path of files) await session.store.uploads.delete(keyOf(path));
}

interface Target {
  readonly path: string;
  readonly collectionId: string;
  readonly progress: Progress;
  /** Of what is remembered of the upload. */
  readonly key: string;
}

async function uploadOne(
  session: Session,
  { path, progress, ...target }: Target,
): Promise<boolean> {
  const opening = openFile(path);
  // One that has disappeared since it was listed fails below. The bar of 0 bytes would be full.
  const line = progress.start(path, await opening.then(({ size }) => size).catch(() => 1));
  try {
    const file = await opening;
    let isSent = false;
    const onState = ({ phase, loadedBytes }: UploadState) => {
      isSent ||= phase === 'uploading';
      line.update(loadedBytes);
    };
    const asset = await withinLimit(() => send(session, { ...target, file, onState }));
    line.update(file.size);
    line.end(isSent ? 'uploaded' : 'uploaded before');
    progress.print({ isJson: session.isJson, data: { path, asset }, text: `${asset.id}  ${path}` });
    return true;
  } catch (error) {
    reportFailure(line, error);
    return false;
  }
}

interface Sending extends Pick<Target, 'collectionId' | 'key'> {
  readonly file: File;
  readonly onState: (state: UploadState) => void;
}

/**
 * Sends what the service does not have of a file. Its upload stays remembered when it is completed: completing it again
 * returns its asset.
 */
async function send(session: Session, sending: Sending): Promise<Asset> {
  const { api, store } = session;
  const { file, collectionId, key, onState } = sending;
  const remembered = await store.uploads.get(key);
  const forgotten = new Set<string>();
  const memory = { ...store.uploads, delete: (one: string) => forgotten.add(one) };
  const task = upload(api, file, { collectionId, resume: { store: uploadsIn(memory), key } });
  for await (const state of task) onState(state);
  try {
    return await task.done;
  } catch (error) {
    if (forgotten.has(key)) await store.uploads.delete(key);
    if (!forgotten.has(key) || !remembered) throw error;
    // Such as one whose asset has been deleted.
    return send(session, sending);
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
