import type { Client } from './api.ts';
import { callOf, open, type AnySuccess } from './call.ts';
import { ApiError } from './errors.ts';
import { listOf } from './paging.ts';
import { routes, type Route } from './routes.ts';
import { createSession, type SessionCore } from './session.ts';
import { memoryTokens, type Tokens } from './token-stores.ts';
import { createTransport, urlOf, type AnyArgs, type AnyOptions } from './transport.ts';
import type { ClientOptions } from './types.ts';

/**
 * Creates a client of the service at `baseUrl`. It stores the tokens of every sign-in, refreshes rejected
 * tokens once for all calls and tabs that share them, and retries what is safe to retry.
 */
export function createClient(options: ClientOptions): Client {
  const session: SessionCore = createSession({
    store: options.tokens ?? memoryTokens(),
    lock: options.lock,
    organizationId: options.organizationId,
    onExpired: options.onSessionExpired,
    rotate: async (tokens) => pairOf(await run('auth.refresh', tokens)),
    revoke: (tokens) => run('auth.logout', tokens),
  });
  const send = createTransport(options, () => session);

  /** Sends a request of the session itself, without its lock; the caller stores the tokens. */
  async function run(id: string, { refreshToken, key }: Tokens) {
    const route = routes.find((candidate) => candidate.id === id) as Route;
    const args = { body: { refreshToken } };
    const request = { route, args, options: { idempotencyKey: key }, wantsRaw: () => false };
    return open(await send(request), route).data;
  }

  function call(route: Route, args: AnyArgs = {}, callOptions: AnyOptions = {}) {
    let isRaw = false;
    const request = { route, args, options: callOptions, wantsRaw: () => isRaw };
    const response = /x/.test(route.flags) ? logOut(args) : send(request);
    const opened = response.then((received) => (isRaw ? unread : settle(received)));
    return callOf(response, opened, () => {
      isRaw = true;
    });

    async function settle(received: Awaited<typeof response>): Promise<AnySuccess> {
      try {
        const success = open(received, route);
        if (/t/.test(route.flags)) await session.set(pairOf(success.data));
        return success;
      } catch (error) {
        const isDenied = error instanceof ApiError && error.code === 'organization_access_denied';
        if (isDenied) session.deselect(received.sent.get('x-organization-id'));
        throw error;
      }
    }

    async function logOut({ body }: AnyArgs) {
      const tokens = await session.get();
      // Cleared first, so that no call uses them; a refresh in progress then ends its new pair.
      await session.clear();
      const presented = body ?? { refreshToken: tokens?.refreshToken ?? '' };
      return session.lock(() => send({ ...request, args: { body: presented } }));
    }
  }

  function operationOf(route: Route): object {
    if (/r/.test(route.flags)) {
      return { url: (args: AnyArgs = {}) => urlOf(options.baseUrl, route, args) };
    }
    const operation = (args?: AnyArgs, callOptions?: AnyOptions) => call(route, args, callOptions);
    return /l/.test(route.flags)
      ? Object.assign(operation, listOf(operation, route, session))
      : operation;
  }

  const groups: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    (groups[route.group] ??= {})[route.name] = operationOf(route);
  }
  // The table has no types; the types are generated from the same contract.
  return { ...groups, session } as unknown as Client;
}

const unread = {} as AnySuccess;

/** Returns the tokens of a response: nested after a sign-in, flat after a refresh. */
function pairOf(data: unknown): Tokens {
  const { token, refreshToken } = data as { token: string | Tokens; refreshToken: string };
  return typeof token === 'string' ? { accessToken: token, refreshToken } : token;
}
