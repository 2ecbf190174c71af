import { z } from 'zod/v4';
import { userAccess } from './access.ts';
import { endpoint } from './endpoint.ts';
import { created, ok } from './envelope.ts';
import { newPassword, presentedSecret } from './password-fields.ts';
import {
  AddedPasskey,
  AddPasskeyBody,
  Passkey,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  RemovedPasskey,
  RenamePasskeyBody,
} from './passkeys.ts';
import { Id, Timestamp, verbatimText } from './primitives.ts';
import { recoveryCodeCount, SecondFactor } from './second-factor.ts';
import { EndedSessions } from './sessions.ts';
import { ownTarget } from './targets.ts';

export const AccountSecurity = z
  .object({
    hasPassword: z.boolean(),
    passkeys: z.array(Passkey).describe('The oldest first.'),
    totp: z
      .object({ enabledAt: Timestamp })
      .nullable()
      .describe('One-time codes of an authenticator app; null if they are off.'),
    recoveryCodesLeft: z.int().min(0).describe('How many recovery codes still work.'),
    identities: z
      .array(z.object({ provider: z.enum(['google', 'github']), createdAt: Timestamp }))
      .describe('The sign-in providers that open this account.'),
    confirmedUntil: Timestamp.nullable().describe(
      'How long this session may use operations that need a confirmation; null if it may not.',
    ),
  })
  .meta({
    id: 'AccountSecurity',
    description: 'What protects the account, as its owner sees it.',
    examples: [
      {
        hasPassword: true,
        passkeys: [],
        totp: { enabledAt: '2026-11-21T09:30:00.000Z' },
        recoveryCodesLeft: 9,
        identities: [{ provider: 'google', createdAt: '2026-11-20T08:00:00.000Z' }],
        confirmedUntil: null,
      },
    ],
  });
export type AccountSecurity = z.infer<typeof AccountSecurity>;

export const TotpSecret = z
  .object({
    secret: z.string().describe('160 random bits in base32, to type into the app.'),
    uri: z.string().describe('The same as an `otpauth:` address, to draw as a QR code.'),
  })
  .meta({
    id: 'TotpSecret',
    description: 'The secret for an authenticator app. It is shown once, and not in use yet.',
    examples: [
      {
        secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
        uri: 'otpauth://totp/Atelier:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Atelier&algorithm=SHA1&digits=6&period=30',
      },
    ],
  });

export const EnableTotpBody = z
  .object({ code: verbatimText({ max: 64 }).describe('The six digits that the app shows.') })
  .meta({
    id: 'EnableTotpBody',
    description: 'The proof that the app has the secret.',
    examples: [{ code: '492039' }],
  });

export const RecoveryCodes = z
  .object({ recoveryCodes: z.array(z.string()).describe('Ten of them.') })
  .meta({
    id: 'RecoveryCodes',
    description:
      'Codes for a lost authenticator app or passkey. They are shown once; each works once.',
    examples: [
      {
        recoveryCodes: Array.from(
          { length: recoveryCodeCount },
          (_, index) => `7KQ2-9WXM-4T8C-HB3${index}`,
        ),
      },
    ],
  });

export const DisabledTotp = z.object({ totp: z.null() }).meta({
  id: 'DisabledTotp',
  description: 'One-time codes are off.',
  examples: [{ totp: null }],
});

/** The sign-in providers that an account can be connected to. */
const Provider = z.enum(['google', 'github']);

export const RemovedIdentity = z.object({ provider: Provider }).meta({
  id: 'RemovedIdentity',
  description: 'The sign-in provider that no longer opens the account.',
  examples: [{ provider: 'google' }],
});

export const ChangePasswordBody = z
  .object({
    currentPassword: presentedSecret,
    newPassword,
    secondFactor: SecondFactor.optional(),
    endOtherSessions: z.boolean().default(true).describe('Whether all sessions but this one end.'),
  })
  .meta({
    id: 'ChangePasswordBody',
    description: 'The present password, and the one to replace it.',
    examples: [{ currentPassword: 'difference engine', newPassword: 'analytical engine' }],
  });

export const security = {
  overview: endpoint({
    method: 'GET',
    path: '/api/auth/user/security',
    summary: 'Get what protects the account',
    isAddition: true,
    access: userAccess,
    keys: 'refused',
    success: ok('Account security retrieved', AccountSecurity),
  }),
  startTotp: endpoint({
    method: 'POST',
    path: '/api/auth/user/totp',
    summary: 'Get a secret for an authenticator app',
    description:
      'Nothing changes until a code of the app enables it; until then, an app that is in use keeps working. Each request makes another secret.',
    isAddition: true,
    access: userAccess,
    keys: 'refused',
    effect: 'change',
    confirmation: true,
    secretResponse: true,
    success: created('Scan the secret with your authenticator app', TotpSecret),
  }),
  enableTotp: endpoint({
    method: 'POST',
    path: '/api/auth/user/totp/enable',
    summary: 'Turn on one-time codes',
    description:
      'From now on, signing in and confirming take a second factor. Earlier recovery codes end, and other sessions have to confirm anew. If the response is lost, renew the recovery codes.',
    isAddition: true,
    access: userAccess,
    keys: 'refused',
    effect: 'change',
    confirmation: true,
    secretResponse: true,
    body: EnableTotpBody,
    success: ok('One-time codes are on', RecoveryCodes),
    errors: ['second_factor_invalid', 'not_found'],
    activity: 'user.enable_totp',
  }),
  disableTotp: endpoint({
    method: 'DELETE',
    path: '/api/auth/user/totp',
    summary: 'Turn off one-time codes',
    description:
      'Without a passkey, the recovery codes end too. The confirmation has taken the second factor.',
    isAddition: true,
    access: userAccess,
    keys: 'refused',
    effect: 'remove',
    confirmation: true,
    success: ok('One-time codes are off', DisabledTotp),
    errors: ['not_found'],
    activity: 'user.disable_totp',
  }),
  renewRecoveryCodes: endpoint({
    method: 'POST',
    path: '/api/auth/user/recovery-codes',
    summary: 'Replace the recovery codes',
    description: 'The old ones end. Only an account with one-time codes or a passkey has any.',
    isAddition: true,
    access: userAccess,
    keys: 'refused',
    effect: 'change',
    confirmation: true,
    secretResponse: true,
    success: created('Keep these recovery codes in a safe place', RecoveryCodes),
    errors: ['not_found'],
    activity: 'user.renew_recovery_codes',
  }),
  removeIdentity: endpoint({
    method: 'DELETE',
    path: '/api/auth/user/identities/:provider',
    summary: 'Disconnect a sign-in provider',
    description:
      'The provider no longer opens the account; sessions stay open. Signing in with it again connects it again if it vouches for the email of the account. `last_sign_in_method` if there would be no other way to sign in.',
    isAddition: true,
    access: userAccess,
    keys: 'refused',
    effect: 'remove',
    confirmation: true,
    pathParams: z.object({ provider: Provider }),
    success: ok('The provider is disconnected', RemovedIdentity),
    errors: ['not_found', 'last_sign_in_method'],
    activity: 'user.unlink_identity',
  }),
  changePassword: endpoint({
    method: 'PUT',
    path: '/api/auth/user/password',
    summary: 'Replace the password by another',
    description:
      'The session of the request stays open; mailed links to reset the password end. An account without a password gets one by a password reset.',
    isAddition: true,
    access: userAccess,
    keys: 'refused',
    effect: 'change',
    rateLimit: 'confirm',
    body: ChangePasswordBody,
    success: ok('Your password is changed', EndedSessions),
    errors: ['invalid_credentials', 'second_factor_required', 'second_factor_invalid'],
    activity: ['user.change_password', 'user.use_recovery_code'],
  }),
  passkeyChallenge: endpoint({
    method: 'POST',
    path: '/api/auth/user/passkeys/challenge',
    summary: 'Get a challenge for a passkey of the account',
    description:
      'For a confirmation, or as the second factor of another operation in this session. For a sign-in, take that of `/api/auth/passkeys/challenge`.',
    isAddition: true,
    access: userAccess,
    keys: 'refused',
    effect: 'change',
    success: ok('Use one of your passkeys', PasskeyRequestOptions),
  }),
  startPasskey: endpoint({
    method: 'POST',
    path: '/api/auth/user/passkeys/options',
    summary: 'Get what the browser needs to make a passkey',
    isAddition: true,
    access: userAccess,
    keys: 'refused',
    effect: 'change',
    confirmation: true,
    success: ok('Make a passkey', PasskeyCreationOptions),
    errors: ['too_many_passkeys'],
  }),
  addPasskey: endpoint({
    method: 'POST',
    path: '/api/auth/user/passkeys',
    summary: 'Add a passkey',
    description:
      'It signs in by itself, and is a second factor: from now on, signing in with a password takes one. Other sessions have to confirm anew. If the response is lost, `GET /api/auth/user/security` lists the passkey; renew the recovery codes then.',
    isAddition: true,
    access: userAccess,
    keys: 'refused',
    effect: 'change',
    confirmation: true,
    secretResponse: true,
    body: AddPasskeyBody,
    success: created('The passkey is added', AddedPasskey),
    errors: ['passkey_invalid', 'too_many_passkeys'],
    activity: 'user.add_passkey',
  }),
  renamePasskey: endpoint({
    method: 'PATCH',
    path: '/api/auth/user/passkeys/:id',
    summary: 'Rename a passkey',
    isAddition: true,
    access: userAccess,
    keys: 'refused',
    effect: 'change',
    pathParams: z.object({ id: Id }),
    targets: { 'params.id': ownTarget('passkey') },
    body: RenamePasskeyBody,
    success: ok('The passkey is renamed', Passkey),
    errors: ['not_found'],
  }),
  removePasskey: endpoint({
    method: 'DELETE',
    path: '/api/auth/user/passkeys/:id',
    summary: 'Remove a passkey',
    description:
      'It opens the account no longer. With the last second factor, the recovery codes end too. `last_sign_in_method` if there would be no other way to sign in.',
    isAddition: true,
    access: userAccess,
    keys: 'refused',
    effect: 'remove',
    confirmation: true,
    pathParams: z.object({ id: Id }),
    targets: { 'params.id': ownTarget('passkey') },
    success: ok('The passkey is removed', RemovedPasskey),
    errors: ['not_found', 'last_sign_in_method'],
    activity: 'user.remove_passkey',
  }),
};
