import { deletedAddressSuffix, serviceAddressSuffix } from '@atelier/contract';
import { aboutUser, recordAccountActivity } from '../domain/activity.ts';
import { newMailedToken } from '../domain/mailed-tokens/new-token.ts';
import { replaceMailedToken } from '../domain/mailed-tokens/queries.ts';
import { endExpiredUploads } from '../domain/storage-upkeep/expired-uploads.ts';
import { reconcileStorage } from '../domain/storage-upkeep/reconcile.ts';
import { releaseObject } from '../domain/storage-upkeep/release.ts';
import { enqueueJobInPlace } from '../domain/job-queue.ts';
import { noticeExpiringKeys } from './api-keys/expiry.ts';
import { sendApiKeyNotice } from './api-keys/notice.ts';
import { tellSharer } from './notifications/shares.ts';
import { tellOfSecurity } from './notifications/security.ts';
import { sendAccountNotice, sendDeletedNotice } from './delete-account/notice.ts';
import { deleteAccount } from './delete-account/delete-account.ts';
import { findDue } from './delete-account/queries.ts';
import { sendEnrollmentNotice } from './enrollment-notices/notice.ts';
import { cleanUp } from './clean-up/clean-up.ts';
import { undoneEmailMail } from './email-changes/mails.ts';
import { sendEmailChange, sendEmailUndo } from './email-changes/notices.ts';
import { exportAccount } from './export-account/export-account.ts';
import { sendExportNotice } from './export-account/notice.ts';
import { inspectContent } from './inspect-content/inspect-content.ts';
import { passwordResetMail, replayMail, verificationMail } from './mails.ts';
import { keepNotifications } from './notifications/keep.ts';
import { enqueueDigests, sendDigest } from './notifications/digest.ts';
import { noticeDueTasks } from './notifications/due-tasks.ts';
import { sendNotificationMail } from './notifications/instant-mail.ts';
import {
  deleteAvatarUpload,
  findPendingAccount,
  findReplacedAvatarUploads,
  findResettableAccount,
  findVerifiedEmail,
  giveUpAvatarUpload,
  isRecorded,
} from './queries.ts';
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
import { shareHands } from './webhooks/hands.ts';
import { sendWebhookNotice } from './webhooks/notice.ts';
import { pumpWebhook } from './webhooks/pump.ts';
import { keepWebhooks } from './webhooks/upkeep.ts';
import { keepTotpSecrets } from './second-factors/upkeep.ts';
import { securityNoticeMail } from './security-notices/mails.ts';
import { keepShares } from './shares/keep.ts';
import { makeSharePictures } from './shares/pictures.ts';
import { sendInvitation } from './send-invitation/send-invitation.ts';

/**
 * Creates the handlers of all jobs.
 *
 * They issue tokens when they send: the queue never contains one, the lifetime starts with
 * the mail, and a repeated job mails a new token that revokes the last.
 */
export function jobHandlers(deps: JobDeps): JobHandlers {
  const { db, clock, store, appUrl, log } = deps;
  const mailer = toPeople(deps.mailer);
  const hands = shareHands();
  return {
    async send_verification({ email }) {
      const account = await findPendingAccount(db, email);
      if (!account) return;
      const { token, row } = newMailedToken(account, 'verify_email', clock.now());
      await replaceMailedToken(db, row);
      await mailer.send(verificationMail(account.email, `${appUrl}/verify-email?token=${token}`));
    },

    async send_password_reset({ email, requestId, activityId: id }) {
      const account = await findResettableAccount(db, email);
      if (!account) return;
      const { token, row } = newMailedToken(account, 'reset_password', clock.now());
      await db.transaction(async (tx) => {
        await replaceMailedToken(tx, row);
        if (requestId === null) return;
        if (id !== undefined && (await isRecorded(tx, { id, userId: account.id }))) return;
        await recordAccountActivity(tx, {
          id,
          ...aboutUser(account, { requestId }, row.issuedAt),
          action: 'user.request_password_reset',
        });
      });
      await mailer.send(
        passwordResetMail(account.email, `${appUrl}/reset-password?token=${token}`),
      );
    },

    async send_replay_notice({ userId, notificationId }) {
      await tellOfSecurity(deps, { userId, notificationId, event: 'TOKEN_REPLAYED' });
      const email = await findVerifiedEmail(db, userId);
      if (email !== null) await mailer.send(replayMail(email, `${appUrl}/forgot-password`));
    },

    async send_account_notice(notice) {
      await sendAccountNotice({ db, clock, mailer, appUrl }, notice);
    },

    async send_email_change(job) {
      await sendEmailChange({ db, clock, mailer, appUrl }, job);
    },

    async send_email_undo(job) {
      const { userId, notificationId } = job;
      await tellOfSecurity(deps, { userId, notificationId, event: 'EMAIL_CHANGED' });
      await sendEmailUndo({ db, clock, mailer, appUrl }, job);
    },

    async send_email_undone({ email, origin }) {
      await mailer.send(undoneEmailMail(email, origin));
    },

    async export_account(job, signal) {
      await exportAccount(deps, job, signal);
    },

    async send_export_notice(notice) {
      await sendExportNotice({ db, clock, mailer, appUrl }, notice);
    },

    async delete_due_accounts() {
      for (const userId of await findDue(db, clock.now())) {
        const job = { name: 'delete_account', payload: { userId } } as const;
        await db.transaction((tx) => enqueueJobInPlace(tx, `delete_account:${userId}`, job));
      }
    },

    async delete_account({ userId }) {
      await deleteAccount({ db, clock }, userId);
    },

    async send_deleted_notice(notice) {
      await sendDeletedNotice({ mailer, log }, notice);
    },

    async send_security_notice({ userId, notificationId, ...notice }) {
      const email = await findVerifiedEmail(db, userId);
      if (email === null) return;
      const { about: event, at } = notice;
      await tellOfSecurity(deps, { userId, notificationId, event, at });
      await mailer.send(securityNoticeMail(email, notice, appUrl));
    },

    async send_enrollment_notice(member) {
      await sendEnrollmentNotice({ db, mailer, appUrl }, member);
    },

    async keep_totp_secrets() {
      await keepTotpSecrets(deps);
    },

    async notice_expiring_keys() {
      await noticeExpiringKeys({ db, clock });
    },

    async send_api_key_notice(notice) {
      await sendApiKeyNotice({ db, mailer, appUrl }, notice);
    },

    async send_invitation(invitation) {
      await sendInvitation({ db, clock, mailer, appUrl }, invitation);
    },

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
      await releaseObject({ db, store }, { key, thumbnailKey });
    },

    async forget_origins({ assetIds }) {
      await forgetOrigins(db, assetIds);
    },

    async pump_webhook(webhook, signal) {
      await pumpWebhook({ ...deps, hands }, webhook, signal);
    },

    async send_webhook_notice(notice) {
      await sendWebhookNotice(deps, notice);
    },

    async keep_webhooks() {
      await keepWebhooks(deps);
    },

    async keep_notifications() {
      await keepNotifications({ db, clock });
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

    async empty_bin(job, signal) {
      await emptyBin({ db, clock }, job, signal);
    },

    async keep_activities() {
      await keepActivities(deps, deps.activityRetentionMonths);
    },

    async notice_share(notice) {
      await db.transaction((tx) => tellSharer(tx, notice, clock.now()));
    },

    async make_share_pictures(share, signal) {
      await makeSharePictures(deps, share, signal);
    },

    async keep_shares() {
      await keepShares(deps);
    },

    async clean_up_avatar_upload({ uploadId }) {
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
    },

    // Of a release that mailed them by themselves; the inbox mails them now.
    async send_assignment_notice() {},
    async send_mention_notice() {},

    async send_notification_mail(job) {
      await sendNotificationMail({ ...deps, mailer }, job);
    },

    async enqueue_digests() {
      await enqueueDigests({ db, clock, log });
    },

    async send_digest(job) {
      await sendDigest({ ...deps, mailer }, job);
    },

    async notice_due_tasks() {
      await noticeDueTasks({ db, clock });
    },
    async index_search(piece) {
      await indexSearch({ db }, piece);
    },
    async index_person(person) {
      await indexPerson({ db }, person);
    },
    async fold_names() {
      await foldNames({ db });
    },
  };
}

const undelivered = [serviceAddressSuffix, deletedAddressSuffix];

/** Sends nothing to the addresses of service accounts and of deleted ones, for any job. */
function toPeople(mailer: Mailer): Mailer {
  return {
    async send(mail) {
      if (!undelivered.some((suffix) => mail.to.endsWith(suffix))) await mailer.send(mail);
    },
    close: () => mailer.close(),
  };
}
