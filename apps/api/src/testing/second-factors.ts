import { expect } from 'vitest';
import { totpOf, totpPeriodSeconds } from '../domain/second-factor/totp.ts';
import { call, type Reachable, type TestApi } from './api.ts';

/** An authenticator app of a test, and the recovery codes that came with it. */
export interface Authenticator {
  readonly secret: Buffer;
  readonly recoveryCodes: readonly string[];
  /** The code that turned it on. */
  readonly firstCode: string;
}

type Timed = Pick<TestApi, 'clock'>;

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Reads the secret that the service shows. */
export function secretIn(shown: string): Buffer {
  const bits = Array.from(shown, (digit) => base32.indexOf(digit).toString(2).padStart(5, '0'));
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** Returns the present code, or that of a step before or after. */
export function codeOf(secret: Buffer, { clock }: Timed, offset = 0): string {
  const step = Math.floor(clock.now().getTime() / 1000 / totpPeriodSeconds);
  return totpOf(secret, step + offset);
}

/** Waits for a code that the service has not seen. */
export function nextTotp(secret: Buffer, api: Timed) {
  api.clock.advance({ seconds: totpPeriodSeconds });
  return { kind: 'totp', code: codeOf(secret, api) } as const;
}

/** A code of none of the steps around now. */
export function wrongTotp(secret: Buffer, api: Timed) {
  const right = new Set([-2, -1, 0, 1, 2].map((offset) => codeOf(secret, api, offset)));
  const codes = ['000000', '000001', '000002', '000003', '000004', '000005'];
  return { kind: 'totp', code: codes.find((code) => !right.has(code)) } as const;
}

/** Turns on one-time codes in a session that was just confirmed. */
export async function enrol(
  api: Reachable & Timed,
  { token }: { readonly token: string },
): Promise<Authenticator> {
  const started = await call(api, 'security.startTotp', { token });
  expect(started.status).toBe(201);
  const secret = secretIn(started.body.data.secret);
  const body = { code: codeOf(secret, api) };
  const enabled = await call(api, 'security.enableTotp', { token, body });
  expect([enabled.status, enabled.body.code]).toEqual([200, undefined]);
  return { secret, recoveryCodes: enabled.body.data.recoveryCodes, firstCode: body.code };
}
