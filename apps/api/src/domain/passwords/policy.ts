import type { ValidationIssue } from '@atelier/contract';
import { invalidField } from '../../kernel/errors.ts';

/** The most obvious word of all. */
const productName = 'atelier';

/** The words that a password must not be guessed from. */
export interface PasswordSurroundings {
  readonly email: string;
  /** The most common passwords, in lower case. */
  readonly common: ReadonlySet<string>;
  /** Words of this service, such as the company's name. */
  readonly words: readonly string[];
  /** Where the request has the password. */
  readonly path: ValidationIssue['path'];
}

/**
 * @throws Failure `validation_failed` (400) for a password that is common, is the email, or consists of
 * nothing but words of this place, digits and signs
 */
export function assertAcceptablePassword(
  password: string,
  { email, common, words, path }: PasswordSurroundings,
): void {
  const lowerCase = password.toLowerCase();
  if (lowerCase === email) {
    throw invalidField(path, 'password_is_email', 'The password must not be the email');
  }
  if (common.has(lowerCase)) {
    throw invalidField(
      path,
      'password_too_common',
      'This is one of the most common passwords; choose another',
    );
  }
  if (consistsOf(lowerCase, [productName, ...words])) {
    throw invalidField(
      path,
      'password_too_guessable',
      'The name of this place is easy to guess; choose another password',
    );
  }
}

/** Shorter words are in too many others. */
const minWordLength = 3;

/** Whether the password contains such words and no other letters. */
function consistsOf(password: string, sources: readonly string[]): boolean {
  const words = sources
    .flatMap((source) => source.toLowerCase().split(/[^\p{L}\p{M}]+/u))
    .filter((word) => word.length >= minWordLength)
    .toSorted((a, b) => b.length - a.length);
  const rest = words.reduce((text, word) => text.replaceAll(word, ' '), password);
  return rest !== password && !/\p{L}/u.test(rest);
}
