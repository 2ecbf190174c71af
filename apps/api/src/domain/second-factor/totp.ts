import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Length of a step, in seconds. */
export const totpPeriodSeconds = 30;
const digits = 6;
const secretBytes = 20;
/** A step before and after the present one: clocks differ, and people are slow. */
const toleratedSteps = [-1, 0, 1] as const;

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** @returns 160 random bits, as long as the hash (RFC 4226, section 4) */
export function newTotpSecret(): Buffer {
  return randomBytes(secretBytes);
}

/**
 * Returns the code of a step (RFC 6238 with SHA-1).
 *
 * @param step - number of whole periods since 1970
 */
export function totpOf(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 0xf;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/**
 * Finds the step that a code belongs to. Compares all tolerated ones, so that timing doesn't tell which.
 *
 * @returns null for a code of none
 */
export function stepOf(secret: Buffer, code: string, now: Date): number | null {
  const presented = Buffer.from(code.replaceAll(/[\s-]/g, ''));
  const current = Math.floor(now.getTime() / 1000 / totpPeriodSeconds);
  let found: number | null = null;
  for (const offset of toleratedSteps) {
    const step = current + offset;
    const expected = Buffer.from(totpOf(secret, step));
    const isEqual = presented.length === expected.length && timingSafeEqual(presented, expected);
    if (isEqual) found = step;
  }
  return found;
}

/** Encodes a secret as people type it and as its address holds it: base32 without padding (RFC 4648). */
export function base32Of(secret: Buffer): string {
  let bits = 0;
  let pending = 0;
  let text = '';
  for (const byte of secret) {
    pending = ((pending << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += base32[(pending >> bits) & 31];
    }
  }
  return bits > 0 ? text + base32[(pending << (5 - bits)) & 31] : text;
}

/** Builds the address that authenticator apps read from a QR code. */
export function totpUri(secret: Buffer, account: string): string {
  const issuer = 'Atelier';
  const fields = new URLSearchParams({
    secret: base32Of(secret),
    issuer,
    algorithm: 'SHA1',
    digits: String(digits),
    period: String(totpPeriodSeconds),
  });
  return `otpauth://totp/${issuer}:${encodeURIComponent(account)}?${fields.toString()}`;
}
