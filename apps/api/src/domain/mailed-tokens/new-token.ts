import { lifetimes } from '@atelier/contract';
import { newSecretToken } from '../../kernel/ids.ts';
import { hashSecretToken } from '../../kernel/secret-tokens.ts';

const lifetimeSeconds = {
  verify_email: lifetimes.emailVerificationTokenSeconds,
  reset_password: lifetimes.passwordResetTokenSeconds,
} as const;

/** A token that proves a mailbox, and its row. */
export function newMailedToken(
  userId: string,
  purpose: keyof typeof lifetimeSeconds,
  issuedAt: Date,
) {
  const token = newSecretToken();
  const expiresAt = new Date(issuedAt.getTime() + lifetimeSeconds[purpose] * 1000);
  return {
    token,
    row: { userId, purpose, tokenHash: hashSecretToken(token), issuedAt, expiresAt },
  };
}
