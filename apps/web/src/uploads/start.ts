import type { Asset } from '@atelier/client';
import { beforeSignOut } from '../session/session.ts';
import { nameQuestions } from './name-questions.ts';
import { findAssetsByName } from './taken-names.ts';
import type { UploadTarget } from './upload-list.ts';
import { addUploads } from './uploads.ts';

let lastId = 0;
let session = new AbortController();

/** Uploads files to a collection; those whose names it already has wait for the user's decision. */
export async function startUploads(files: readonly File[], target: UploadTarget): Promise<void> {
  const { signal } = session;
  const assets = await assetsByName(files, target, signal);
  if (signal.aborted) return;
  const taken = files.flatMap((file) => {
    const asset = assets.get(file.name.trim());
    return asset ? [{ file, asset }] : [];
  });
  const waiting = new Set(taken.map(({ file }) => file));
  addUploads(
    files.filter((file) => !waiting.has(file)),
    target,
  );
  if (taken.length > 0)
    nameQuestions.set([...nameQuestions.get(), { id: ++lastId, target, taken }]);
}

/** @returns nothing if the check fails: a file is rather uploaded beside another than not at all */
async function assetsByName(
  files: readonly File[],
  target: UploadTarget,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Asset>> {
  try {
    return await findAssetsByName(
      files.map(({ name }) => name.trim()),
      target,
      signal,
    );
  } catch {
    return new Map();
  }
}

beforeSignOut(async () => {
  session.abort();
  session = new AbortController();
  nameQuestions.set([]);
});
