import { startMock } from '@atelier/mock';
import { afterEach, expect, test, vi } from 'vitest';
import { createClient, memoryTokens } from './index.ts';
import {
  addPasskey,
  confirmWithPasskey,
  passkeyAutofillSupported,
  passkeyForSignIn,
  passkeyInSession,
  passkeysSupported,
  signInWithAutofill,
  signInWithPasskey,
} from './passkeys.ts';
import { failure, startService, success, type Reply } from './testing/service.ts';

const encoded = (value: string | Uint8Array) => Buffer.from(value).toString('base64url');

interface Asked {
  readonly publicKey: { readonly challenge: string };
  readonly signal: AbortSignal;
  readonly mediation?: string;
}

/** Replaces the browser's part. @param origin - of the page */
function stubBrowser(origin: string) {
  const asked: Asked[] = [];
  let userHandle = '';
  let counter = 0;
  const clientData = (type: string, challenge: string) =>
    encoded(JSON.stringify({ type, challenge, origin }));
  class FakeCredential {
    static readonly parseCreationOptionsFromJSON = (options: unknown) => options;
    static readonly parseRequestOptionsFromJSON = (options: unknown) => options;
    static readonly isConditionalMediationAvailable = async () => true;
    readonly response: object;
    constructor(response: object) {
      this.response = response;
    }
    toJSON() {
      return { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: this.response };
    }
  }
  const credentials = {
    async create({ publicKey }: { publicKey: { challenge: string; user: { id: string } } }) {
      userHandle = publicKey.user.id;
      const clientDataJSON = clientData('webauthn.create', publicKey.challenge);
      return new FakeCredential({ clientDataJSON, attestationObject: 'oA', transports: [] });
    },
    async get(options: Asked) {
      asked.push(options);
      options.signal.throwIfAborted();
      const authenticatorData = new Uint8Array(37);
      authenticatorData[32] = 5;
      authenticatorData[36] = counter += 1;
      return new FakeCredential({
        clientDataJSON: clientData('webauthn.get', options.publicKey.challenge),
        authenticatorData: encoded(authenticatorData),
        signature: 'AAAA',
        userHandle,
      });
    },
  };
  vi.stubGlobal('PublicKeyCredential', FakeCredential);
  vi.stubGlobal('navigator', { credentials });
  return { asked, credentials };
}

/** Waits for its signal, as a browser waits for the person. */
const waiting = ({ signal }: Asked) =>
  new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
  });

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('a browser without passkeys is told from one with them', async () => {
  vi.stubGlobal('PublicKeyCredential', undefined);
  expect([passkeysSupported(), await passkeyAutofillSupported()]).toEqual([false, false]);
  // Without the functions for JSON.
  vi.stubGlobal('PublicKeyCredential', Map);
  expect([passkeysSupported(), await passkeyAutofillSupported()]).toEqual([false, false]);
  stubBrowser('https://app.example.com');
  expect([passkeysSupported(), await passkeyAutofillSupported()]).toEqual([true, true]);
});

test('a passkey is added, signs in, confirms, and is a second factor', async () => {
  await using mock = await startMock();
  const { asked } = stubBrowser(new URL(mock.url).origin);
  const store = memoryTokens();
  const api = createClient({ baseUrl: mock.url, tokens: store });
  const body = { email: 'ada@example.com', password: 'difference engine' };
  await api.auth.login({ body });
  const added = await addPasskey(api, { name: 'Telephone' });
  expect(added.recoveryCodes).toHaveLength(10);
  await confirmWithPasskey(api);
  const secondFactor = await passkeyInSession(api);
  const newPassword = 'analytical engine';
  const change = { currentPassword: body.password, newPassword, secondFactor };
  await api.security.changePassword({ body: change });

  await store.clear();
  const signedIn = await signInWithPasskey(api);
  expect(signedIn.user.email).toBe(body.email);
  expect((await api.auth.user()).email).toBe(body.email);
  await store.clear();
  const proof = { ...body, password: newPassword, secondFactor: await passkeyForSignIn(api) };
  await api.auth.login({ body: proof });
  await signInWithAutofill(api);
  expect(asked.map(({ mediation }) => mediation)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    'conditional',
  ]);
});

test('waiting takes a new challenge before one expires, and ends with the next question', async () => {
  let challenges = 0;
  await using service = await startService(() => {
    challenges += 1;
    return success({ challenge: `c${challenges}`, timeout: 25, rpId: 'x', allowCredentials: [] });
  });
  const { credentials } = stubBrowser(service.url);
  const get = vi.spyOn(credentials, 'get').mockImplementation(waiting);
  const api = createClient({ baseUrl: service.url, tokens: memoryTokens() });
  const autofill = signInWithAutofill(api);
  await expect.poll(() => get.mock.calls.length).toBeGreaterThan(2);
  const shown = get.mock.calls.map(([{ publicKey }]) => publicKey.challenge);
  expect(new Set(shown).size).toBe(shown.length);

  const controller = new AbortController();
  const modal = signInWithPasskey(api, { signal: controller.signal });
  await expect(autofill).rejects.toMatchObject({ name: 'AbortError' });
  controller.abort(new Error('the page was left'));
  await expect(modal).rejects.toThrow('the page was left');
});

test('waiting continues after the service was away when a challenge expired', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const replies: (Reply | 'hang up')[] = [
    success({ challenge: 'c1', timeout: 25, rpId: 'x', allowCredentials: [] }),
    'hang up',
    failure(503, 'service_unavailable'),
    success({ challenge: 'c2', timeout: 25, rpId: 'x', allowCredentials: [] }),
    failure(403, 'forbidden'),
  ];
  await using service = await startService(() => replies.shift() ?? 'hang up');
  const { credentials } = stubBrowser(service.url);
  const get = vi.spyOn(credentials, 'get').mockImplementation(waiting);
  const api = createClient({ baseUrl: service.url, tokens: memoryTokens() });
  await expect(signInWithAutofill(api)).rejects.toMatchObject({ code: 'forbidden' });
  expect(get.mock.calls.map(([{ publicKey }]) => publicKey.challenge)).toEqual(['c1', 'c2']);
});

test('a question that waits for its challenge ends with the next one too', async () => {
  await using service = await startService(() =>
    success({ challenge: 'c', timeout: 300_000, rpId: 'x', allowCredentials: [] }),
  );
  const { credentials } = stubBrowser(service.url);
  const get = vi.spyOn(credentials, 'get').mockImplementation(waiting);
  const api = createClient({ baseUrl: service.url, tokens: memoryTokens() });
  const first = signInWithAutofill(api);
  const controller = new AbortController();
  const second = signInWithPasskey(api, controller);
  await expect(first).rejects.toMatchObject({ name: 'AbortError' });
  await expect.poll(() => get.mock.calls.some(([{ signal }]) => !signal.aborted)).toBe(true);
  controller.abort();
  await expect(second).rejects.toMatchObject({ name: 'AbortError' });
});
