import { CompactEncrypt, decodeProtectedHeader, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { createKeys, type NamedKey } from './keys.ts';
import { createTokenCodec } from './tokens.ts';

const secret = 'a signing secret of the tests, long';
const envelopeKey = '0123456789abcdef'.repeat(4);
const keys = createKeys({ JWT_SECRETS: [secret], TOKEN_ENVELOPE_KEYS: [envelopeKey] });
const codec = createTokenCodec(keys);
const now = new Date('2026-11-21T09:30:00.500Z');
const claims = { userId: 'u', sessionId: 's', jti: 'j' };
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);

/** Names no key, like tokens from before keys had names. */
async function sealed(jwt: string, key = envelopeKey): Promise<string> {
  return new CompactEncrypt(new TextEncoder().encode(jwt))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(Uint8Array.from(Buffer.from(key, 'hex')));
}

function jwt(payload: Record<string, unknown> = {}, header = { alg: 'HS256' }, key = secret) {
  return new SignJWT({ sid: 's', typ: 'access', ...payload })
    .setProtectedHeader(header)
    .setSubject('u')
    .setJti('j')
    .setIssuer('atelier')
    .setAudience('atelier-api')
    .setIssuedAt(now)
    .setExpirationTime(later(900))
    .sign(new TextEncoder().encode(key));
}

/** Builds a token like the service's, with optional faults. */
async function named({
  signer = keys.tokenSignature.current,
  envelope = keys.tokenEncryption.current,
  signerId = signer.id,
  envelopeId = envelope.id,
}: {
  signer?: NamedKey;
  envelope?: NamedKey;
  signerId?: unknown;
  envelopeId?: unknown;
} = {}): Promise<string> {
  const signed = await new SignJWT({ sid: 's', typ: 'access' })
    .setProtectedHeader({ alg: 'HS256', ...(signerId !== null && { kid: signerId as string }) })
    .setSubject('u')
    .setJti('j')
    .setIssuer('atelier')
    .setAudience('atelier-api')
    .setIssuedAt(now)
    .setExpirationTime(later(900))
    .sign(signer.key.export());
  const kid = envelopeId !== null && { kid: envelopeId as string };
  return new CompactEncrypt(new TextEncoder().encode(signed))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', ...kid })
    .encrypt(new Uint8Array(envelope.key.export()));
}

describe('a token', () => {
  test('contains its subject and session, and is unique each time', async () => {
    const [first, second] = await Promise.all([
      codec.issue('access', claims, now),
      codec.issue('access', claims, now),
    ]);
    expect(first).not.toBe(second);
    expect(await codec.read('access', first, now)).toMatchObject(claims);
  });

  test.each([
    ['access', 900],
    ['refresh', 43_200],
  ] as const)('of type %s lives %i seconds by the clock it is given', async (type, seconds) => {
    const token = await codec.issue(type, claims, now);
    expect(await codec.read(type, token, later(seconds - 1))).not.toBeNull();
    expect(await codec.read(type, token, later(seconds))).toBeNull();
    // Also if the cryptographic result is cached, and if a clock was set back.
    expect(await codec.read(type, token, later(seconds + 60))).toBeNull();
    expect(await codec.read(type, token, later(-600))).not.toBeNull();
  });

  test('of one type is refused as the other', async () => {
    expect(await codec.read('refresh', await codec.issue('access', claims, now), now)).toBeNull();
    expect(await codec.read('access', await codec.issue('refresh', claims, now), now)).toBeNull();
  });

  test('names its keys, and contains nothing else that is readable', async () => {
    const token = await codec.issue('access', claims, now);
    expect(decodeProtectedHeader(token)).toEqual({
      alg: 'dir',
      enc: 'A256GCM',
      kid: keys.tokenEncryption.current.id,
    });
  });

  test('can be built by hand, which makes the refusals below meaningful', async () => {
    expect(await codec.read('access', await sealed(await jwt()), now)).toMatchObject(claims);
    expect(await codec.read('access', await named(), now)).toMatchObject(claims);
  });

  test.each([
    [
      'signed with another secret',
      async () => sealed(await jwt({}, { alg: 'HS256' }, 'x'.repeat(32))),
    ],
    [
      'signed with another algorithm',
      async () => sealed(await jwt({}, { alg: 'HS512' }, 'x'.repeat(64))),
    ],
    [
      'of HS512 with the right secret',
      async () => sealed(await jwt({}, { alg: 'HS512' }, secret.padEnd(64))),
    ],
    [
      'unsigned',
      async () => sealed(new UnsecuredJWT({ sid: 's', typ: 'access' }).setSubject('u').encode()),
    ],
    ['without a type', async () => sealed(await jwt({ typ: undefined }))],
    ['without a session', async () => sealed(await jwt({ sid: undefined }))],
    ['encrypted with another key', async () => sealed(await jwt(), 'f'.repeat(64))],
    ['not encrypted', async () => jwt()],
    [
      'signed with the key of another purpose',
      async () => named({ signer: keys.cursors.current, signerId: keys.tokenSignature.current.id }),
    ],
    ['naming the key of another purpose', async () => named({ signer: keys.cursors.current })],
    [
      'encrypted with the key of another purpose',
      async () =>
        named({
          envelope: keys.idempotencyResponses.current,
          envelopeId: keys.tokenEncryption.current.id,
        }),
    ],
    ['naming an unknown signing key', async () => named({ signerId: 'AAAAAAAA' })],
    ['naming an unknown envelope key', async () => named({ envelopeId: 'AAAAAAAA' })],
    ['naming a key by what is no name', async () => named({ envelopeId: 7 })],
    ['naming only its envelope key', async () => named({ signerId: null })],
    ['naming only its signing key', async () => named({ envelopeId: null })],
    [
      "of today's keys without their names",
      async () => named({ signerId: null, envelopeId: null }),
    ],
    ['empty', async () => ''],
    ['of four dots', async () => '....'],
  ])('%s is refused', async (_, make) => {
    const token = await make();
    expect(await codec.read('access', token, now)).toBeNull();
    expect(await codec.read('access', token, now)).toBeNull();
  });

  test.each(['issuer', 'audience'])('of another %s is refused', async (claim) => {
    const base = new SignJWT({ sid: 's', typ: 'access' })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject('u')
      .setJti('j')
      .setIssuer(claim === 'issuer' ? 'other' : 'atelier')
      .setAudience(claim === 'audience' ? 'other' : 'atelier-api')
      .setIssuedAt(now)
      .setExpirationTime(later(900));
    const token = await sealed(await base.sign(new TextEncoder().encode(secret)));
    expect(await codec.read('access', token, now)).toBeNull();
  });

  test('altered in any part is refused', async () => {
    const parts = (await codec.issue('access', claims, now)).split('.');
    for (const [index, part] of parts.entries()) {
      const altered = parts.with(
        index,
        part.startsWith('A') ? `B${part.slice(1)}` : `A${part.slice(1)}`,
      );
      expect(await codec.read('access', altered.join('.'), now)).toBeNull();
    }
  });
});

describe('after a change of keys', () => {
  const next = { secret: 'the next signing secret, also long', envelopeKey: 'f'.repeat(64) };
  const codecOf = (secrets: string[], envelopeKeys: string[]) =>
    createTokenCodec(createKeys({ JWT_SECRETS: secrets, TOKEN_ENVELOPE_KEYS: envelopeKeys }));
  const both = codecOf([next.secret, secret], [next.envelopeKey, envelopeKey]);

  test.each([
    ['the signing secret', codecOf([next.secret], [envelopeKey, next.envelopeKey])],
    ['the envelope key', codecOf([secret, next.secret], [next.envelopeKey])],
  ])('tokens remain valid until %s is removed', async (_, without) => {
    const older = [
      await codec.issue('refresh', claims, now),
      await sealed(await jwt({ typ: 'refresh' })),
    ];
    for (const token of older) {
      expect(await both.read('refresh', token, now)).toMatchObject(claims);
      expect(await without.read('refresh', token, now)).toBeNull();
    }
  });

  test('the first keys of the lists make the tokens', async () => {
    const token = await both.issue('access', claims, now);
    const only = codecOf([next.secret], [next.envelopeKey]);
    expect(await only.read('access', token, now)).toMatchObject(claims);
    expect(await codec.read('access', token, now)).toBeNull();
    const prepared = codecOf([secret, next.secret], [envelopeKey, next.envelopeKey]);
    expect(await prepared.read('access', token, now)).toMatchObject(claims);
  });
});
