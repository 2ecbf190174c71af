import { dictionary } from '@zxcvbn-ts/language-common';
import { Failure, invalidField } from '../../kernel/errors.ts';

/** How many of the most common passwords are refused. */
const refusedPasswords = 3_000;

let commonPasswords: ReadonlySet<string> | undefined;

/** @throws Failure `validation_failed` (400) for a password that is common or equal to the email */
export function assertAcceptablePassword(password: string, email: string): void {
  if (password.toLowerCase() === email) {
    throw invalidField(['password'], 'password_is_email', 'The password must not be the email');
  }
  commonPasswords ??= new Set(dictionary['passwords-common'].slice(0, refusedPasswords));
  if (commonPasswords.has(password.toLowerCase())) {
    throw invalidField(
      ['password'],
      'password_too_common',
      'This is one of the most common passwords; choose another',
    );
  }
}

/** @throws Failure `account_pending` or `account_suspended` (400): only a verified account may log in */
export function assertMayLogIn(status: 'PENDING' | 'VERIFIED' | 'SUSPENDED'): void {
  switch (status) {
    case 'VERIFIED':
      return;
    case 'PENDING':
      throw new Failure('account_pending');
    case 'SUSPENDED':
      throw new Failure('account_suspended');
  }
}
