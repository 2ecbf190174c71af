/** Lifetimes of every credential, in seconds. */
export const lifetimes = {
  accessTokenSeconds: 15 * 60,
  refreshTokenSeconds: 12 * 60 * 60,
  /** How long a refresh can be repeated under its `Idempotency-Key`. */
  refreshRepetitionSeconds: 10 * 60,
  exchangeCodeSeconds: 60,
  /** How long a sign-in through a provider waits for the second factor. */
  secondFactorTicketSeconds: 5 * 60,
  passwordResetTokenSeconds: 30 * 60,
  emailVerificationTokenSeconds: 24 * 60 * 60,
  /** How long a passkey's response to a challenge is accepted. */
  passkeyChallengeSeconds: 5 * 60,
  /** How long a confirmation counts. */
  confirmationSeconds: 10 * 60,
} as const;
