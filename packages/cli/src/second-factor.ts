import { ApiError } from '@atelier/client';
import { UsageError } from './failures.ts';
import { ask } from './questions.ts';
import type { Terminal } from './terminal.ts';

/** A code that a person can type. */
export interface TypedFactor {
  readonly kind: 'totp' | 'recovery';
  readonly code: string;
}

/**
 * Sends a sign-in, and once more with a second factor if the account has one. Asks again after a wrong code at a terminal.
 *
 * @param given - the code, if it is known before; otherwise it is asked for
 * @throws UsageError if there is no code to type, or no terminal to ask at
 */
export async function withSecondFactor(
  terminal: Terminal,
  given: string | undefined,
  send: (secondFactor?: TypedFactor) => Promise<unknown>,
): Promise<void> {
  const question = await firstAttempt(send);
  if (question === null) return;
  for (;;) {
    const code = given ?? (await ask(terminal, question, '--second-factor'));
    try {
      await send({ kind: kindOf(code), code });
      return;
    } catch (error) {
      if (given !== undefined || !isRefusal(error, 'second_factor_invalid')) throw error;
      terminal.stderr.write(`${error.message}.\n`);
    }
  }
}

/** @returns what to ask for; null if the account has no second factor */
async function firstAttempt(send: () => Promise<unknown>): Promise<string | null> {
  try {
    await send();
    return null;
  } catch (error) {
    if (!isRefusal(error, 'second_factor_required')) throw error;
    const kinds = new Set(error.issues.map(({ code }) => code));
    if (kinds.has('totp')) return 'Code of the authenticator app, or a recovery code';
    if (kinds.has('recovery')) return 'Recovery code';
    throw new UsageError(
      'The second factor of this account is a passkey, which only a browser can use. Set ATELIER_API_KEY instead.',
    );
  }
}

function isRefusal(error: unknown, code: string): error is ApiError {
  return error instanceof ApiError && error.code === code;
}

/** Apps show six digits; recovery codes are longer. Both may be typed in groups. */
function kindOf(code: string): TypedFactor['kind'] {
  return /^\d{6}$/.test(code.replaceAll(/[\s-]/g, '')) ? 'totp' : 'recovery';
}
