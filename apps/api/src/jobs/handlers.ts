import { deletedAddressSuffix, serviceAddressSuffix } from '@atelier/contract';
import { endExpiredUploads } from '../domain/storage-upkeep/expired-uploads.ts';
import { reconcileStorage, whyWithheld } from '../domain/storage-upkeep/reconcile.ts';
import { releaseObject } from '../domain/storage-upkeep/release.ts';
import { noticeExpiringKeys } from './api-keys/expiry.ts';
import { sendApiKeyNotice } from './api-keys/notice.ts';
import { tellSharer } from './notifications/shares.ts';
import { tellOfSecurity } from './notifications/security.ts';
import { cleanUpAvatarUpload } from './avatars/clean-up.ts';
import { sendAccountNotice, sendDeletedNotice } from './delete-account/notice.ts';
import { deleteAccount, enqueueDueDeletions } from './delete-account/delete-account.ts';
import { sendEnrollmentNotice } from './enrollment-notices/notice.ts';
import { cleanUp } from './clean-up/clean-up.ts';
import { undoneEmailMail } from './email-changes/mails.ts';
import { sendEmailChange, sendEmailUndo } from './email-changes/notices.ts';
import { exportAccount } from './export-account/export-account.ts';
import { sendExportNotice } from './export-account/notice.ts';
import { inspectContent } from './inspect-content/inspect-content.ts';
import { sendPasswordReset, sendVerification } from './mailed-tokens/notices.ts';
import { keepNotifications } from './notifications/keep.ts';
import { enqueueDigests, sendDigest } from './notifications/digest.ts';
import { noticeDueTasks } from './notifications/due-tasks.ts';
import { sendNotificationMail } from './notifications/instant-mail.ts';
import { emptyBin } from './purge-bin/empty-bin.ts';
import { purgeBin } from './purge-bin/purge-bin.ts';
import { forgetOrigins } from './purge-bin/queries.ts';
import { copyCover } from './stored-objects/copy-cover.ts';
import type { JobDeps } from './job-deps.ts';
import { keepActivities } from './keep-activities/keep-activities.ts';
import type { JobHandlers } from '../ports/jobs.ts';
import type { Mailer } from '../ports/mailer.ts';
import { foldNames } from './search/fold-names.ts';
import { indexPerson, indexSearch } from './search/index-search.ts';
import { spreadBacklog } from './webhooks/backlog.ts';
import { createSlots } from './webhooks/slots.ts';
import { sendWebhookNotice } from './webhooks/notice.ts';
import { pumpWebhook } from './webhooks/pump.ts';
import { keepWebhooks } from './webhooks/keep.ts';
import { keepTotpSecrets } from './second-factors/keep.ts';
import { sendReplayNotice, sendSecurityNotice } from './security-notices/notices.ts';
import { keepShares } from './shares/keep.ts';
import { makeSharePictures } from './shares/pictures.ts';
import { sendInvitation } from './send-invitation/send-invitation.ts';

/**
 * Creates the handlers of all jobs.
 *
 * They issue tokens when they send: the queue never contains one, the lifetime starts with
 * the mail, and a repeated job mails a new token that revokes the last.
 */
export function jobHandlers(given: JobDeps): JobHandlers {
  const { mailer, ...deps } = given;
  const { db, clock, store, log } = deps;
  const slots = createSlots();
  const mailing = (signal: AbortSignal) => ({ ...deps, mailer: toPeople(mailer, signal) });
  const mails =
    <Payload>(send: (deps: JobDeps, payload: Payload) => Promise<unknown>) =>
    async (payload: Payload, signal: AbortSignal) => {
      await send(mailing(signal), payload);
    };
  return {
    send_verification: mails(sendVerification),

    send_password_reset: mails(sendPasswordReset),

    send_replay_notice: mails(sendReplayNotice),

    send_account_notice: mails(sendAccountNotice),

    send_email_change: mails(sendEmailChange),

    async send_email_undo(job, signal) {
      const { userId, notificationId } = job;
      await tellOfSecurity(deps, { userId, notificationId, event: 'EMAIL_CHANGED' });
      await sendEmailUndo(mailing(signal), job);
    },

    async send_email_undone({ email, origin }, signal) {
      await mailing(signal).mailer.send(undoneEmailMail(email, origin));
    },

    async export_account(job, signal) {
      await exportAccount(deps, job, signal);
    },

    send_export_notice: mails(sendExportNotice),

    async delete_due_accounts() {
      await enqueueDueDeletions(deps);
    },

    async delete_account({ userId }, signal) {
      await deleteAccount({ ...deps, signal }, userId);
    },

    send_deleted_notice: mails(sendDeletedNotice),

    send_security_notice: mails(sendSecurityNotice),

    send_enrollment_notice: mails(sendEnrollmentNotice),

    async keep_totp_secrets(_, signal) {
      await keepTotpSecrets({ ...deps, signal });
    },

    async notice_expiring_keys() {
      await noticeExpiringKeys(deps);
    },

    send_api_key_notice: mails(sendApiKeyNotice),

    send_invitation: mails(sendInvitation),

    async inspect_content(object, signal) {
      await inspectContent(deps, object, signal);
    },

    async copy_cover({ organizationId, storedObjectId: id }) {
      await copyCover(db, { organizationId, id });
    },

    async abort_upload({ key, storageUploadId }) {
      if (storageUploadId !== null) await store.abortMultipartUpload({ key, storageUploadId });
      // A completion may have joined the parts and then failed before it saved the asset.
      await store.deleteObject(key);
    },

    async delete_object({ key }) {
      await store.deleteObject(key);
    },

    async release_object({ key, thumbnailKey }) {
      await releaseObject(deps, { key, thumbnailKey });
    },

    async forget_origins({ assetIds }) {
      await forgetOrigins(db, assetIds);
    },

    async pump_webhook(webhook, signal) {
      await pumpWebhook({ ...deps, slots }, webhook, signal);
    },

    async spread_webhook(spread, signal) {
      await spreadBacklog(db, spread, signal);
    },

    send_webhook_notice: mails(sendWebhookNotice),

    async keep_webhooks(_, signal) {
      await keepWebhooks({ ...deps, signal });
    },

    async keep_notifications(_, signal) {
      await keepNotifications({ ...deps, signal });
    },

    async clean_up(_, signal) {
      await cleanUp({ ...deps, signal });
    },

    async clean_up_uploads(_, signal) {
      const report = await endExpiredUploads({ ...deps, signal }, 'mend');
      log.info(report, 'expired uploads ended');
    },

    async reconcile_storage(_, signal) {
      const report = await reconcileStorage({ ...deps, signal }, 'mend');
      const { withheld, missingObjects } = report;
      if (withheld) log.error(report, whyWithheld(withheld));
      if (missingObjects > 0) log.error(report, 'objects are missing in the storage');
      if (!withheld && missingObjects === 0) log.info(report, 'storage reconciled');
    },

    async purge_bin(_, signal) {
      await purgeBin({ ...deps, signal });
    },

    async empty_bin(job, signal) {
      await emptyBin(deps, job, signal);
    },

    async keep_activities(_, signal) {
      await keepActivities({ ...deps, signal }, deps.activityRetentionMonths);
    },

    async notice_share(notice) {
      await db.transaction((tx) => tellSharer(tx, notice, clock.now()));
    },

    async make_share_pictures(share, signal) {
      await makeSharePictures(deps, share, signal);
    },

    async keep_shares(_, signal) {
      await keepShares({ ...deps, signal });
    },

    async clean_up_avatar_upload(upload) {
      await cleanUpAvatarUpload(deps, upload);
    },

    // Of a release that mailed them by themselves; the inbox mails them now.
    async send_assignment_notice() {},
    async send_mention_notice() {},

    send_notification_mail: mails(sendNotificationMail),

    async enqueue_digests() {
      await enqueueDigests(deps);
    },

    send_digest: mails(sendDigest),

    async notice_due_tasks() {
      await noticeDueTasks(deps);
    },
    async index_search(piece) {
      await indexSearch(deps, piece);
    },
    async index_person(person, signal) {
      await indexPerson(deps, person, signal);
    },
    async fold_names(_, signal) {
      await foldNames(deps, signal);
    },
  };
}

const undelivered = [serviceAddressSuffix, deletedAddressSuffix];

/** Sends nothing to the addresses of service accounts and of deleted ones, for any job, and gives up when it has to stop. */
function toPeople(mailer: Mailer, signal: AbortSignal): Mailer {
  return {
    async send(mail) {
      if (undelivered.some((suffix) => mail.to.endsWith(suffix))) return;
      await mailer.send(mail, signal);
    },
    close: () => mailer.close(),
  };
}
