import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Asset } from '@atelier/client';
import { withinLimit } from '@atelier/client/files';
import type { Command } from 'commander';
import { exists, fetchFile, hasContent } from '../fetch-file.ts';
import { uniqueNames } from '../files.ts';
import type { Progress } from '../progress.ts';
import { openSession, type GlobalOptions, type Session } from '../session.ts';
import type { Terminal } from '../terminal.ts';
import { reportFailure, transferAll } from '../transfers.ts';

interface DownloadOptions extends GlobalOptions {
  readonly to: string;
  readonly force?: true;
}

/** How many files at the same time. */
const parallel = 3;

/** Adds `download`. */
export function addDownloadCommand(program: Command, terminal: Terminal): void {
  program
    .command('download')
    .description('Download an asset, or every asset of a collection; run it again to continue')
    .argument('<id>', 'of an asset or a collection')
    .option('--to <folder>', 'where the files go', '.')
    .option('--force', 'replace other files that are there')
    .action((id: string, _, command: Command) => {
      const options = command.optsWithGlobals<DownloadOptions>();
      return downloadAll(openSession(terminal, options), id, options);
    });
}

async function downloadAll(session: Session, id: string, options: DownloadOptions): Promise<void> {
  const assets = await assetsOf(session, id);
  await mkdir(options.to, { recursive: true });
  const files = uniqueNames(
    assets.map((asset) => ({ id: asset.id, name: asset.assetName, asset })),
  );
  await transferAll([...files], {
    terminal: session.terminal,
    parallel,
    transfer: ([name, { asset }], progress) =>
      downloadOne(session, { asset, path: join(options.to, name), progress, ...options }),
    summary: (missing) => `${missing} of ${files.size} files are not downloaded.`,
  });
}

async function assetsOf({ api }: Session, id: string): Promise<Asset[]> {
  const asset = await api.assets.get({ params: { id } }).result();
  if (asset.ok) return [asset.data];
  if (asset.error.code !== 'not_found') throw asset.error;
  const assets: Asset[] = [];
  const query = { limit: 100 };
  const list = api.assets.listInCollection.iterate({ params: { collectionId: id }, query });
  for await (const found of list) assets.push(found);
  return assets;
}

interface Target {
  readonly asset: Asset;
  readonly path: string;
  readonly progress: Progress;
  readonly force?: true;
}

async function downloadOne(
  { api, isJson }: Session,
  { asset, path, progress, force }: Target,
): Promise<boolean> {
  const { id, fileSize: sizeBytes, checksum: sha256, currentVersion: version } = asset;
  const line = progress.start(path, sizeBytes);
  const report = (text: string) => {
    line.end(text);
    progress.print({ isJson, data: { path, asset }, text: path });
    return true;
  };
  try {
    // Another content may have the same size.
    if (sha256 !== null && (await hasContent(path, { sizeBytes, sha256 }))) {
      return report('is complete');
    }
    if (!force && (await exists(path))) throw new Error('is there already; --force replaces it');
    // What was listed: there may be a newer version by now.
    const args = { params: { id }, query: { version } };
    const { url } = await withinLimit(() => api.assets.download(args));
    const check = async (partial: string) => {
      const isWanted = await hasContent(partial, { sizeBytes, sha256 });
      if (!isWanted) throw new Error('has another checksum than the service has stored');
    };
    await fetchFile({ url, path, sizeBytes, onProgress: line.update, check });
    return report('downloaded');
  } catch (error) {
    reportFailure(line, error);
    return false;
  }
}
