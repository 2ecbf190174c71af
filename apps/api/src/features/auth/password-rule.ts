import type { Deps } from '../../deps.ts';
import { invalidField } from '../../kernel/errors.ts';
import { assertAcceptablePassword, type PasswordSurroundings } from './policy.ts';

/** What has to be so of a new password, here and now. */
export function passwordRule({
  config,
  breachedPasswords,
}: Pick<Deps, 'config' | 'breachedPasswords'>) {
  /** @throws Failure `validation_failed` (400) */
  return async (password: string, about: Omit<PasswordSurroundings, 'words'>): Promise<void> => {
    assertAcceptablePassword(password, { ...about, words: config.PASSWORD_REFUSED_WORDS });
    if (!(await breachedPasswords.include(password))) return;
    throw invalidField(
      ['password'],
      'password_breached',
      'This password is known from a breach; choose another',
    );
  };
}
