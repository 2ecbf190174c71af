import { verbatimText } from './primitives.ts';

/** A password to be set. */
export const newPassword = verbatimText({ min: 8, max: 128 }).describe(
  '8 to 128 characters; not a common password, not the email.',
);

/** A password to be compared. Checks only the length: a wrong one and an impossible one get the same error. */
export const presentedSecret = verbatimText({ max: 1024 });
