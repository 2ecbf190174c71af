import type { Deps } from '../../deps.ts';
import { invalidField } from '../../kernel/errors.ts';
import { assertAcceptablePassword } from './policy.ts';

/** The number of most common passwords that are refused. */
const refusedPasswords = 3_000;

/** Checks a new password. */
export function passwordRule({
  config,
  breachedPasswords,
}: Pick<Deps, 'config' | 'breachedPasswords'>) {
  let common: ReadonlySet<string> | undefined;
  /** @throws Failure `validation_failed` (400) */
  return async (password: string, email: string): Promise<void> => {
    common ??= await commonPasswords();
    assertAcceptablePassword(password, { email, common, words: config.PASSWORD_REFUSED_WORDS });
    if (!(await breachedPasswords.include(password))) return;
    throw invalidField(
      ['password'],
      'password_breached',
      'This password is known from a breach; choose another',
    );
  };
}

/** Loads half a megabyte of dictionary, which only a new password needs. */
async function commonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].slice(0, refusedPasswords));
}
