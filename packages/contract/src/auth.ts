import { z } from 'zod';
import { publicAccess, userAccess } from './access.ts';
import { endpoint } from './endpoint.ts';
import { created, ok, redirect, withoutData, withoutMessage } from './envelope.ts';
import { Email, Id, presigned, text, Timestamp, verbatimText } from './primitives.ts';

/** Lifetimes of every credential, in seconds. */
export const lifetimes = {
  accessTokenSeconds: 15 * 60,
  refreshTokenSeconds: 12 * 60 * 60,
  exchangeCodeSeconds: 60,
  passwordResetTokenSeconds: 30 * 60,
  emailVerificationTokenSeconds: 24 * 60 * 60,
} as const;

/** Why a sign-in through a provider failed: the `error` of the redirect to the client, and what it means. */
export const signInErrors = {
  access_denied: 'The person declined at the provider.',
  invalid_state:
    'The sign-in was not begun in this browser, took over 10 minutes, or came back before.',
  provider_error: 'The provider refused, or what it answered could not be verified.',
  provider_unavailable: 'The provider is away or slow; trying again later helps.',
  email_unverified: 'The provider does not vouch for the email address.',
  account_suspended: 'The account has been suspended.',
  server_error: 'The service failed; trying again later helps.',
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
          'Presigned address of the picture, valid for at least an hour; the same for a while, so that it can be cached.',
        ),
      ),
    accountStatus: z.enum(accountStatuses),
    platformRole: z.enum(['USER', 'ADMIN']),
    mailNotices: z.boolean().describe('Whether assignments and mentions are mailed.'),
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
// Bounded only: whether it is right is for the password check to say, with the one text for it.
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
  description: 'The token of a mailed link.',
  examples: [{ token: 'vM3q0V2cZ8u1d6yP5nXbT7kR4wSjE9hLfGaQoIiUuYs' }],
});

export const ResetPasswordBody = z.object({ token: presentedToken, password: newPassword }).meta({
  id: 'ResetPasswordBody',
  description: 'The token of a mailed link and the new password.',
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
  description: '`{ refreshToken }`. Anything else is answered the same.',
  examples: [{ refreshToken: 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..c2VjcmV0.dGFn' }],
});

export const ExchangeBody = z
  .object({
    code: verbatimText({ max: 1024 }),
    verifier: verbatimText({ min: 43, max: 128 })
      .optional()
      .describe('The secret that `challenge` was made of, where the sign-in began with one.'),
  })
  .meta({
    id: 'ExchangeBody',
    description: 'The single-use code of the redirect, and what proves who began the sign-in.',
    examples: [
      {
        code: 'q1w2e3r4t5y6u7i8o9p0',
        verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
      },
    ],
  });

export const EmailAnswer = z.object({ email: Email }).meta({
  id: 'EmailAnswer',
  description: 'The email address that was meant.',
  examples: [{ email: 'ada@example.com' }],
});

export const VerifiedEmail = z
  .object({
    email: Email,
    resetToken: z
      .string()
      .nullable()
      .describe(
        'Null as a rule: the password of the registration is good. Otherwise the address was registered with ' +
          'several passwords, which are gone, and `reset-password` takes this token, within 30 minutes, for a new one.',
      ),
  })
  .meta({
    id: 'VerifiedEmail',
    description: 'The email address that is verified, and whether a password is to be chosen.',
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
  description: 'Opaque tokens: access for 15 minutes, refresh for 12 hours and one use.',
  examples: [{ accessToken: 'eyJhbGciOi..a', refreshToken: 'eyJhbGciOi..r' }],
});
export type TokenPair = z.infer<typeof TokenPair>;

export const SignedIn = z
  .object({ user: z.object({ id: Id, email: Email }), token: TokenPair })
  .meta({
    id: 'SignedIn',
    description: 'Who signed in, and the tokens of the new session.',
    examples: [
      {
        user: { id: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42', email: 'ada@example.com' },
        token: { accessToken: 'eyJhbGciOi..a', refreshToken: 'eyJhbGciOi..r' },
      },
    ],
  });

export const RotatedTokens = z.object({ token: z.string(), refreshToken: z.string() }).meta({
  id: 'RotatedTokens',
  description: 'The new access token and the refresh token that replaces the presented one.',
  examples: [{ token: 'eyJhbGciOi..a', refreshToken: 'eyJhbGciOi..r' }],
});

// A parameter that is none counts as absent: a browser on its way back needs a redirect, not a 400.
const callbackParameter = verbatimText({ max: 4096 }).optional().catch(undefined);

const callbackQuery = z.object({
  code: callbackParameter,
  state: callbackParameter,
  error: callbackParameter.describe('Why the provider refused.'),
  iss: callbackParameter.describe('Issuer of the answer, where the provider names it (RFC 9207).'),
});

function startSignIn<const Path extends `/${string}`>(path: Path, provider: string) {
  return endpoint({
    method: 'GET',
    path,
    summary: `Begin sign-in through ${provider}`,
    description: 'For browser navigation: redirects to the provider.',
    access: publicAccess,
    query: z.object({
      login_hint: text({ max: 254 }).optional().describe('Email to suggest to the provider.'),
      challenge: z
        .string()
        .regex(/^[\w-]{42}[AEIMQUYcgkosw048]$/, { error: 'expected a SHA-256 in base64url' })
        .optional()
        .describe(
          'SHA-256, in base64url, of a secret of the app that begins the sign-in (PKCE, S256). Only that secret, as `verifier`, exchanges the code.',
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
      'Mails a link that verifies the address, and voids those mailed before. The answer is the same for an address that is taken.',
    access: publicAccess,
    rateLimit: 'register',
    idempotent: true,
    body: RegisterBody,
    success: created('Check your inbox to verify your email', EmailAnswer),
    activity: 'user.register',
  }),
  verifyEmail: endpoint({
    method: 'POST',
    path: '/api/auth/verify-email',
    summary: 'Verify the email of a new account',
    description:
      'An address that was registered with different passwords loses them all: `resetToken` is for choosing one.',
    access: publicAccess,
    body: TokenBody,
    success: ok('Your email is verified', VerifiedEmail),
    errors: ['invalid_or_expired_token'],
    activity: 'user.verify_email',
  }),
  requestPasswordReset: endpoint({
    method: 'POST',
    path: '/api/auth/request-password-reset',
    summary: 'Request a password reset',
    description: 'Mails a link when the account exists; the answer is always the same.',
    access: publicAccess,
    rateLimit: 'password-reset',
    body: EmailBody,
    success: ok('If the account exists, a reset link is on its way', EmailAnswer),
    activity: 'user.request_password_reset',
  }),
  resetPassword: endpoint({
    method: 'POST',
    path: '/api/auth/reset-password',
    summary: 'Change the password',
    description: 'Ends every session of the account. Also verifies an account that was pending.',
    access: publicAccess,
    body: ResetPasswordBody,
    success: ok('Your password is changed', EmailAnswer),
    errors: ['invalid_or_expired_token'],
    activity: 'user.reset_password',
  }),
  verifyToken: endpoint({
    method: 'GET',
    path: '/api/auth/verify-token',
    summary: 'Check a password-reset token',
    description: 'Read-only; does not use the token up.',
    access: publicAccess,
    query: z.object({ token: presentedToken }),
    success: ok('The token is valid', TokenCheck),
    errors: ['invalid_or_expired_token'],
  }),
  login: endpoint({
    method: 'POST',
    path: '/api/auth/login',
    summary: 'Log in',
    access: publicAccess,
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
    summary: 'Trade the single-use code for a session',
    description:
      'A code of a sign-in that began with a `challenge` takes the `verifier` of it, and one of any other sign-in takes none. A wrong one does not use the code up.',
    access: publicAccess,
    body: ExchangeBody,
    success: ok('You are logged-in successfully', SignedIn),
    errors: ['invalid_or_expired_code'],
    activity: ['user.login', 'user.grant_admin'],
  }),
  user: endpoint({
    method: 'GET',
    path: '/api/auth/user',
    summary: 'The authenticated user',
    access: userAccess,
    etag: true,
    success: withoutMessage(User),
  }),
  refresh: endpoint({
    method: 'POST',
    path: '/api/auth/refresh-token',
    summary: 'Rotate the refresh token',
    description:
      'The presented token is used up. Presenting a revoked one ends every session of its user, who is told by mail and by the activity `user.token_replay`.',
    access: publicAccess,
    rateLimit: 'refresh',
    body: RefreshTokenBody,
    success: withoutMessage(RotatedTokens),
    errors: ['access_denied'],
  }),
  logout: endpoint({
    method: 'POST',
    path: '/api/auth/logout',
    summary: 'End the session of a refresh token',
    description: 'Always 200, so that nothing is disclosed about the token.',
    access: publicAccess,
    rateLimit: 'none',
    body: LogoutBody,
    toleratesAnyBody: true,
    success: withoutData('You have been logged out'),
    activity: 'user.logout',
  }),
};
