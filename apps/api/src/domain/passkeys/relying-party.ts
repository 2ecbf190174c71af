import {
  lifetimes,
  type PasskeyAuthentication,
  type PasskeyCreationOptions,
  type PasskeyRegistration,
  type PasskeyRequestOptions,
} from '@atelier/contract';
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import { decodeAttestationObject, isoBase64URL } from '@simplewebauthn/server/helpers';
import type { Deps } from '../../deps.ts';

/** Ed25519, ES256 and RS256. */
const algorithms = [-8, -7, -257];
const timeout = lifetimes.passkeyChallengeSeconds * 1000;

interface StoredPasskey {
  readonly credentialId: Buffer;
  readonly transports: readonly string[];
}

interface Account {
  readonly id: string;
  readonly email: string;
  readonly displayName: string;
}

/** What is stored of a new passkey. */
export interface VerifiedPasskey {
  readonly credentialId: Buffer;
  /** In COSE. */
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly isBackedUp: boolean;
}

/** A passkey's signature that is right. */
export interface VerifiedSignature {
  readonly counter: number;
  readonly isBackedUp: boolean;
}

/** The service as passkeys know it: the host and the origin of `APP_URL`, whatever a request says. */
export function relyingParty({ config }: Pick<Deps, 'config'>) {
  const { hostname: rpId, origin } = new URL(config.APP_URL);
  const expected = {
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
  };

  return {
    creationOptions(
      challenge: string,
      { id, email, displayName }: Account,
      known: readonly StoredPasskey[],
    ): PasskeyCreationOptions {
      return {
        challenge,
        timeout,
        rp: { id: rpId, name: 'Atelier' },
        user: { id: userHandleOf(id), name: email, displayName },
        pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
        excludeCredentials: known.map(descriptorOf),
        authenticatorSelection: {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
        },
        attestation: 'none',
      };
    },

    /** @param known - the passkeys to choose from; none: the browser offers those that it has for the site */
    requestOptions(challenge: string, known: readonly StoredPasskey[]): PasskeyRequestOptions {
      const allowCredentials = known.map(descriptorOf);
      return { challenge, timeout, rpId, allowCredentials, userVerification: 'required' };
    },

    /** @returns null if anything of it is wrong */
    async verifyRegistration(
      { id, type, response }: PasskeyRegistration,
      expectedChallenge: string,
    ): Promise<VerifiedPasskey | null> {
      return unlessRefused(async () => {
        const { clientDataJSON, attestationObject } = response;
        if (isFramed(clientDataJSON) || !isPlain(attestationObject)) return null;
        const attested = { clientDataJSON, attestationObject };
        const { verified, registrationInfo } = await verifyRegistrationResponse({
          response: { id, rawId: id, type, response: attested, clientExtensionResults: {} },
          expectedChallenge,
          supportedAlgorithmIDs: algorithms,
          ...expected,
        });
        if (!verified || registrationInfo.credential.id !== id) return null;
        const { credential, credentialBackedUp } = registrationInfo;
        return {
          credentialId: Buffer.from(id, 'base64url'),
          publicKey: Buffer.from(credential.publicKey),
          counter: credential.counter,
          isBackedUp: credentialBackedUp,
        };
      });
    },

    /** @returns null if anything of it is wrong; the caller compares the counter */
    async verifySignature(
      { id, type, response }: PasskeyAuthentication,
      expectedChallenge: string,
      passkey: { readonly userId: string; readonly publicKey: Buffer },
    ): Promise<VerifiedSignature | null> {
      const { userHandle, ...signed } = response;
      if (userHandle !== undefined && userHandle !== userHandleOf(passkey.userId)) return null;
      return unlessRefused(async () => {
        if (isFramed(signed.clientDataJSON)) return null;
        const { verified, authenticationInfo } = await verifyAuthenticationResponse({
          response: { id, rawId: id, type, response: signed, clientExtensionResults: {} },
          expectedChallenge,
          // The library compares it before the signature: anyone could make a wrong counter look like a copied passkey.
          credential: { id, publicKey: Uint8Array.from(passkey.publicKey), counter: 0 },
          ...expected,
        });
        if (!verified) return null;
        return {
          counter: authenticationInfo.newCounter,
          isBackedUp: authenticationInfo.credentialBackedUp,
        };
      });
    },
  };
}

/** The library throws for whatever is wrong. */
async function unlessRefused<Result>(verify: () => Promise<Result | null>) {
  try {
    return await verify();
  } catch {
    return null;
  }
}

/** The app is never framed by another site. */
function isFramed(clientData: string): boolean {
  const parsed = JSON.parse(isoBase64URL.toUTF8String(clientData)) as { crossOrigin?: unknown };
  return parsed.crossOrigin === true;
}

/**
 * Whether an attestation is none, or by the passkey's own key. The options ask for no other, and certificates of a
 * request would be followed to where they point.
 */
function isPlain(attestationObject: string): boolean {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const format = attestation.get('fmt');
  return (
    format === 'none' ||
    (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
  );
}

function descriptorOf({ credentialId, transports }: StoredPasskey) {
  const id = credentialId.toString('base64url');
  return { id, type: 'public-key' as const, transports: [...transports] };
}

/** The bytes of the account's id: they say nothing about the person, and stay the same for all passkeys of the account. */
function userHandleOf(userId: string): string {
  return Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url');
}
