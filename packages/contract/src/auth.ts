import { z } from 'zod/v4';
import { publicAccess, userAccess } from './access.ts';
import { revokeApiKeys } from './api-keys.ts';
import { endpoint } from './endpoint.ts';
import { created, ok, withoutData, withoutMessage } from './envelope.ts';
import { newPassword, presentedSecret } from './password-fields.ts';
import { PasskeyAuthentication, PasskeyLoginBody, PasskeyRequestOptions } from './passkeys.ts';
import { Email, Id, presigned, text, Timestamp, verbatimText } from './primitives.ts';
import {
  ExchangeBody,
  SecondFactorTicketBody,
  signInCallback,
  startSignIn,
} from './provider-sign-in.ts';
import { SecondFactor } from './second-factor.ts';

export const accountStatuses = ['PENDING', 'VERIFIED', 'SUSPENDED'] as const;

/** Describes the field that preferences of notifications have replaced. */
export function deprecatedNotices(what: string) {
  return { description: `${what} Use the notification preferences.`, deprecated: true } as const;
}

export const User = z
  .object({
    id: Id,
    email: Email,
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    displayName: z.string().describe('First and last name, or the part of the email before the @.'),
    avatarUrl: z
      .string()
      .nullable()
      .meta(
        presigned(
          'Presigned URL of the picture, valid for at least an hour. It stays the same for a while, so it can be cached.',
        ),
      ),
    accountStatus: z.enum(accountStatuses),
    platformRole: z.enum(['USER', 'ADMIN']),
    mailNotices: z
      .boolean()
      .meta(deprecatedNotices('Whether assignments or mentions are sent by email.')),
    mailSignIns: z.boolean().describe('Whether sign-ins from known devices are mailed too.'),
    personalOrganizationId: Id,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({
    id: 'User',
    description: 'An account as its owner sees it.',
    examples: [
      {
        id: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42',
        email: 'ada@example.com',
        firstName: 'Ada',
        lastName: 'Lovelace',
        displayName: 'Ada Lovelace',
        avatarUrl: null,
        accountStatus: 'VERIFIED',
        platformRole: 'USER',
        mailNotices: true,
        mailSignIns: false,
        personalOrganizationId: '019aa4f0-5c1e-7c00-8a51-0d9e2b7f6c11',
        createdAt: '2026-11-21T09:30:00.000Z',
        updatedAt: '2026-11-21T09:30:00.000Z',
      },
    ],
  });
export type User = z.infer<typeof User>;

const personName = text({ max: 80 });
const presentedToken = verbatimText({ max: 4096 });

export const RegisterBody = z
  .object({
    email: Email,
    password: newPassword,
    firstName: personName.optional(),
    lastName: personName.optional(),
  })
  .meta({
    id: 'RegisterBody',
    description: 'A new account.',
    examples: [{ email: 'ada@example.com', password: 'difference engine', firstName: 'Ada' }],
  });

export const LoginBody = z
  .object({
    email: text({ max: 254 }).toLowerCase().describe('Email address of the account.'),
    password: presentedSecret,
    secondFactor: SecondFactor.optional().describe(
      'Where the response to the same request without it was `second_factor_required`.',
    ),
  })
  .meta({
    id: 'LoginBody',
    description: 'Credentials of an account.',
    examples: [{ email: 'ada@example.com', password: 'difference engine' }],
  });

export const EmailBody = z.object({ email: Email }).meta({
  id: 'EmailBody',
  description: 'An email address.',
  examples: [{ email: 'ada@example.com' }],
});

export const TokenBody = z.object({ token: presentedToken }).meta({
  id: 'TokenBody',
  description: 'The token from an emailed link.',
  examples: [{ token: 'vM3q0V2cZ8u1d6yP5nXbT7kR4wSjE9hLfGaQoIiUuYs' }],
});

export const ResetPasswordBody = z
  .object({ token: presentedToken, password: newPassword, revokeApiKeys })
  .meta({
    id: 'ResetPasswordBody',
    description: 'The token from an emailed link and the new password.',
    examples: [
      { token: 'vM3q0V2cZ8u1d6yP5nXbT7kR4wSjE9hLfGaQoIiUuYs', password: 'analytical engine' },
    ],
  });

export const RefreshTokenBody = z.object({ refreshToken: presentedToken }).meta({
  id: 'RefreshTokenBody',
  description: 'The encrypted refresh token.',
  examples: [{ refreshToken: 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..c2VjcmV0.dGFn' }],
});

export const LogoutBody = z.unknown().meta({
  id: 'LogoutBody',
  description: '`{ refreshToken }`. The response is the same for anything else.',
  examples: [{ refreshToken: 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..c2VjcmV0.dGFn' }],
});

export const EmailResponse = z.object({ email: Email }).meta({
  id: 'EmailResponse',
  description: 'The email address of the request.',
  examples: [{ email: 'ada@example.com' }],
});

export const VerifiedEmail = z
  .object({
    email: Email,
    resetToken: z
      .string()
      .nullable()
      .describe(
        'Null if the password of the registration is valid, as usual. Otherwise the address was registered with ' +
          'several passwords, which were deleted; set a new one by `reset-password` with this token within 30 minutes.',
      ),
  })
  .meta({
    id: 'VerifiedEmail',
    description: 'The verified email address, and whether a new password has to be set.',
    examples: [
      { email: 'ada@example.com', resetToken: null },
      { email: 'ada@example.com', resetToken: 'vM3q0V2cZ8u1d6yP5nXbT7kR4wSjE9hLfGaQoIiUuYs' },
    ],
  });

export const TokenCheck = z.object({ valid: z.literal(true), expiresAt: Timestamp }).meta({
  id: 'TokenCheck',
  description: 'The token can still be used.',
  examples: [{ valid: true, expiresAt: '2026-11-21T10:00:00.000Z' }],
});

export const TokenPair = z.object({ accessToken: z.string(), refreshToken: z.string() }).meta({
  id: 'TokenPair',
  description:
    'Opaque tokens. The access token lasts 15 minutes, the refresh token 12 hours and one use.',
  examples: [{ accessToken: 'eyJhbGciOi..a', refreshToken: 'eyJhbGciOi..r' }],
});
export type TokenPair = z.infer<typeof TokenPair>;

export const SignedIn = z
  .object({ user: z.object({ id: Id, email: Email }), token: TokenPair })
  .meta({
    id: 'SignedIn',
    description: 'The signed-in user and the tokens of the new session.',
    examples: [
      {
        user: { id: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42', email: 'ada@example.com' },
        token: { accessToken: 'eyJhbGciOi..a', refreshToken: 'eyJhbGciOi..r' },
      },
    ],
  });

export const ConfirmBody = z
  .object({
    password: presentedSecret.optional(),
    secondFactor: SecondFactor.optional().describe('Beside a password, if the account has one.'),
    passkey: PasskeyAuthentication.optional().describe(
      'What a passkey of the account has signed, instead of the password. Needs no second factor.',
    ),
  })
  .refine(({ password, passkey }) => (password === undefined) !== (passkey === undefined), {
    error: 'Invalid confirmation: expected either `password` or `passkey`',
  })
  .meta({
    id: 'ConfirmBody',
    description: 'What only the person has whose session it is.',
    examples: [{ password: 'difference engine' }],
  });

export const Confirmation = z
  .object({ confirmedUntil: Timestamp.describe('How long operations that need it may be used.') })
  .meta({
    id: 'Confirmation',
    description: 'A session whose person has confirmed who they are.',
    examples: [{ confirmedUntil: '2026-11-21T09:40:00.000Z' }],
  });

export const RotatedTokens = z.object({ token: z.string(), refreshToken: z.string() }).meta({
  id: 'RotatedTokens',
  description: 'The new access token and the refresh token that replaces the presented one.',
  examples: [{ token: 'eyJhbGciOi..a', refreshToken: 'eyJhbGciOi..r' }],
});

export const auth = {
  register: endpoint({
    method: 'POST',
    path: '/api/auth/register',
    summary: 'Create an account',
    description:
      'Emails a link that verifies the address and invalidates earlier links. The response is the same for an address that is taken.',
    access: publicAccess,
    effect: 'change',
    rateLimit: 'register',
    idempotent: true,
    body: RegisterBody,
    success: created('Check your inbox to verify your email', EmailResponse),
    activity: 'user.register',
  }),
  verifyEmail: endpoint({
    method: 'POST',
    path: '/api/auth/verify-email',
    summary: 'Verify the email of a new account',
    description:
      'If the address was registered with different passwords, they are all deleted; use `resetToken` to set one.',
    access: publicAccess,
    effect: 'change',
    body: TokenBody,
    success: ok('Your email is verified', VerifiedEmail),
    errors: ['invalid_or_expired_token'],
    activity: 'user.verify_email',
  }),
  requestPasswordReset: endpoint({
    method: 'POST',
    path: '/api/auth/request-password-reset',
    summary: 'Request a password reset',
    description: 'Emails a link if the account exists. The response is always the same.',
    access: publicAccess,
    effect: 'change',
    rateLimit: 'password-reset',
    body: EmailBody,
    success: ok('If the account exists, a reset link is on its way', EmailResponse),
    activity: 'user.request_password_reset',
  }),
  resetPassword: endpoint({
    method: 'POST',
    path: '/api/auth/reset-password',
    summary: 'Change the password',
    description: 'Ends every session of the account. Also verifies a pending account.',
    access: publicAccess,
    effect: 'change',
    body: ResetPasswordBody,
    success: ok('Your password is changed', EmailResponse),
    errors: ['invalid_or_expired_token'],
    activity: 'user.reset_password',
  }),
  verifyToken: endpoint({
    method: 'GET',
    path: '/api/auth/verify-token',
    summary: 'Check a password-reset token',
    description: 'Read-only. The token can still be used.',
    access: publicAccess,
    query: z.object({ token: presentedToken }),
    success: ok('The token is valid', TokenCheck),
    errors: ['invalid_or_expired_token'],
  }),
  login: endpoint({
    method: 'POST',
    path: '/api/auth/login',
    summary: 'Sign in',
    description:
      'With the right password of an account that has a second factor, the response is `second_factor_required`, and its `errors` name the possible kinds. Send the same request with one.',
    access: publicAccess,
    effect: 'change',
    rateLimit: 'login',
    body: LoginBody,
    success: ok('You are logged-in successfully', SignedIn),
    errors: [
      'invalid_credentials',
      'second_factor_required',
      'second_factor_invalid',
      'account_pending',
      'account_suspended',
      'account_deletion_pending',
    ],
    activity: ['user.login', 'user.grant_admin', 'user.use_recovery_code'],
  }),
  passkeyChallenge: endpoint({
    method: 'POST',
    path: '/api/auth/passkeys/challenge',
    summary: 'Get a challenge for a sign-in with a passkey',
    description:
      'For `/api/auth/passkeys/login`, or for the second factor of another sign-in. The response says nothing about accounts.',
    isAddition: true,
    access: publicAccess,
    effect: 'change',
    success: ok('Use a passkey of this site', PasskeyRequestOptions),
  }),
  loginWithPasskey: endpoint({
    method: 'POST',
    path: '/api/auth/passkeys/login',
    summary: 'Sign in with a passkey alone',
    description:
      'The passkey has verified its user, so that neither a password nor a second factor is needed.',
    isAddition: true,
    access: publicAccess,
    effect: 'change',
    rateLimit: 'passkey-login',
    body: PasskeyLoginBody,
    success: ok('You are logged-in successfully', SignedIn),
    errors: ['passkey_invalid', 'account_suspended', 'account_deletion_pending'],
    activity: 'user.login',
  }),
  startGoogle: startSignIn('/api/auth/google', 'Google'),
  googleCallback: signInCallback('/api/auth/google/callback', 'Google'),
  startGithub: startSignIn('/api/auth/github', 'GitHub'),
  githubCallback: signInCallback('/api/auth/github/callback', 'GitHub'),
  exchange: endpoint({
    method: 'POST',
    path: '/api/auth/oauth/exchange',
    summary: 'Exchange the single-use code for a session',
    description:
      'The code of a sign-in with a `challenge` needs its `verifier`; any other code takes none. A code can still be used after a wrong verifier. For an account with a second factor the response is `second_factor_required`, and the code is good for `/api/auth/oauth/second-factor` only, for 5 minutes.',
    access: publicAccess,
    effect: 'change',
    body: ExchangeBody,
    success: ok('You are logged-in successfully', SignedIn),
    errors: ['second_factor_required', 'invalid_or_expired_code'],
    activity: ['user.login', 'user.grant_admin'],
  }),
  exchangeWithSecondFactor: endpoint({
    method: 'POST',
    path: '/api/auth/oauth/second-factor',
    summary: 'Complete a sign-in through a provider with the second factor',
    description: 'For a code whose exchange needs it; five tries.',
    isAddition: true,
    access: publicAccess,
    effect: 'change',
    body: SecondFactorTicketBody,
    success: ok('You are logged-in successfully', SignedIn),
    errors: ['second_factor_invalid', 'invalid_or_expired_code'],
    activity: ['user.login', 'user.grant_admin', 'user.use_recovery_code'],
  }),
  user: endpoint({
    method: 'GET',
    path: '/api/auth/user',
    summary: 'Get the authenticated user',
    access: userAccess,
    keys: 'account:read',
    etag: true,
    success: withoutMessage(User),
  }),
  confirm: endpoint({
    method: 'POST',
    path: '/api/auth/confirm',
    summary: 'Confirm who uses the session',
    description:
      'Operations that need it may be used for 10 minutes. Takes the password, and the second factor if the account has one; or a passkey alone, which signs a challenge of `/api/auth/user/passkeys/challenge`. Signing in with a password or passkey counts too; a refresh does not. An account without either gets a password by a password reset.',
    isAddition: true,
    access: userAccess,
    keys: 'refused',
    effect: 'change',
    rateLimit: 'confirm',
    body: ConfirmBody,
    success: ok('You have confirmed who you are', Confirmation),
    errors: [
      'invalid_credentials',
      'passkey_invalid',
      'second_factor_required',
      'second_factor_invalid',
    ],
    activity: ['user.confirm', 'user.use_recovery_code'],
  }),
  refresh: endpoint({
    method: 'POST',
    path: '/api/auth/refresh-token',
    summary: 'Rotate the refresh token',
    description:
      'A revoked token ends every session of its user, who is notified by email and `user.token_replay`. A repetition with the same `Idempotency-Key` gets the same tokens, for 10 minutes and until the new refresh token is used.',
    access: publicAccess,
    effect: 'change',
    rateLimit: 'refresh',
    secretKey: true,
    body: RefreshTokenBody,
    success: withoutMessage(RotatedTokens),
    errors: ['access_denied'],
  }),
  logout: endpoint({
    method: 'POST',
    path: '/api/auth/logout',
    summary: 'End the session of a refresh token',
    description: 'Always responds 200, which discloses nothing about the token.',
    access: publicAccess,
    effect: 'remove',
    rateLimit: 'none',
    body: LogoutBody,
    toleratesAnyBody: true,
    success: withoutData('You have been logged out'),
    activity: 'user.logout',
  }),
};
