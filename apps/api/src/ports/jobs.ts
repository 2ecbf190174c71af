import type { SearchType } from '@atelier/contract';

/** Where a request came from, for the mail about it. */
export interface RequestOrigin {
  readonly device: string;
  readonly ipAddress: string;
}

/** What is also told in the inbox. */
interface Told {
  /** The id of the entry; absent: a former release enqueued the job, and there is none. */
  readonly notificationId?: string;
}

/** What is mailed to the administrators of an organization, each by a job of their own. */
interface ToAdministrators {
  /** The one to mail; absent: the job enqueues one for each. */
  readonly userId?: string;
}

/** Every job and its payload. Payloads contain identifiers, never secrets: the database stores them. */
export interface Jobs {
  /** Mails a new verification link, if the account is still pending. */
  send_verification: { readonly email: string };
  /** Mails a new reset link, if the account exists. With the id of the request that asked for it, it records that. */
  send_password_reset: {
    readonly email: string;
    readonly requestId: string | null;
    /** The id of the activity; absent: a former release enqueued the job, and each attempt records one. */
    readonly activityId?: string;
  };
  /** Mails the account owner that a token was replayed, and that every session has ended. */
  send_replay_notice: { readonly userId: string } & Told;
  /** Mails a person what happens to their account: a new link that keeps it, or that it is kept. */
  send_account_notice: {
    readonly userId: string;
    readonly about: 'DELETION_REQUESTED' | 'DELETION_CANCELLED';
    readonly origin: RequestOrigin;
  };
  /** Mails the email that an account asks for: a new link that confirms it, or that it is taken. */
  send_email_change: { readonly userId: string };
  /** Mails the former email of a change a new link that undoes it. */
  send_email_undo: {
    readonly userId: string;
    readonly step: number;
    readonly origin: RequestOrigin;
  } & Told;
  /** Mails the email that an account has lost that the change was undone. */
  send_email_undone: { readonly email: string; readonly origin: RequestOrigin };
  /** Prepares an export, unless it is ready or given up. */
  export_account: { readonly exportId: string; readonly origin: RequestOrigin };
  /** Mails a person that an export of their account can be downloaded, if it still can. */
  send_export_notice: { readonly exportId: string; readonly origin: RequestOrigin };
  /** Enqueues the deletion of each account whose wait is over. */
  delete_due_accounts: Readonly<Record<string, unknown>>;
  /** Deletes an account, if it is due; goes on with a deletion that was interrupted. */
  delete_account: { readonly userId: string };
  /** Mails the address of an account that it is deleted. */
  send_deleted_notice: { readonly email: string };
  /** Mails a change of what protects an account, that wrong second factors were tried, or a sign-in. */
  send_security_notice: {
    readonly userId: string;
    readonly about:
      | 'PASSWORD_CHANGED'
      | 'PASSWORD_RESET'
      | 'EMAIL_CHANGE_REQUESTED'
      | 'IDENTITY_ADDED'
      | 'IDENTITY_REMOVED'
      | 'PASSKEY_ADDED'
      | 'PASSKEY_REMOVED'
      | 'PASSKEY_COPIED'
      | 'PASSKEY_LIMIT'
      | 'TOTP_ENABLED'
      | 'TOTP_DISABLED'
      | 'RECOVERY_CODES_RENEWED'
      | 'RECOVERY_CODE_USED'
      | 'SECOND_FACTOR_RESET'
      | 'SECOND_FACTOR_LIMIT'
      | 'SECOND_FACTOR_POLICY_CHANGED'
      | 'SIGN_IN'
      | 'NEW_SIGN_IN';
    /** Where the request came from; null if an operator did it. */
    readonly origin: RequestOrigin | null;
    /** When a sign-in was. */
    readonly at?: string;
  } & Told;
  /** Mails a member that an organization requires a second factor, if it still does and they have none. */
  send_enrollment_notice: { readonly organizationId: string; readonly userId: string };
  /** Seals the secrets of authenticator apps with the current key. */
  keep_totp_secrets: Readonly<Record<string, unknown>>;
  /** Enqueues a mail for each API key that ends within a week, within a day, or has ended. */
  notice_expiring_keys: Readonly<Record<string, unknown>>;
  /**
   * Mails what happens to an API key: to its person, or to the administrators whose organization its service account
   * belongs to.
   */
  send_api_key_notice: {
    readonly apiKeyId: string;
    readonly notice: 'LEAKED' | 'WEEK' | 'DAY' | 'EXPIRED' | 'EXCLUDED' | 'NEW_NETWORK';
    /** The organization that excluded it. */
    readonly organizationId?: string;
    /** The network that it was used from for the first time, in CIDR notation. */
    readonly network?: string;
  } & ToAdministrators;
  /** Mails a new link to an invitation, if it can be accepted at that time. */
  send_invitation: { readonly organizationId: string; readonly invitationId: string };
  /** Reads a stored object once, and records its type; creates a thumbnail if it is a picture. */
  inspect_content: {
    /** Absent from jobs of earlier releases. */
    readonly organizationId?: string;
    readonly storedObjectId: string;
  };
  /** Sets the cover of a stored object where it was published to, unless there is one. */
  copy_cover: { readonly organizationId: string; readonly storedObjectId: string };
  /** Aborts an upload, and removes its parts from the storage; null: the storage has no upload yet. */
  abort_upload: { readonly key: string; readonly storageUploadId: string | null };
  /** Removes an unreferenced object. */
  delete_object: { readonly key: string };
  /** Removes a stored object and its thumbnail, as far as no organization has them any more. */
  release_object: { readonly key: string; readonly thumbnailKey: string | null };
  /** Sends the due messages of a webhook. */
  pump_webhook: { readonly organizationId: string; readonly webhookId: string };
  /** Makes due what waited for a webhook when it was enabled: messages after one number, up to another. */
  spread_webhook: {
    readonly organizationId: string;
    readonly webhookId: string;
    readonly enabledAt: string;
    readonly after: number;
    readonly until: number;
  };
  /** Mails the administrators that a webhook fails, or is disabled. */
  send_webhook_notice: {
    readonly organizationId: string;
    readonly webhookId: string;
    readonly about: 'FAILING' | 'DISABLED';
  } & ToAdministrators;
  /** Removes old deliveries of webhooks, and seals their secrets with the current key. */
  keep_webhooks: Readonly<Record<string, unknown>>;
  /** Mails what is unread about a subject, if the person may still read it and wants mail at once. */
  send_notification_mail: {
    readonly userId: string;
    readonly organizationId: string;
    /** Null: about the organization or an asset. */
    readonly taskId: string | null;
    /** An asset. Absent from jobs of earlier releases. */
    readonly subjectId?: string | null;
  };
  /** Enqueues the summary of each person whose time has come. */
  enqueue_digests: Readonly<Record<string, unknown>>;
  /** Mails the summary of a period, unless it was sent. */
  send_digest: { readonly userId: string; readonly period: string };
  /** Tells followers of tasks that are due within a day, or have become overdue. */
  notice_due_tasks: Readonly<Record<string, unknown>>;
  /** Removes notifications that are old, too many, or no longer readable. */
  keep_notifications: Readonly<Record<string, unknown>>;
  /** Removes expired tokens, sign-ins, sessions, idempotency keys and rate limits. */
  clean_up: Readonly<Record<string, unknown>>;
  /** Finishes or aborts expired uploads. */
  clean_up_uploads: Readonly<Record<string, unknown>>;
  /** Removes unreferenced objects from the storage, and reports missing ones. */
  reconcile_storage: Readonly<Record<string, unknown>>;
  /** Permanently deletes everything that has been in the bin for 30 days. */
  purge_bin: Readonly<Record<string, unknown>>;
  /** Clears the source of what was published from assets that are purged. */
  forget_origins: { readonly assetIds: readonly string[] };
  /** Deletes permanently what has expired in the bin of an organization, and before that the rest of what was emptied. */
  empty_bin: {
    readonly organizationId: string;
    readonly emptied: {
      /** Null: of everyone. */
      readonly createdBy: string | null;
      readonly collectionId: string | null;
      /** ISO 8601: what was deleted later stays. */
      readonly deletedBy: string;
    } | null;
  };
  /** Creates the partitions of activities for the next months, and drops expired ones. */
  keep_activities: Readonly<Record<string, unknown>>;
  /** Makes pictures that visitors of a share see in place of its files, and enqueues itself while there are more to make. */
  make_share_pictures: { readonly organizationId: string; readonly shareId: string };
  /** Tells who made a share that its password is being guessed, or that it was opened for the first time. */
  notice_share: {
    readonly organizationId: string;
    readonly shareId: string;
    readonly reason: 'share_guessing' | 'shared_opened';
  };
  /** Removes what visitors left behind and what no share shows any more, and seals tokens of shares with the current key. */
  keep_shares: Readonly<Record<string, unknown>>;
  /** Removes the object of an avatar upload, completed or not, and the rows that nothing needs any more. */
  clean_up_avatar_upload: { readonly uploadId: string };
  /** Replaces the next resources in the index of search, and enqueues itself for those after them. */
  index_search: {
    readonly organizationId: string;
    readonly type: SearchType;
    /** Null: at the beginning of the type. */
    readonly afterId: string | null;
    /** Only the assets of this collection; without it, the other types follow. */
    readonly collectionId?: string;
  };
  /** Replaces a person in the indexes of search of all their teams. */
  index_person: { readonly userId: string };
  /** Folds names that an earlier release has written. */
  fold_names: Readonly<Record<string, unknown>>;
  /** Nothing: a former release enqueued it. */
  send_assignment_notice: Readonly<Record<string, unknown>>;
  /** Nothing: a former release enqueued it. */
  send_mention_notice: Readonly<Record<string, unknown>>;
}

/**
 * Handlers of every job. A rejected job is retried with exponential back-off.
 *
 * The signal means that the process is about to end: long jobs stop then, to be retried soon.
 */
export type JobHandlers = {
  readonly [Name in keyof Jobs]: (payload: Jobs[Name], signal: AbortSignal) => Promise<void>;
};
