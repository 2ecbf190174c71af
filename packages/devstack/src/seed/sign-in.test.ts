import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { signInByProvider } from './sign-in.ts';

/** An API whose sign-ins end, one after the other, with the given parameters of the page that waits for them. */
async function apiWhoseSignInsEnd(...ends: readonly string[]) {
  const exchanged: unknown[] = [];
  let begun = 0;
  const server = createServer(async (request, response) => {
    if (request.url?.startsWith('/api/auth/google')) {
      const location = `/loading?${ends[begun]}`;
      begun += 1;
      response.writeHead(302, { location }).end();
      return;
    }
    exchanged.push(await json(request));
    const token = { accessToken: 'an access token', refreshToken: 'a refresh token' };
    const user = { id: '018f4e6a-1111-7000-8000-000000000001', email: 'teo@example.com' };
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ success: true, message: 'signed in', data: { user, token } }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('unreachable: it listens');
  const url = `http://127.0.0.1:${address.port}`;
  return {
    product: { apiUrl: url, baseUrl: url, signal: new AbortController().signal },
    exchanged,
    begun: () => begun,
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

test('a sign-in whose provider did not respond in time begins anew', async () => {
  using api = await apiWhoseSignInsEnd('error=provider_unavailable', 'code=the-second');
  await signInByProvider(api.product, 'teo@example.com');
  expect(api.exchanged).toEqual([{ code: 'the-second' }]);
});

test('a sign-in that is refused is not repeated, and says why', async () => {
  using api = await apiWhoseSignInsEnd('error=email_unverified', 'code=the-second');
  await expect(signInByProvider(api.product, 'teo@example.com')).rejects.toThrow(
    'the sign-in of teo@example.com was refused: email_unverified',
  );
  expect(api.begun()).toBe(1);
});
