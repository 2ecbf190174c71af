import type { ValidationIssue } from '@atelier/contract';
import type { Deps } from '../../deps.ts';
import { invalidField } from '../../kernel/errors.ts';
import { assertAcceptablePassword } from './policy.ts';

/** The number of most common passwords that are refused. */
const refusedPasswords = 3_000;

/** Checks a new password. `path` is where the request has it. */
export function passwordRule({
  config,
  breachedPasswords,
}: Pick<Deps, 'config' | 'breachedPasswords'>) {
  let common: ReadonlySet<string> | undefined;
  /** @throws Failure `validation_failed` (400) */
  return async (
    password: string,
    email: string,
    path: ValidationIssue['path'] = ['password'],
  ): Promise<void> => {
    common ??= await commonPasswords();
    const words = config.PASSWORD_REFUSED_WORDS;
    assertAcceptablePassword(password, { email, common, words, path });
    if (!(await breachedPasswords.include(password))) return;
    throw invalidField(
      path,
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
