import { SoftwareAuthenticator, type PasskeyFlaws } from '@atelier/conformance';
import { expect } from 'vitest';
import { call, type TestApi, type TestResponse } from './api.ts';

interface Caller {
  readonly token: string;
}

/** The `APP_URL` of tests. */
export const appOrigin = 'https://app.example.com';

/** Requests options for a new passkey, and lets a device make it. */
export async function madePasskey(
  api: TestApi,
  { token }: Caller,
  device: SoftwareAuthenticator,
  flaws?: PasskeyFlaws,
) {
  const options = await call(api, 'security.startPasskey', { token });
  expect([options.status, options.body.code]).toEqual([200, undefined]);
  return device.create(options.body.data, flaws);
}

/** Adds a passkey in a session that was just confirmed. @returns the device, and the response's data */
export async function addPasskey(
  api: TestApi,
  { token }: Caller,
  device = new SoftwareAuthenticator(appOrigin),
) {
  const body = { name: 'Telephone', response: await madePasskey(api, { token }, device) };
  const added = await call(api, 'security.addPasskey', { token, body });
  expect([added.status, added.body.code]).toEqual([201, undefined]);
  return { device, passkey: added.body.data };
}

/** Lets a device sign a challenge for a sign-in. */
export async function signedForSignIn(
  api: TestApi,
  device: SoftwareAuthenticator,
  flaws?: PasskeyFlaws,
) {
  const { body } = await call(api, 'auth.passkeyChallenge');
  return device.get(body.data, flaws);
}

/** Lets a device sign a challenge of a session. */
export async function signedInSession(
  api: TestApi,
  { token }: Caller,
  device: SoftwareAuthenticator,
  flaws?: PasskeyFlaws,
) {
  const { body } = await call(api, 'security.passkeyChallenge', { token });
  return device.get(body.data, flaws);
}

/** Signs in with a passkey alone. */
export async function signInWithPasskey(
  api: TestApi,
  device: SoftwareAuthenticator,
  flaws?: PasskeyFlaws,
): Promise<TestResponse> {
  const response = await signedForSignIn(api, device, flaws);
  return call(api, 'auth.loginWithPasskey', { body: { response } });
}
