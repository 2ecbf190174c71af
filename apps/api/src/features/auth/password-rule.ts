import type { Deps } from '../../deps.ts';
import { invalidField } from '../../kernel/errors.ts';
import { assertAcceptablePassword } from './policy.ts';

/** What has to be so of a new password, here and now. */
export function passwordRule({
  config,
  breachedPasswords,
}: Pick<Deps, 'config' | 'breachedPasswords'>) {
  /** @throws Failure `validation_failed` (400) */
  return async (password: string, email: string): Promise<void> => {
    assertAcceptablePassword(password, { email, words: config.PASSWORD_REFUSED_WORDS });
    if (!(await breachedPasswords.include(password))) return;
    throw invalidField(
      ['password'],
      'password_breached',
      'This password is known from a breach; choose another',
    );
  };
}
