import {
  failure,
  startService,
  success,
  type Handler,
  type Received,
  type Service,
} from './service.ts';

/** A service with one account whose refresh tokens rotate, and refreshes are repeated, as specified. */
export interface Accounts extends Service {
  /** Active refresh tokens. */
  readonly active: Set<string>;
  readonly refreshes: () => number;
  /** Issues a pair whose access token has expired. */
  expiredPair(): { accessToken: string; refreshToken: string };
}

type Early = Awaited<ReturnType<Handler>> | undefined;

interface AccountsOptions {
  /** Responds instead of the account service unless it returns undefined. */
  before?: (request: Received) => Early | Promise<Early>;
  /** Replaces the response of the account service, which has done its work, unless it returns undefined. */
  lost?: (request: Received) => Early;
  /** Makes the tokens differ from those of other services: tabs remember used ones. */
  suffix?: string;
}

interface Pair {
  readonly accessToken: string;
  readonly refreshToken: string;
}

const rotated = ({ accessToken: token, refreshToken }: Pair) => ({
  status: 200,
  body: { data: { token, refreshToken } },
});

const user = { id: '019aa4f0-5c1e-7b3a-9d2f-6f1f0c7a9e42', email: 'ada@example.com' };

/** Starts a service with one account. */
export async function startAccounts({
  before,
  lost,
  suffix = '',
}: AccountsOptions = {}): Promise<Accounts> {
  const access = new Set<string>();
  const active = new Set<string>();
  const used = new Set<string>();
  const repeatable = new Map<string, Pair>();
  let count = 0;

  function issue() {
    count += 1;
    const pair = {
      accessToken: `access-${count}${suffix}`,
      refreshToken: `refresh-${count}${suffix}`,
    };
    access.add(pair.accessToken);
    active.add(pair.refreshToken);
    return pair;
  }

  function revoke(token: string) {
    if (active.delete(token)) used.add(token);
  }

  function refresh(presented: string, key: string | undefined) {
    const repetition = `${presented} ${key}`;
    const known = repeatable.get(repetition);
    if (known && active.has(known.refreshToken)) return rotated(known);
    if (used.has(presented)) {
      for (const token of active) revoke(token);
      access.clear();
    }
    if (!active.has(presented)) return failure(401, 'access_denied');
    revoke(presented);
    const pair = issue();
    if (key) repeatable.set(repetition, pair);
    return rotated(pair);
  }

  const service = await startService(async (request) => {
    const early = await before?.(request);
    if (early) return early;
    const { path, headers, body } = request;
    const presented: unknown = body.length > 0 ? JSON.parse(body.toString()).refreshToken : '';
    if (path === '/api/auth/login') return success({ user, token: issue() });
    if (path === '/api/auth/oauth/exchange') return failure(401, 'invalid_or_expired_code');
    if (path === '/api/auth/refresh-token') {
      const response = refresh(String(presented), headers['idempotency-key']?.toString());
      return lost?.(request) ?? response;
    }
    if (path === '/api/auth/logout') {
      revoke(String(presented));
      return { status: 200, body: { message: 'You have been logged out' } };
    }
    const token = headers.authorization?.replace('Bearer ', '') ?? '';
    return access.has(token) ? success(user) : failure(401, 'unauthenticated');
  });

  return {
    ...service,
    active,
    refreshes: () => service.requests.filter(({ path }) => path.endsWith('refresh-token')).length,
    expiredPair() {
      const pair = issue();
      access.delete(pair.accessToken);
      return pair;
    },
  };
}
