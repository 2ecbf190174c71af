import { groupCatalogue } from '@atelier/contract';
import { aboutUser, recordActivity } from '../domain/activity.ts';
import { newMailedToken } from '../domain/mailed-tokens/new-token.ts';
import { replaceMailedToken } from '../domain/mailed-tokens/queries.ts';
import { endExpiredUploads } from '../domain/storage-upkeep/expired-uploads.ts';
import { reconcileStorage } from '../domain/storage-upkeep/reconcile.ts';
import { cleanUp } from './clean-up/clean-up.ts';
import { inspectContent } from './inspect-content/inspect-content.ts';
import { passwordResetMail, replayMail, verificationMail } from './mails.ts';
import { assignmentMail, mentionMail } from './notices/mails.ts';
import { findAssignmentNotice, findMentionNotice } from './notices/queries.ts';
import {
  deleteAvatarUpload,
  findPendingAccount,
  findResettableAccount,
  findVerifiedEmail,
  giveUpAvatarUpload,
} from './queries.ts';
import { purgeBin } from './purge-bin/purge-bin.ts';
import type { JobDeps } from './job-deps.ts';
import { keepActivities } from './keep-activities/keep-activities.ts';
import type { JobHandlers } from '../ports/jobs.ts';
import { sendInvitation } from './send-invitation/send-invitation.ts';

/**
 * Creates the handlers of all jobs.
 *
 * They issue tokens when they send: the queue never contains one, the lifetime starts with
 * the mail, and a repeated job mails a new token that revokes the last.
 */
export function jobHandlers(deps: JobDeps): JobHandlers {
  const { db, clock, mailer, store, appUrl, log } = deps;
  return {
    async send_verification({ email }) {
      const account = await findPendingAccount(db, email);
      if (!account) return;
      const { token, row } = newMailedToken(account.id, 'verify_email', clock.now());
      await replaceMailedToken(db, row);
      await mailer.send(verificationMail(account.email, `${appUrl}/verify-email?token=${token}`));
    },

    async send_password_reset({ email, requestId }) {
      const account = await findResettableAccount(db, email);
      if (!account) return;
      const { token, row } = newMailedToken(account.id, 'reset_password', clock.now());
      await db.transaction(async (tx) => {
        await replaceMailedToken(tx, row);
        await recordActivity(tx, {
          ...aboutUser(account, { requestId }, row.issuedAt),
          action: 'user.request_password_reset',
        });
      });
      await mailer.send(
        passwordResetMail(account.email, `${appUrl}/reset-password?token=${token}`),
      );
    },

    async send_replay_notice({ userId }) {
      const email = await findVerifiedEmail(db, userId);
      if (email !== null) await mailer.send(replayMail(email, `${appUrl}/forgot-password`));
    },

    async send_invitation(invitation) {
      await sendInvitation({ db, clock, mailer, appUrl }, invitation);
    },

    async inspect_content({ storedObjectId }, signal) {
      await inspectContent(deps, storedObjectId, signal);
    },

    async abort_upload({ key, storageUploadId }) {
      if (storageUploadId !== null) await store.abortMultipartUpload({ key, storageUploadId });
      // A completion may have joined the parts and then failed before it saved the asset.
      await store.deleteObject(key);
    },

    async delete_object({ key }) {
      await store.deleteObject(key);
    },

    async clean_up() {
      await cleanUp({ db, clock });
    },

    async clean_up_uploads() {
      const report = await endExpiredUploads(deps, 'mend');
      log.info(report, 'expired uploads ended');
    },

    async reconcile_storage() {
      const report = await reconcileStorage(deps, 'mend');
      if (report.missingObjects > 0) log.error(report, 'objects are missing in the storage');
      else log.info(report, 'storage reconciled');
    },

    async purge_bin() {
      await purgeBin({ db, clock });
    },

    async keep_activities() {
      await keepActivities(deps, deps.activityRetentionMonths);
    },

    async clean_up_avatar_upload({ uploadId }) {
      const upload = await giveUpAvatarUpload(db, uploadId);
      if (!upload) return;
      await store.deleteObject(upload.key);
      if (upload.status === 'COMPLETED') return;
      await store.deleteObject(upload.avatarKey);
      await deleteAvatarUpload(db, uploadId);
    },

    async send_assignment_notice(job) {
      const notice = await findAssignmentNotice(db, job);
      if (!notice) return;
      await mailer.send(assignmentMail(notice, taskLink(appUrl, notice.projectId, job.taskId)));
    },

    async send_mention_notice(job) {
      const notice = await findMentionNotice(db, job);
      if (!notice) return;
      await mailer.send(mentionMail(notice, taskLink(appUrl, notice.projectId, job.taskId)));
    },
  };
}

/** Builds the address of a task's page in the web app. */
function taskLink(appUrl: string, projectId: string, taskId: string): string {
  const { page } = groupCatalogue.tasks.resources.task;
  return `${appUrl}${page.replace('{projectId}', projectId).replace('{id}', taskId)}`;
}
