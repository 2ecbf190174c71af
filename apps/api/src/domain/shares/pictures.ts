import type { Executor } from '../../db/executor.ts';
import { enqueueJobInPlace } from '../job-queue.ts';

/** Has the pictures made that a share lacks, once for all that ask for it. */
export async function enqueuePictures(
  tx: Executor,
  share: { readonly organizationId: string; readonly id: string },
): Promise<void> {
  const payload = { organizationId: share.organizationId, shareId: share.id };
  const job = { name: 'make_share_pictures', payload } as const;
  await enqueueJobInPlace(tx, `make_share_pictures:${share.id}`, job);
}
