/** A quota's name and its subject: an address, an email, an account, or the caller. */
export type QuotaName =
  | 'login-address'
  | 'login-account'
  | 'second-factor-account'
  | 'register-address'
  | 'register-mailbox'
  | 'password-reset-address'
  | 'password-reset-mailbox'
  | 'refresh-address'
  | 'leaked-key-address'
  | 'invitation-inviter'
  | 'invitation-mailbox'
  | 'search'
  | 'suggest'
  | 'search-rebuild'
  | 'share-password-network'
  | 'share-password'
  | 'share-ticket'
  | 'share-network'
  | 'share-comment-ticket'
  | 'share-comment'
  | 'default';

/** A limit per subject, in a window that starts with the first draw. */
export interface Quota {
  readonly name: QuotaName;
  readonly limit: number;
  readonly windowSeconds: number;
}

/** An allowed or refused draw. A refused draw is not counted. */
export interface Draw {
  readonly quota: Quota;
  readonly subject: string;
  readonly isAllowed: boolean;
  /** The remaining draws in this window. */
  readonly remaining: number;
  /** When the window ends. */
  readonly resetsAt: Date;
}

/** Counters that all instances share. */
export interface RateLimiter {
  /**
   * Draws one from the subject's quota.
   *
   * @param subject - address, email or account in its canonical form; stored only as a keyed hash
   * @returns null without a limit
   */
  draw(name: QuotaName, subject: string): Promise<Draw | null>;
  /** Returns an allowed draw; no effect after its window. */
  release(draw: Draw): Promise<void>;
  /** Notes that an allowed draw won't be returned. Only a quota whose exhaustion is asked about needs it. */
  settle(draw: Draw): Promise<void>;
  /** Whether a refused draw would be refused without the draws that may be returned yet. */
  isSpent(draw: Draw): Promise<boolean>;
  /** Resets the subject's quota at once, for every instance. */
  clear(name: QuotaName, subject: string): Promise<void>;
}
