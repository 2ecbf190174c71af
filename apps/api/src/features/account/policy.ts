import { deletedAddressSuffix } from '@atelier/contract';
import type { AccountStatus } from '../../domain/account-sessions/queries.ts';
import { Failure, invalidField } from '../../kernel/errors.ts';

/** @throws Failure `confirmation_mismatch` (400) */
export function assertConfirmed(confirmation: string, email: string): void {
  if (confirmation === email) return;
  throw new Failure('confirmation_mismatch', { message: 'The confirmation is not your email' });
}

/** Maximum number of teams that a refusal names. */
const maxNamed = 20;

/**
 * @param alone - the teams without another owner
 * @param locked - the ids of those that can't get or lose one meanwhile
 * @throws Failure `conflict` (409) for one that isn't locked, `last_owner` (409) that names the teams
 */
export function assertNoTeamIsLeft(
  alone: readonly { readonly id: string; readonly name: string }[],
  locked: readonly string[],
): void {
  if (alone.some(({ id }) => !locked.includes(id))) throw new Failure('conflict');
  if (alone.length === 0) return;
  throw new Failure('last_owner', {
    errors: alone.slice(0, maxNamed).map(({ id, name }) => ({
      in: 'body',
      path: ['teams', id],
      code: 'last_owner',
      message: name,
    })),
  });
}

/**
 * Looks at nothing but the caller's own account: whether another one has the new email stays unknown.
 *
 * @param account.fixedUntil - null: it may be changed
 * @throws Failure `email_change_blocked` (409) after a change was undone; `validation_failed` (400) for the present
 *   email, and for one that nothing can be mailed to
 */
export function assertMayChangeEmail(
  newEmail: string,
  account: { readonly email: string; readonly fixedUntil: Date | null; readonly now: Date },
): void {
  const { email, fixedUntil, now } = account;
  if (fixedUntil !== null && fixedUntil > now) throw new Failure('email_change_blocked');
  if (newEmail === email) {
    throw invalidField(['newEmail'], 'unchanged', 'Invalid newEmail: it is your email already');
  }
  if (newEmail.endsWith(deletedAddressSuffix)) {
    throw invalidField(
      ['newEmail'],
      'undeliverable',
      'Invalid newEmail: nothing can be mailed to it',
    );
  }
}

const undoable: ReadonlySet<AccountStatus> = new Set(['VERIFIED', 'SUSPENDED', 'DELETION_PENDING']);

/** @throws Failure `invalid_or_expired_token` (400) for an account that is being deleted */
export function assertMayUndo(status: AccountStatus): void {
  if (!undoable.has(status)) throw new Failure('invalid_or_expired_token');
}
