import type { AccountStatus } from '../../domain/account-sessions/queries.ts';
import { Failure } from '../../kernel/errors.ts';

/**
 * @throws Failure `account_pending`, `account_suspended` or `account_deletion_pending` (400): only a verified account may
 *   sign in; `invalid_credentials` (400) for a deleted one
 */
export function assertMayLogIn(status: AccountStatus): void {
  switch (status) {
    case 'VERIFIED':
      return;
    case 'PENDING':
      throw new Failure('account_pending');
    case 'SUSPENDED':
      throw new Failure('account_suspended');
    case 'DELETION_PENDING':
    case 'DELETING':
      throw new Failure('account_deletion_pending');
    case 'DELETED':
      throw new Failure('invalid_credentials');
  }
}
