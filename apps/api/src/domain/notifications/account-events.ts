/** What a person is told about the security of the account, as a title. */
export const accountEvents = {
  NEW_SIGN_IN: 'New sign-in to your account',
  SIGN_IN: 'Sign-in to your account',
  PASSWORD_CHANGED: 'Your password was changed',
  PASSWORD_RESET: 'You have a new password',
  EMAIL_CHANGE_REQUESTED: 'Another email was requested',
  IDENTITY_ADDED: 'A sign-in provider was connected',
  IDENTITY_REMOVED: 'A sign-in provider was disconnected',
  PASSKEY_ADDED: 'A passkey was added',
  PASSKEY_REMOVED: 'A passkey was removed',
  PASSKEY_COPIED: 'A passkey may have been copied',
  PASSKEY_LIMIT: 'A passkey was refused several times',
  TOTP_ENABLED: 'One-time codes were turned on',
  TOTP_DISABLED: 'One-time codes were turned off',
  RECOVERY_CODES_RENEWED: 'Your recovery codes were replaced',
  RECOVERY_CODE_USED: 'A recovery code was used',
  SECOND_FACTOR_RESET: 'Your second factor was removed',
  SECOND_FACTOR_LIMIT: 'Someone knows your password',
  SECOND_FACTOR_POLICY_CHANGED: 'What a team requires to sign in was changed',
  EMAIL_CHANGED: 'The email of your account was changed',
  TOKEN_REPLAYED: 'You were signed out on every device',
} as const;

export type AccountEvent = keyof typeof accountEvents;

/** @returns the title of a stored event, which another release may have written */
export function titleOfAccountEvent(event: string): string {
  const titles: Readonly<Record<string, string>> = accountEvents;
  return titles[event] ?? 'Something has changed';
}
