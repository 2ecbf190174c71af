/** Every job and its payload. Payloads contain identifiers, never secrets: the database stores them. */
export interface Jobs {
  /** Mails a new verification link, if the account is still pending. */
  send_verification: { readonly email: string };
  /** Mails a new reset link, if the account exists. */
  send_password_reset: { readonly email: string; readonly requestId: string };
  /** Mails the account owner that a token was replayed, and that every session has ended. */
  send_replay_notice: { readonly userId: string };
  /** Mails a new link to an invitation, if it can be accepted at that time. */
  send_invitation: { readonly organizationId: string; readonly invitationId: string };
  /** Reads a stored object once, and records its type; creates a thumbnail if it is a picture. */
  inspect_content: { readonly storedObjectId: string };
  /** Aborts an upload, and removes its parts from the storage; null: the storage has no upload yet. */
  abort_upload: { readonly key: string; readonly storageUploadId: string | null };
  /** Removes an unreferenced object. */
  delete_object: { readonly key: string };
  /** Removes expired tokens, sign-ins, sessions, idempotency keys and rate limits. */
  clean_up: Readonly<Record<string, unknown>>;
  /** Finishes or aborts expired uploads. */
  clean_up_uploads: Readonly<Record<string, unknown>>;
  /** Removes unreferenced objects from the storage, and reports missing ones. */
  reconcile_storage: Readonly<Record<string, unknown>>;
  /** Permanently deletes everything that has been in the bin for 30 days. */
  purge_bin: Readonly<Record<string, unknown>>;
  /** Creates the partitions of activities for the next months, and drops expired ones. */
  keep_activities: Readonly<Record<string, unknown>>;
  /** Removes the objects of an avatar upload, completed or not. */
  clean_up_avatar_upload: { readonly uploadId: string };
  /** Mails an assignment to the assignee, if it still applies and they want the mail. */
  send_assignment_notice: {
    readonly organizationId: string;
    readonly taskId: string;
    readonly userId: string;
    readonly actorId: string;
  };
  /** Mails a mention to the mentioned user, if the comment still exists and they want the mail. */
  send_mention_notice: {
    readonly organizationId: string;
    readonly taskId: string;
    readonly commentId: string;
    readonly userId: string;
  };
}

/**
 * Handlers of every job. A rejected job is retried with exponential back-off.
 *
 * The signal means that the process is about to end: long jobs stop then, to be retried soon.
 */
export type JobHandlers = {
  readonly [Name in keyof Jobs]: (payload: Jobs[Name], signal: AbortSignal) => Promise<void>;
};
