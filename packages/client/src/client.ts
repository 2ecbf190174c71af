import type { Client } from './api.ts';
import { callOf, open, type AnySuccess } from './call.ts';
import { ApiError } from './errors.ts';
import { routes } from './generated/routes.ts';
import { itemsOf, pagesOf } from './paging.ts';
import { createSession, type SessionCore } from './session.ts';
import { memoryTokens, type Tokens } from './token-stores.ts';
import { createTransport, urlOf, type AnyArgs, type Route } from './transport.ts';
import type { CallOptions, ClientOptions, OperationId } from './types.ts';

/**
 * Makes a client of the service at `baseUrl`. It takes over the tokens of every login, refreshes them
 * when they are refused, once for all calls and tabs that share them, and repeats what may be repeated.
 */
export function createClient(options: ClientOptions): Client {
  const session: SessionCore = createSession({
    store: options.tokens ?? memoryTokens(),
    lock: options.lock,
    onExpired: options.onSessionExpired,
    rotate: async (refreshToken) => pairOf(await run(refreshRoute, { body: { refreshToken } })),
    revoke: (refreshToken) => run(logoutRoute, { body: { refreshToken } }),
  });
  const send = createTransport(options, () => session);

  /** Sends a call of the session itself: without taking over its tokens, without its lock. */
  async function run(route: Route, args: AnyArgs): Promise<unknown> {
    return open(await send({ route, args, options: {}, wantsRaw: () => false }), route).data;
  }

  function call(route: Route, args: AnyArgs = {}, callOptions: CallOptions = {}) {
    let isRaw = false;
    const sending = { route, args, options: callOptions, wantsRaw: () => isRaw };
    const answer = route.id === 'auth.logout' ? logOut(args) : send(sending);
    const opened = answer.then((received) => (isRaw ? unread : settle(received)));
    return callOf(answer, opened, () => {
      isRaw = true;
    });

    async function settle(received: Awaited<typeof answer>): Promise<AnySuccess> {
      try {
        const success = open(received, route);
        if (/t/.test(route.flags)) await session.begin(pairOf(success.data));
        return success;
      } catch (error) {
        const denied = received.sent.get('x-organization-id');
        const isDenied = error instanceof ApiError && error.code === 'organization_access_denied';
        if (isDenied && denied === session.getOrganizationId()) session.setOrganizationId(null);
        throw error;
      }
    }

    async function logOut({ body }: AnyArgs) {
      const tokens = await session.get();
      // First, so that no call goes on with them; a refresh under way notices and ends its new pair.
      await session.clear();
      const presented = body ?? { refreshToken: tokens?.refreshToken ?? '' };
      return session.lock(() => send({ ...sending, args: { body: presented } }));
    }
  }

  function operationOf(route: Route): object {
    if (/r/.test(route.flags)) {
      return { url: (args: AnyArgs = {}) => urlOf(options.baseUrl, route, args) };
    }
    const operation = (args?: AnyArgs, callOptions?: CallOptions) => call(route, args, callOptions);
    if (!/l/.test(route.flags)) return operation;
    return Object.assign(operation, { pages: pagesOf(operation), iterate: itemsOf(operation) });
  }

  const groups = Object.entries(routes).map(([group, rows]) => [
    group,
    Object.fromEntries(Object.keys(rows).map((name) => [name, operationOf(routeOf(group, name))])),
  ]);
  // The one place where the table, which has no types, meets the types made from the same contract.
  return { ...Object.fromEntries(groups), session } as Client;
}

const unread = {} as AnySuccess;

function routeOf(group: string, name: string): Route {
  const [method = '', flags = '', path = ''] = routes[group]?.[name]?.split(' ') ?? [];
  return { id: `${group}.${name}` as OperationId, method, flags, path };
}

const refreshRoute = routeOf('auth', 'refresh');
const logoutRoute = routeOf('auth', 'logout');

/** The pair of an answer: nested after a login, beside each other after a refresh. */
function pairOf(data: unknown): Tokens {
  const { token, refreshToken } = data as { token: string | Tokens; refreshToken: string };
  return typeof token === 'string' ? { accessToken: token, refreshToken } : token;
}
