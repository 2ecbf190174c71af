import { invalidField } from '../failure.ts';

/** A few of the thousands that the service refuses. */
const common: ReadonlySet<string> = new Set([
  '12345678',
  '123456789',
  '1234567890',
  '11111111',
  'password',
  'password1',
  'password123',
  'qwertyuiop',
  'iloveyou',
  'sunshine',
  'princess',
  'football',
  'baseball',
  'trustno1',
]);

/** @throws MockFailure `validation_failed` for a password that is common, is the email, or is the name of this product */
export function expectAcceptable(
  password: string,
  { email, field }: { email: string; field: 'password' | 'newPassword' },
): void {
  const lowerCase = password.toLowerCase();
  if (lowerCase === email) {
    throw invalidField([field], 'password_is_email', 'The password must not be the email');
  }
  if (common.has(lowerCase)) {
    const message = 'This is one of the most common passwords; choose another';
    throw invalidField([field], 'password_too_common', message);
  }
  const rest = lowerCase.replaceAll('atelier', ' ');
  if (rest !== lowerCase && !/\p{L}/u.test(rest)) {
    const message = 'The name of this place is easy to guess; choose another password';
    throw invalidField([field], 'password_too_guessable', message);
  }
}
