import { z } from 'zod/v4';
import { Id, text, Timestamp, verbatimText } from './primitives.ts';

/** Maximum number of passkeys of an account. */
export const maxPasskeys = 10;

/** Bytes in base64url, without padding. */
function base64Url({ max }: { max: number }) {
  return z
    .string()
    .max(max)
    .regex(/^[\w-]+$/, { error: 'Invalid input: expected base64url' });
}

const credentialId = base64Url({ max: 1364 });
const publicKeyType = z.literal('public-key');
const transports = z.array(verbatimText({ max: 32 })).max(10);
const descriptor = z.object({
  id: credentialId,
  type: publicKeyType,
  transports: z.array(z.string()),
});
const descriptors = z.array(descriptor);
const challenge = z.string().describe('32 random bytes in base64url. Valid for 5 minutes, once.');
const timeout = z.int().describe('How long the browser may ask, in milliseconds.');
const userVerification = z.literal('required');

const exampleId = 'mVQ3xKpGgE2bLr0fOa7t1g';
const exampleChallenge = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const exampleClientData = 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0';

export const PasskeyRequestOptions = z
  .object({
    challenge,
    timeout,
    rpId: z.string(),
    allowCredentials: descriptors.describe(
      'The passkeys to choose from. Empty: any that the device has for this site.',
    ),
    userVerification,
  })
  .meta({
    id: 'PasskeyRequestOptions',
    description:
      'Input of `PublicKeyCredential.parseRequestOptionsFromJSON`, for `navigator.credentials.get`.',
    examples: [
      {
        challenge: exampleChallenge,
        timeout: 300_000,
        rpId: 'atelier.example.com',
        allowCredentials: [],
        userVerification: 'required',
      },
    ],
  });
export type PasskeyRequestOptions = z.infer<typeof PasskeyRequestOptions>;

export const PasskeyCreationOptions = z
  .object({
    challenge,
    timeout,
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({
      id: z.string().describe('16 bytes in base64url. Passkeys return it as `userHandle`.'),
      name: z.string(),
      displayName: z.string(),
    }),
    pubKeyCredParams: z.array(z.object({ type: publicKeyType, alg: z.int() })),
    excludeCredentials: descriptors.describe('The passkeys that the account has already.'),
    authenticatorSelection: z.object({
      residentKey: z.literal('required'),
      requireResidentKey: z.literal(true),
      userVerification,
    }),
    attestation: z.literal('none'),
  })
  .meta({
    id: 'PasskeyCreationOptions',
    description:
      'Input of `PublicKeyCredential.parseCreationOptionsFromJSON`, for `navigator.credentials.create`.',
    examples: [
      {
        challenge: exampleChallenge,
        timeout: 300_000,
        rp: { id: 'atelier.example.com', name: 'Atelier' },
        user: {
          id: 'AZqk8Fwees2dL28fDHqeQg',
          name: 'ada@example.com',
          displayName: 'Ada Lovelace',
        },
        pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
        excludeCredentials: [],
        authenticatorSelection: {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
        },
        attestation: 'none',
      },
    ],
  });
export type PasskeyCreationOptions = z.infer<typeof PasskeyCreationOptions>;

export const PasskeyAuthentication = z
  .object({
    id: credentialId,
    type: publicKeyType,
    response: z.object({
      clientDataJSON: base64Url({ max: 4096 }),
      authenticatorData: base64Url({ max: 4096 }),
      signature: base64Url({ max: 2048 }),
      userHandle: base64Url({ max: 128 }).optional(),
    }),
  })
  .meta({
    id: 'PasskeyAuthentication',
    description: '`toJSON()` of the credential that `navigator.credentials.get` returns.',
    examples: [
      {
        id: exampleId,
        type: 'public-key',
        response: {
          clientDataJSON: exampleClientData,
          authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
          signature: 'MEUCIQDqZxk4',
          userHandle: 'AZqk8Fwees2dL28fDHqeQg',
        },
      },
    ],
  });
export type PasskeyAuthentication = z.infer<typeof PasskeyAuthentication>;

export const PasskeyRegistration = z
  .object({
    id: credentialId,
    type: publicKeyType,
    response: z.object({
      clientDataJSON: base64Url({ max: 4096 }),
      attestationObject: base64Url({ max: 8192 }),
      transports: transports.optional(),
    }),
  })
  .meta({
    id: 'PasskeyRegistration',
    description: '`toJSON()` of the credential that `navigator.credentials.create` returns.',
    examples: [
      {
        id: exampleId,
        type: 'public-key',
        response: {
          clientDataJSON: exampleClientData,
          attestationObject: 'o2NmbXRkbm9uZQ',
          transports: ['internal', 'hybrid'],
        },
      },
    ],
  });
export type PasskeyRegistration = z.infer<typeof PasskeyRegistration>;

const passkeyName = text({ max: 80 }).describe('What its owner calls it.');

export const Passkey = z
  .object({
    id: Id,
    name: z.string(),
    isBackedUp: z
      .boolean()
      .describe('Whether it is synchronized, so that it outlives the device that made it.'),
    createdAt: Timestamp,
    lastUsedAt: Timestamp.nullable(),
  })
  .meta({
    id: 'Passkey',
    description: 'A passkey of an account.',
    examples: [
      {
        id: '019aa4f6-2b1c-7d4e-9a3f-1c2d3e4f5a6b',
        name: 'Telephone',
        isBackedUp: true,
        createdAt: '2026-11-21T09:30:00.000Z',
        lastUsedAt: null,
      },
    ],
  });
export type Passkey = z.infer<typeof Passkey>;

export const AddedPasskey = Passkey.extend({
  recoveryCodes: z
    .array(z.string())
    .nullable()
    .describe('Ten of them if the account had none, shown once; otherwise null.'),
}).meta({
  id: 'AddedPasskey',
  description: 'The new passkey, and the recovery codes for the case that it is lost.',
  examples: [
    {
      id: '019aa4f6-2b1c-7d4e-9a3f-1c2d3e4f5a6b',
      name: 'Telephone',
      isBackedUp: true,
      createdAt: '2026-11-21T09:30:00.000Z',
      lastUsedAt: null,
      recoveryCodes: null,
    },
  ],
});

export const AddPasskeyBody = z.object({ name: passkeyName, response: PasskeyRegistration }).meta({
  id: 'AddPasskeyBody',
  description: 'A passkey that the browser has just made.',
  examples: [
    {
      name: 'Telephone',
      response: {
        id: exampleId,
        type: 'public-key',
        response: { clientDataJSON: exampleClientData, attestationObject: 'o2NmbXRkbm9uZQ' },
      },
    },
  ],
});

export const RenamePasskeyBody = z.object({ name: passkeyName }).meta({
  id: 'RenamePasskeyBody',
  description: 'Another name.',
  examples: [{ name: 'Old telephone' }],
});

export const RemovedPasskey = z.object({ id: Id }).meta({
  id: 'RemovedPasskey',
  description: 'The passkey that was removed.',
  examples: [{ id: '019aa4f6-2b1c-7d4e-9a3f-1c2d3e4f5a6b' }],
});

export const PasskeyLoginBody = z.object({ response: PasskeyAuthentication }).meta({
  id: 'PasskeyLoginBody',
  description: 'What a passkey has signed.',
  examples: [
    {
      response: {
        id: exampleId,
        type: 'public-key',
        response: {
          clientDataJSON: exampleClientData,
          authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
          signature: 'MEUCIQDqZxk4',
          userHandle: 'AZqk8Fwees2dL28fDHqeQg',
        },
      },
    },
  ],
});
