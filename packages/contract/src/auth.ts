import { z } from 'zod/v4';
import { publicAccess, userAccess } from './access.ts';
import { endpoint } from './endpoint.ts';
import { created, ok, redirect, withoutData, withoutMessage } from './envelope.ts';
import { Email, Id, presigned, text, Timestamp, verbatimText } from './primitives.ts';

/** Lifetimes of every credential, in seconds. */
export const lifetimes = {
  accessTokenSeconds: 15 * 60,
  refreshTokenSeconds: 12 * 60 * 60,
  /** How long a refresh can be repeated under its `Idempotency-Key`. */
  refreshRepetitionSeconds: 10 * 60,
  exchangeCodeSeconds: 60,
  passwordResetTokenSeconds: 30 * 60,
  emailVerificationTokenSeconds: 24 * 60 * 60,
  /** How long a confirmation counts. */
  confirmationSeconds: 10 * 60,
} as const;

/** Errors of a sign-in through a provider: the `error` parameter of the redirect to the client, and what it means. */
export const signInErrors = {
  access_denied: 'The user declined at the provider.',
  invalid_state:
    'The sign-in was not started in this browser, took over 10 minutes, or has already returned.',
  provider_error: 'The provider refused, or its response could not be verified.',
  provider_unavailable: 'The provider is unavailable or slow. Try again later.',
  email_unverified: 'The provider has not verified the email address.',
  account_suspended: 'The account has been suspended.',
  server_error: 'The service failed. Try again later.',
} as const;

/** A key of {@link signInErrors}. */
export type SignInError = keyof typeof signInErrors;

export const accountStatuses = ['PENDING', 'VERIFIED', 'SUSPENDED'] as const;

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
    mailNotices: z.boolean().describe('Whether assignments and mentions are sent by email.'),
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
        personalOrganizationId: '019aa4f0-5c1e-7c00-8a51-0d9e2b7f6c11',
        createdAt: '2026-11-21T09:30:00.000Z',
        updatedAt: '2026-11-21T09:30:00.000Z',
      },
    ],
  });
export type User = z.infer<typeof User>;

const personName = text({ max: 80 });
const newPassword = verbatimText({ min: 8, max: 128 }).describe(
  '8 to 128 characters; not a common password, not the email.',
);
// Checks only the length: a wrong password and an impossible one get the same error.
const presentedSecret = verbatimText({ max: 1024 });
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

export const ResetPasswordBody = z.object({ token: presentedToken, password: newPassword }).meta({
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

export const ExchangeBody = z
  .object({
    code: verbatimText({ max: 1024 }),
    verifier: verbatimText({ min: 43, max: 128 })
      .optional()
      .describe('The secret behind the `challenge`, if the sign-in was started with one.'),
  })
  .meta({
    id: 'ExchangeBody',
    description:
      'The single-use code from the redirect, and the proof that this app started the sign-in.',
    examples: [
      {
        code: 'q1w2e3r4t5y6u7i8o9p0',
        verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      },
    ],
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

export const ConfirmBody = z.object({ password: presentedSecret }).meta({
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

// Invalid parameters count as absent: a browser that returns from the provider needs a redirect, not a 400.
const callbackParameter = verbatimText({ max: 4096 }).optional().catch(undefined);

const callbackQuery = z.object({
  code: callbackParameter,
  state: callbackParameter,
  error: callbackParameter.describe('Why the provider refused.'),
  iss: callbackParameter.describe('Issuer of the response, if the provider sends it (RFC 9207).'),
});

function startSignIn<const Path extends `/${string}`>(path: Path, provider: string) {
  return endpoint({
    method: 'GET',
    path,
    summary: `Start sign-in through ${provider}`,
    description: 'For browser navigation: redirects to the provider.',
    access: publicAccess,
    query: z.object({
      login_hint: text({ max: 254 }).optional().describe('Email to suggest to the provider.'),
      challenge: z
        .string()
        .regex(/^[\w-]{42}[AEIMQUYcgkosw048]$/, { error: 'expected a SHA-256 in base64url' })
        .optional()
        .describe(
          'SHA-256, in base64url, of a secret of the app that starts the sign-in (PKCE, S256). Only that secret, as `verifier`, exchanges the code.',
        ),
    }),
    success: redirect,
    errors: ['provider_not_configured'],
  });
}

function signInCallback<const Path extends `/${string}`>(path: Path, provider: string) {
  return endpoint({
    method: 'GET',
    path,
    summary: `${provider} callback`,
    description:
      'Redirects to `{app_url}/loading?code=…&is_new=…` with a code for one use within 60 seconds, or to `{app_url}/loading?error=…` with one of ' +
      `${Object.keys(signInErrors)
        .map((code) => `\`${code}\``)
        .join(', ')}.`,
    access: publicAccess,
    effect: 'change',
    query: callbackQuery,
    success: redirect,
    errors: ['provider_not_configured'],
    activity: ['user.register', 'user.link_identity'],
  });
}

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
    access: publicAccess,
    effect: 'change',
    rateLimit: 'login',
    body: LoginBody,
    success: ok('You are logged-in successfully', SignedIn),
    errors: ['invalid_credentials', 'account_pending', 'account_suspended'],
    activity: ['user.login', 'user.grant_admin'],
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
      'The code of a sign-in with a `challenge` needs its `verifier`; any other code takes none. A code can still be used after a wrong verifier.',
    access: publicAccess,
    effect: 'change',
    body: ExchangeBody,
    success: ok('You are logged-in successfully', SignedIn),
    errors: ['invalid_or_expired_code'],
    activity: ['user.login', 'user.grant_admin'],
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
      'Operations that need it may be used for 10 minutes. Signing in with a password counts too; a refresh does not. An account without a password gets one by a password reset.',
    isAddition: true,
    access: userAccess,
    keys: 'refused',
    effect: 'change',
    rateLimit: 'confirm',
    body: ConfirmBody,
    success: ok('You have confirmed who you are', Confirmation),
    errors: ['invalid_credentials'],
    activity: 'user.confirm',
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
