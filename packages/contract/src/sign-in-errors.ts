/** Errors of a sign-in through a provider: the `error` parameter of the redirect to the client, and what it means. */
export const signInErrors = {
  access_denied: 'The user declined at the provider.',
  invalid_state:
    'The sign-in was not started in this browser, took over 10 minutes, or has already returned.',
  provider_error: 'The provider refused, or its response could not be verified.',
  provider_unavailable: 'The provider is unavailable or slow. Try again later.',
  email_unverified: 'The provider has not verified the email address.',
  email_changed:
    'The email belongs to an account whose email was changed less than a week ago. Sign in as before.',
  account_suspended: 'The account has been suspended.',
  account_deletion_pending: 'The account is about to be deleted.',
  server_error: 'The service failed. Try again later.',
} as const;

/** A key of {@link signInErrors}. */
export type SignInError = keyof typeof signInErrors;
