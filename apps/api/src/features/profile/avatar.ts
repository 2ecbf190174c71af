import type { User } from '@atelier/contract';
import type { Transaction } from '../../db/executor.ts';
import type { Deps } from '../../deps.ts';
import { enqueueJob, enqueueJobAt, enqueueJobs } from '../../domain/job-queue.ts';
import { aboutUser, recordAccountActivity } from '../../domain/activity.ts';
import { objectPrefixes } from '../../domain/stored-objects/kinds.ts';
import type { UserContext } from '../../kernel/context.ts';
import { Failure } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { presentUser } from '../../domain/person-view/present-user.ts';
import { mutate, withAuthority } from '../../domain/transaction.ts';
import type { PictureType } from '../../ports/pictures.ts';
import { lockAccountRow } from '../../domain/authority/queries.ts';
import {
  findAvatarUpload,
  findProfile,
  giveUpOlderUploads,
  insertAvatarUpload,
  lockAvatarUploadStatus,
  lockProfile,
  replaceAvatar,
  setAvatarUploadStatus,
  type AvatarUploadRow,
} from './queries.ts';

/** Lifetime of an upload address in seconds. */
const uploadUrlSeconds = 15 * 60;
/** Seconds after which only the resulting picture is left of an upload. */
const uploadLifetimeSeconds = 2 * 60 * 60;
/** Uploads that an account may have open. One more ends the oldest: a client that starts again has given that up. */
const maxOpenUploads = 5;

/** Manages the caller's picture, from its upload address to the displayed square. */
export function avatarUseCases(deps: Deps) {
  const { db, clock, store, pictures } = deps;

  /** Stores the upload and enqueues its cleanup: a job cleans up in every case. */
  async function start(
    { contentType, fileSize }: { contentType: PictureType; fileSize: number },
    ctx: UserContext,
  ) {
    const now = clock.now();
    const folder = `${objectPrefixes.avatar}${ctx.user.id}`;
    const upload = { id: newId(), key: `${folder}/${newId()}` };
    return mutate({ db, clock, ctx }, async (tx, ctx) => {
      await lockAccountRow(tx, ctx.user.id);
      await insertAvatarUpload(tx, {
        ...upload,
        userId: ctx.user.id,
        avatarKey: `${folder}/${newId()}.webp`,
        contentType,
        fileSizeBytes: fileSize,
        createdAt: now,
      });
      const givenUp = await giveUpOlderUploads(tx, { userId: ctx.user.id, kept: maxOpenUploads });
      await enqueueJobs(tx, 'delete_object', givenUp);
      await enqueueJobAt(tx, new Date(now.getTime() + uploadLifetimeSeconds * 1000), {
        name: 'clean_up_avatar_upload',
        payload: { uploadId: upload.id },
      });
      const { url, headers } = await store.presignPut({
        key: upload.key,
        contentType,
        sizeBytes: fileSize,
        expiresInSeconds: uploadUrlSeconds,
      });
      return {
        uploadUrl: url,
        method: 'PUT' as const,
        headers,
        key: upload.key,
        expiresIn: uploadUrlSeconds,
      };
    });
  }

  /**
   * Makes an upload the caller's picture. Repeated and parallel requests get the same response.
   *
   * @throws Failure `avatar_invalid` (400) for what is not the declared picture; the file is then deleted
   */
  async function complete(key: string, ctx: UserContext): Promise<User> {
    const upload = await findAvatarUpload(db, { userId: ctx.user.id, key });
    if (!upload || upload.status === 'REFUSED') throw new Failure('avatar_invalid');
    if (upload.status === 'STARTED') await finish(upload, ctx);
    const profile = await findProfile(db, ctx.user.id);
    return presentUser(store, { ...ctx.user, ...profile });
  }

  async function finish(upload: AvatarUploadRow, ctx: UserContext): Promise<void> {
    const square = await pictures.holding(() => squareOf(upload));
    // A missing object is no reason to give up the upload.
    if (square === 'missing') return assertCompleted(upload);
    if (!square) return refuse(upload, ctx);
    // Its key is already stored; every completion of this upload uses it.
    await store.putObject({ key: upload.avatarKey, content: square, contentType: 'image/webp' });
    const isShown = await withAuthority({ db, clock, ctx }, (tx) => show(tx, upload, ctx));
    if (!isShown) throw new Failure('avatar_invalid');
  }

  /** @returns null if what was uploaded isn't the declared picture */
  async function squareOf(upload: AvatarUploadRow): Promise<Buffer | 'missing' | null> {
    const content = await store.readObject({ key: upload.key, maxBytes: upload.fileSizeBytes });
    if (content === null) return 'missing';
    const isWhole = content !== 'too_large' && content.length === upload.fileSizeBytes;
    return isWhole ? pictures.squareWebp(content, upload.contentType) : null;
  }

  /** Swaps the picture once. @returns false when the upload was given up in the meantime */
  async function show(tx: Transaction, upload: AvatarUploadRow, ctx: UserContext) {
    const now = clock.now();
    const before = await lockProfile(tx, upload.userId);
    const status = await lockAvatarUploadStatus(tx, upload.id);
    if (status === 'COMPLETED') return true;
    if (status !== 'STARTED') {
      await enqueueJob(tx, 'delete_object', { key: upload.avatarKey });
      return false;
    }
    await replaceAvatar(tx, { userId: upload.userId, avatarKey: upload.avatarKey, now });
    await setAvatarUploadStatus(tx, { id: upload.id, status: 'COMPLETED' });
    await enqueueJob(tx, 'delete_object', { key: upload.key });
    if (before?.avatarKey) await enqueueJob(tx, 'delete_object', { key: before.avatarKey });
    await recordAccountActivity(tx, {
      ...aboutUser(ctx.user, ctx, now),
      action: 'user.update_avatar',
    });
    return true;
  }

  async function refuse(upload: AvatarUploadRow, ctx: UserContext): Promise<void> {
    await withAuthority({ db, clock, ctx }, async (tx) => {
      if ((await lockAvatarUploadStatus(tx, upload.id)) !== 'STARTED') return;
      await setAvatarUploadStatus(tx, { id: upload.id, status: 'REFUSED' });
      await enqueueJob(tx, 'delete_object', { key: upload.key });
    });
    await assertCompleted(upload);
  }

  /** A concurrent completion may have succeeded and deleted its upload. */
  async function assertCompleted({ userId, key }: AvatarUploadRow): Promise<void> {
    const upload = await findAvatarUpload(db, { userId, key });
    if (upload?.status !== 'COMPLETED') throw new Failure('avatar_invalid');
  }

  return { start, complete };
}
