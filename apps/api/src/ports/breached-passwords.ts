/** Passwords that were in a breach of some service. */
export interface BreachedPasswords {
  /** Resolves with false also when that can't be found out in time. */
  include(password: string): Promise<boolean>;
}
