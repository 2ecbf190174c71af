/** The failure of an operator's command; the message says why. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
