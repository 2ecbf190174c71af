import { createHmac } from 'node:crypto';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const periodMs = 30_000;

/**
 * Returns the code that an authenticator app shows (RFC 6238).
 *
 * @param secret - in base32
 * @param offset - of the step, from the present one
 */
export function totpOf(secret: string, offset: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / periodMs) + offset));
  const mac = createHmac('sha1', bytesOf(secret)).update(counter).digest();
  const number = mac.readUInt32BE(mac.readUInt8(19) & 15) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/** Returns a code of none of the steps around now. */
export function wrongTotpOf(secret: string): string {
  const right = new Set([-2, -1, 0, 1, 2].map((offset) => totpOf(secret, offset)));
  const codes = ['000000', '000001', '000002', '000003', '000004', '000005'];
  return codes.find((code) => !right.has(code)) ?? '';
}

function bytesOf(base32: string): Buffer {
  const bits = Array.from(base32, (one) => alphabet.indexOf(one).toString(2).padStart(5, '0'));
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
