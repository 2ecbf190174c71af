/** Every job and its payload. Payloads hold identifiers, never secrets: they lie in the database. */
export interface Jobs {
  /** Mails a fresh verification link, if the account is still pending. */
  send_verification: { readonly email: string };
  /** Mails a fresh reset link, if the account exists. */
  send_password_reset: { readonly email: string; readonly requestId: string };
  /** Tells the owner of an account that a token of it was presented again, and every session ended. */
  send_replay_notice: { readonly userId: string };
  /** Mails a fresh link to an invitation, if it can be accepted at that time. */
  send_invitation: { readonly organizationId: string; readonly invitationId: string };
  /** Reads a stored object once, and notes what it is; makes a small picture of a picture. */
  inspect_content: { readonly storedObjectId: string };
  /** Ends an upload that was aborted, with what the storage holds of it; null: it had not begun there. */
  abort_upload: { readonly key: string; readonly storageUploadId: string | null };
  /** Removes an object that no row refers to. */
  delete_object: { readonly key: string };
  /** Removes expired tokens, sign-ins, sessions, idempotency keys and rate limits. */
  clean_up: Readonly<Record<string, unknown>>;
  /** Finishes or gives up uploads whose time is over. */
  clean_up_uploads: Readonly<Record<string, unknown>>;
  /** Removes what lies in the storage unknown, and reports what is missing there. */
  reconcile_storage: Readonly<Record<string, unknown>>;
  /** Deletes for good what has been in the bin for 30 days. */
  purge_bin: Readonly<Record<string, unknown>>;
  /** Makes the partitions of activities for the months to come, and drops those whose time is over. */
  keep_activities: Readonly<Record<string, unknown>>;
  /** Removes what an avatar upload left in the storage, completed or not. */
  clean_up_avatar_upload: { readonly uploadId: string };
  /** Mails an assignment to the person assigned, if that still holds and they want it. */
  send_assignment_notice: {
    readonly organizationId: string;
    readonly taskId: string;
    readonly userId: string;
    readonly actorId: string;
  };
  /** Mails a mention to the person mentioned, if the comment is still there and they want it. */
  send_mention_notice: {
    readonly organizationId: string;
    readonly taskId: string;
    readonly commentId: string;
    readonly userId: string;
  };
}

/**
 * Handlers of every job. One that rejects is tried again with exponential back-off.
 *
 * The signal says that the process is about to end: who takes long gives up then, to be tried again soon.
 */
export type JobHandlers = {
  readonly [Name in keyof Jobs]: (payload: Jobs[Name], signal: AbortSignal) => Promise<void>;
};
