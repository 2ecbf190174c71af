import { deletionDelayDays, lifetimes } from '@atelier/contract';
import { newSecretToken } from '../../kernel/ids.ts';
import { hashSecretToken } from '../../kernel/secret-tokens.ts';

const lifetimeSeconds = {
  verify_email: lifetimes.emailVerificationTokenSeconds,
  reset_password: lifetimes.passwordResetTokenSeconds,
  cancel_deletion: deletionDelayDays * 24 * 60 * 60,
} as const;

/** A token that proves the mailbox of an account, and its row. */
export function newMailedToken(
  { id, email }: { readonly id: string; readonly email: string },
  purpose: keyof typeof lifetimeSeconds,
  issuedAt: Date,
) {
  const token = newSecretToken();
  const expiresAt = new Date(issuedAt.getTime() + lifetimeSeconds[purpose] * 1000);
  return {
    token,
    row: { userId: id, purpose, tokenHash: hashSecretToken(token), email, issuedAt, expiresAt },
  };
}
