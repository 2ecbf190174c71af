/** Texts of the step that follows a password where an account has a second factor. */
export const texts = {
  title: 'One more step',
  passkey: 'Use your passkey',
  labels: { totp: 'Code', recovery: 'Recovery code' },
  hints: {
    totp: 'Six digits from your authenticator app.',
    recovery: 'One of the codes that you saved. Each works once.',
  },
  use: {
    passkey: 'Use a passkey',
    totp: 'Use your authenticator app',
    recovery: 'Use a recovery code',
  },
  missing: 'Enter the code.',
  submit: 'Continue',
  otherAccount: 'Use another account',
};
