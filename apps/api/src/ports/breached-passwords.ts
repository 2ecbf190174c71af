/** Checks passwords against known breaches. */
export interface BreachedPasswords {
  /** Also resolves with false if there is no result in time. */
  include(password: string): Promise<boolean>;
}
