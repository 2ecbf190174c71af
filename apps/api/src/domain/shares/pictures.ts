import type { Executor } from '../../db/executor.ts';
import { enqueueJobOf } from '../job-queue.ts';

/**
 * Has the pictures made that a share lacks, once for all that ask for it.
 *
 * @param afterSeconds - not before; default: at once
 */
export async function enqueuePictures(
  tx: Executor,
  share: { readonly organizationId: string; readonly id: string },
  afterSeconds = 0,
): Promise<void> {
  const { organizationId, id: shareId } = share;
  await enqueueJobOf(tx, organizationId, {
    name: 'make_share_pictures',
    payload: { organizationId, shareId },
    key: `make_share_pictures:${shareId}`,
    afterSeconds,
  });
}
