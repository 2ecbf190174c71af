import { createWriteStream } from 'node:fs';
import { access, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { Asset } from '@atelier/client';
import type { Command } from 'commander';
import { failureOf, PartialFailure } from '../failures.ts';
import { safeName } from '../files.ts';
import { createProgress, inParallel, type Progress } from '../progress.ts';
import { openSession, type GlobalOptions, type Session } from '../session.ts';
import { print, type Terminal } from '../terminal.ts';

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
    .description('Download an asset, or every asset of a collection')
    .argument('<id>', 'of an asset or a collection')
    .option('--to <folder>', 'where the files go', '.')
    .option('--force', 'replace files that are there')
    .action((id: string, _, command: Command) => {
      const options = command.optsWithGlobals<DownloadOptions>();
      return downloadAll(openSession(terminal, options), id, options);
    });
}

async function downloadAll(session: Session, id: string, options: DownloadOptions): Promise<void> {
  const assets = await assetsOf(session, id);
  await mkdir(options.to, { recursive: true });
  const progress = createProgress(session.terminal);
  const files = namesOf(assets);
  let failed = 0;
  try {
    await inParallel([...files], parallel, async ([name, asset]) => {
      const path = join(options.to, name);
      const isThere = await downloadOne(session, { asset, path, progress, ...options });
      if (!isThere) failed += 1;
    });
  } finally {
    progress.stop();
  }
  if (failed > 0) throw new PartialFailure();
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

/** Gives each asset a name of its own: a collection may have several of one name. */
function namesOf(assets: readonly Asset[]): Map<string, Asset> {
  const names = new Map<string, Asset>();
  for (const asset of assets) {
    const name = safeName(asset.assetName);
    names.set(names.has(name) ? `${asset.id}-${name}` : name, asset);
  }
  return names;
}

interface Target {
  readonly asset: Asset;
  readonly path: string;
  readonly progress: Progress;
  readonly force?: true;
}

async function downloadOne(
  { api, terminal, isJson }: Session,
  { asset, path, progress, force }: Target,
): Promise<boolean> {
  const line = progress.start(path, asset.fileSize);
  // Incomplete files never have the name of a complete one.
  const partial = `${path}.part`;
  try {
    if (!force && (await exists(path))) throw new Error('is there already; --force replaces it');
    const { url } = await api.assets.download({ params: { id: asset.id } });
    const response = await fetch(url);
    if (!response.ok || !response.body) throw new Error(`the storage said ${response.status}`);
    let bytes = 0;
    // The two declarations of one type: of the browser and of Node.
    const body = Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
    body.on('data', (chunk: Buffer) => line.update((bytes += chunk.length)));
    await pipeline(body, createWriteStream(partial));
    if (bytes !== asset.fileSize) throw new Error(`${bytes} of ${asset.fileSize} bytes arrived`);
    await rename(partial, path);
    line.end('downloaded');
    print(terminal, { isJson, data: { path, asset }, text: path });
    return true;
  } catch (error) {
    await rm(partial, { force: true });
    line.end(failureOf(error).text ?? 'failed');
    return false;
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
