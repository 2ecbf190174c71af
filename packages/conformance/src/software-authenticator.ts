import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import type {
  PasskeyAuthentication,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyRequestOptions,
} from '@atelier/contract';

/** What a response says differently from what it should, for tests of refusals. */
export interface PasskeyFlaws {
  /** Default: the origin of the authenticator. */
  readonly origin?: string;
  /** Default: that of the options. */
  readonly challenge?: string;
  /** Default: that of the options. */
  readonly rpId?: string;
  /** Default: `webauthn.create` or `webauthn.get`. */
  readonly type?: string;
  /** Default: false. */
  readonly crossOrigin?: boolean;
  /** Default: true. */
  readonly isUserVerified?: boolean;
  /** How often the passkey was used. Default: one more than last time. */
  readonly counter?: number;
  /** Null: none. Default: that of the registration. */
  readonly userHandle?: string | null;
  /** The attestation format and its statement in CBOR. Default: none. */
  readonly attestation?: { readonly format: string; readonly statement: Buffer };
}

interface StoredKey {
  readonly id: Buffer;
  readonly privateKey: KeyObject;
  readonly userHandle: string;
  counter: number;
}

const flags = { present: 1, verified: 4, mayBeBackedUp: 8, isBackedUp: 16, hasCredential: 64 };

/** Keeps one passkey in memory and signs as a browser's authenticator does. For tests only: it asks nobody. */
export class SoftwareAuthenticator {
  readonly #origin: string;
  readonly #algorithm: 'ES256' | 'Ed25519';
  #key: StoredKey | null = null;

  constructor(origin: string, algorithm: 'ES256' | 'Ed25519' = 'ES256') {
    this.#origin = origin;
    this.#algorithm = algorithm;
  }

  /** Makes a passkey in the place of the one before. */
  create(options: PasskeyCreationOptions, flaws: PasskeyFlaws = {}): PasskeyRegistration {
    const { publicKey, privateKey } =
      this.#algorithm === 'ES256'
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
        : generateKeyPairSync('ed25519');
    const id = randomBytes(16);
    this.#key = { id, privateKey, userHandle: options.user.id, counter: flaws.counter ?? 0 };
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const credential = [Buffer.alloc(16), length, id, coseOf(publicKey.export({ format: 'jwk' }))];
    const rpId = flaws.rpId ?? options.rp.id;
    const authData = Buffer.concat([
      authenticatorData(rpId, flags.hasCredential, { ...flaws, counter: this.#key.counter }),
      ...credential,
    ]);
    const { format, statement } = flaws.attestation ?? { format: 'none', statement: cborMap([]) };
    const attestationObject = cborMap([
      [cborText('fmt'), cborText(format)],
      [cborText('attStmt'), statement],
      [cborText('authData'), cborBytes(authData)],
    ]);
    return {
      id: id.toString('base64url'),
      type: 'public-key',
      response: {
        clientDataJSON: this.#clientData('webauthn.create', options, flaws).toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /** Signs a challenge. @throws Error without a passkey */
  get(options: PasskeyRequestOptions, flaws: PasskeyFlaws = {}): PasskeyAuthentication {
    const key = this.#key;
    if (!key) throw new Error('the authenticator has no passkey yet');
    key.counter = flaws.counter ?? key.counter + 1;
    const authData = authenticatorData(flaws.rpId ?? options.rpId, 0, {
      ...flaws,
      counter: key.counter,
    });
    const clientData = this.#clientData('webauthn.get', options, flaws);
    const signed = Buffer.concat([authData, sha256(clientData)]);
    const digest = this.#algorithm === 'ES256' ? 'sha256' : null;
    const { userHandle = key.userHandle } = flaws;
    return {
      id: key.id.toString('base64url'),
      type: 'public-key',
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign(digest, signed, key.privateKey).toString('base64url'),
        ...(userHandle !== null && { userHandle }),
      },
    };
  }

  #clientData(
    type: string,
    { challenge }: Pick<PasskeyRequestOptions, 'challenge'>,
    flaws: PasskeyFlaws,
  ): Buffer {
    const { crossOrigin = false } = flaws;
    return Buffer.from(
      JSON.stringify({
        type: flaws.type ?? type,
        challenge: flaws.challenge ?? challenge,
        origin: flaws.origin ?? this.#origin,
        crossOrigin,
      }),
    );
  }
}

function authenticatorData(
  rpId: string,
  more: number,
  { isUserVerified = true, counter }: PasskeyFlaws & { readonly counter: number },
): Buffer {
  const verified = isUserVerified ? flags.verified : 0;
  const fixed = Buffer.alloc(5);
  fixed.writeUInt8(flags.present | flags.mayBeBackedUp | flags.isBackedUp | verified | more);
  fixed.writeUInt32BE(counter, 1);
  return Buffer.concat([sha256(Buffer.from(rpId)), fixed]);
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** Returns a public key in COSE (RFC 9053). */
function coseOf({ kty, x = '', y = '' }: { kty?: string; x?: string; y?: string }): Buffer {
  const coordinate = (value: string) => cborBytes(Buffer.from(value, 'base64url'));
  const entries: [number, Buffer][] =
    kty === 'EC'
      ? [
          [1, cborInteger(2)],
          [3, cborInteger(-7)],
          [-1, cborInteger(1)],
          [-2, coordinate(x)],
          [-3, coordinate(y)],
        ]
      : [
          [1, cborInteger(1)],
          [3, cborInteger(-8)],
          [-1, cborInteger(6)],
          [-2, coordinate(x)],
        ];
  return cborMap(entries.map(([label, value]) => [cborInteger(label), value]));
}

function cborInteger(value: number): Buffer {
  return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value);
}

function cborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([cborHead(2, bytes.length), bytes]);
}

function cborText(text: string): Buffer {
  return Buffer.concat([cborHead(3, Buffer.byteLength(text)), Buffer.from(text)]);
}

/** Of encoded entries. */
function cborMap(entries: readonly (readonly [Buffer, Buffer])[]): Buffer {
  return Buffer.concat([cborHead(5, entries.length), ...entries.flat()]);
}

/** Of values below 65,536. */
function cborHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 256) return Buffer.from([(major << 5) | 24, value]);
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}
