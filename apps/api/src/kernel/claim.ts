/** An `Idempotency-Key` that only this request works under. */
export interface Claim {
  /**
   * Sent ahead of the work of a mutation, whose statements fail if another attempt has the key. Does nothing for a key that was
   * claimed before the handler.
   *
   * @param tx - the transaction of the mutation, opaque to the kernel
   * @throws KeyTaken, and the transaction is over
   */
  take(tx: object): Promise<void>;
  /**
   * Stores the response of the request.
   *
   * @param tx - the transaction of the mutation, opaque to the kernel
   * @param response - the `data` of the declared success
   * @throws Failure `idempotency_in_flight` (409) when another attempt has taken the key over
   */
  settle(tx: object, response: unknown): Promise<void>;
}

/** Another attempt has the key, or has responded. */
export class KeyTaken extends Error {}
