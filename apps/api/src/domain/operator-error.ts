/** What an operator asked for can't be done; the message says why. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
