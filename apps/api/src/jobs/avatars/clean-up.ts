import type { Jobs } from '../../ports/jobs.ts';
import type { JobDeps } from '../job-deps.ts';
import { deleteAvatarUpload, findReplacedAvatarUploads, giveUpAvatarUpload } from './queries.ts';

/**
 * Ends an upload of a picture: refuses it if it is unfinished, and removes what it left in the storage, together with the
 * earlier ones that it replaced. Repeatable.
 */
export async function cleanUpAvatarUpload(
  { db, store }: Pick<JobDeps, 'db' | 'store'>,
  { uploadId }: Jobs['clean_up_avatar_upload'],
): Promise<void> {
  const upload = await giveUpAvatarUpload(db, uploadId);
  if (!upload) return;
  await store.deleteObject(upload.key);
  if (upload.status === 'REFUSED') {
    await store.deleteObject(upload.avatarKey);
    await deleteAvatarUpload(db, uploadId);
  }
  for (const { id, key } of await findReplacedAvatarUploads(db, upload)) {
    await store.deleteObject(key);
    await deleteAvatarUpload(db, id);
  }
}
