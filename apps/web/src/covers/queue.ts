import type { Asset } from '@atelier/client';
import { staleKeys } from '@atelier/client/react-query';
import { kindOf } from '../library/asset-kind.ts';
import { api } from '../session/api.ts';
import { queryClient } from '../session/query-client.ts';
import { beforeSignOut } from '../session/session.ts';

let session = new AbortController();
/** The covers are made one after the other: each takes a decoder and memory. */
let last: Promise<unknown> = Promise.resolve();

/** Makes the cover of a file that was just uploaded, if it is a PDF or a video. Without one, it shows its icon. */
export function addCover(asset: Asset, file: File): void {
  const kind = kindOf(asset);
  if (kind !== 'pdf' && kind !== 'video') return;
  const { signal } = session;
  last = last.then(async () => {
    try {
      await makeAndSend({ asset, file, kind, signal });
    } catch {
      // A codec that this browser lacks, a PDF with a password, or the network: there is no cover.
    }
  });
}

interface Covered {
  readonly asset: Asset;
  readonly file: File;
  readonly kind: 'pdf' | 'video';
  readonly signal: AbortSignal;
}

async function makeAndSend({ asset, file, kind, signal }: Covered): Promise<void> {
  if (signal.aborted) return;
  const { pictureOf } = await import('./picture.ts');
  const picture = await pictureOf(file, kind, signal);
  if (picture === null || signal.aborted) return;
  const { id, organizationId, currentVersion: versionNumber } = asset;
  await api.assets.setCover(
    { params: { id }, body: { picture, versionNumber } },
    { organizationId, signal },
  );
  for (const queryKey of staleKeys('asset')) void queryClient.invalidateQueries({ queryKey });
}

beforeSignOut(async () => {
  session.abort();
  session = new AbortController();
});
