import { CompactEncrypt, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { createTokenCodec } from './tokens.ts';

const secret = 'a signing secret of the tests, long';
const envelopeKey = '0123456789abcdef'.repeat(4);
const codec = createTokenCodec(secret, envelopeKey);
const now = new Date('2026-11-21T09:30:00.500Z');
const claims = { userId: 'u', sessionId: 's', jti: 'j' };
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);

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

describe('a token', () => {
  test('says what it was issued for, and is another one each time', async () => {
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
    // Also when the arithmetic is remembered, and when a clock was set back.
    expect(await codec.read(type, token, later(seconds + 60))).toBeNull();
    expect(await codec.read(type, token, later(-600))).not.toBeNull();
  });

  test('of one type is refused as the other', async () => {
    expect(await codec.read('refresh', await codec.issue('access', claims, now), now)).toBeNull();
    expect(await codec.read('access', await codec.issue('refresh', claims, now), now)).toBeNull();
  });

  test('can be made by hand, so that the refusals below mean something', async () => {
    expect(await codec.read('access', await sealed(await jwt()), now)).toMatchObject(claims);
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
