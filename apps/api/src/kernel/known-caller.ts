/**
 * A caller whom a mutation takes as an earlier request found them, until its transaction has found that nothing changed
 * since.
 *
 * @see docs/decisions/0116-known-callers.md
 */
export class KnownCaller {
  /** Of the rows that were read of the caller; see `prove_known_member`. */
  readonly versions: string;
  #isProven = false;

  constructor(versions: string) {
    this.versions = versions;
  }

  get isProven(): boolean {
    return this.#isProven;
  }

  /** Notes that the caller is the same, and still has the authority. */
  prove(): void {
    this.#isProven = true;
  }

  /** @throws Error for an operation that responds without the proof */
  assertProven(): void {
    if (!this.#isProven) throw new Error('a mutation of a known caller responds without a proof');
  }
}

/** A known caller has changed, or has less authority: the request begins anew with a look-up. */
export class CallerChanged extends Error {}
