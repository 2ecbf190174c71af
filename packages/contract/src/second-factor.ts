import { z } from 'zod/v4';
import { PasskeyAuthentication } from './passkeys.ts';
import { verbatimText } from './primitives.ts';

/** What proves a second factor; the order is that of an offer. */
export const secondFactorKinds = ['passkey', 'totp', 'recovery'] as const;

export type SecondFactorKind = (typeof secondFactorKinds)[number];

/** How many recovery codes an account gets at once. */
export const recoveryCodeCount = 10;

export const SecondFactor = z
  .object({
    kind: z
      .enum(secondFactorKinds)
      .describe(
        '`passkey`: a passkey; `totp`: a code of the authenticator app; `recovery`: a recovery code.',
      ),
    // Checks only the length: a wrong code and an impossible one get the same error.
    code: verbatimText({ max: 64 })
      .optional()
      .describe('The six digits of the app, or the recovery code. Not for a passkey.'),
    response: PasskeyAuthentication.optional().describe('What the passkey has signed.'),
  })
  .refine(({ kind, code, response }) => (kind === 'passkey' ? response : code) !== undefined, {
    error: 'Invalid second factor: expected `response` of a passkey, or else `code`',
  })
  .meta({
    id: 'SecondFactor',
    description:
      'A second proof beside the password. Each code works once; blanks, dashes and lower case are fine.',
    examples: [
      { kind: 'totp', code: '492039' },
      { kind: 'recovery', code: '7KQ2-9WXM-4T8C-HB3E' },
    ],
  });
export type SecondFactor = z.infer<typeof SecondFactor>;
