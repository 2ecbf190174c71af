/** What is counted, and for whom: an address, a mailbox, an account, or whoever calls. */
export type QuotaName =
  | 'login-address'
  | 'login-account'
  | 'register-address'
  | 'register-mailbox'
  | 'password-reset-address'
  | 'password-reset-mailbox'
  | 'refresh-address'
  | 'invitation-inviter'
  | 'invitation-mailbox'
  | 'default';

/** How often something may happen, for each subject, from the first time on until the window ends. */
export interface Quota {
  readonly name: QuotaName;
  readonly limit: number;
  readonly windowSeconds: number;
}

/** One taken from a quota, or refused. A refused draw is not counted. */
export interface Draw {
  readonly quota: Quota;
  readonly subject: string;
  readonly isAllowed: boolean;
  /** How many are left in this window. */
  readonly remaining: number;
  /** When the quota is whole again. */
  readonly resetsAt: Date;
}

/** Counters that all instances share. */
export interface RateLimiter {
  /**
   * Takes one from the subject's quota.
   *
   * @param subject - address, mailbox or account in its one canonical form; stored as a keyed hash only
   * @returns null where nothing is limited
   */
  draw(name: QuotaName, subject: string): Promise<Draw | null>;
  /** Puts an allowed draw back; without effect once its window is over. */
  giveBack(draw: Draw): Promise<void>;
  /** Makes the subject's quota whole at once, for every instance. */
  clear(name: QuotaName, subject: string): Promise<void>;
}
