import { createClient } from '@atelier/client';
import { startLoadGenerator } from './load.ts';
import { release, track } from './cleanup.ts';
import type { Scenario } from './scenario.ts';
import { password } from './seed/accounts.ts';
import { userTraffic } from './side-by-side.ts';
import { get, type Fixtures } from './fixtures.ts';

const parallelLogins = 40;
const refreshers = 10;

/** S5 measures requests beside logins, S9 refresh-token rotation. */
export function sessionScenarios(fixtures: Fixtures): Scenario[] {
  const one = async () => ({
    ...(await userTraffic(fixtures)),
    url: fixtures.api.url,
    connections: 1,
  });
  return [
    {
      id: 'S5',
      title: 'GET /api/auth/user while others log in',
      compares: 'p99',
      variants: [
        { name: 'no logins', server: fixtures.api, role: 'service', traffic: one },
        {
          name: `${parallelLogins} concurrent logins`,
          server: fixtures.api,
          role: 'service',
          traffic: one,
          background: async () => keepLoggingIn(fixtures),
        },
      ],
      targets: [{ kind: 'growth', of: 'p99', by: 'highest', most: 2 }],
    },
    {
      id: 'S9',
      title: 'POST /api/auth/refresh-token',
      variants: [refreshing(fixtures, 1), refreshing(fixtures, refreshers)],
    },
  ];
}

/**
 * Logs in from a generator of its own. The client of this process would take more of the core that it shares with Postgres
 * and the measured requests than what it asks for.
 *
 * @returns a function that stops it, and throws if a login failed
 */
async function keepLoggingIn({ api, seeded }: Fixtures): Promise<() => Promise<void>> {
  const generator = await track(startLoadGenerator());
  const ended = generator
    .run({
      url: api.url,
      connections: parallelLogins,
      requests: seeded.emails.map((email) => ({
        method: 'POST',
        path: '/api/auth/login',
        body: { email, password },
      })),
      order: 'spread',
      headers: {},
      accessTokens: [],
      until: 'finished',
    })
    .finally(() => release(generator));
  ended.catch(() => undefined);
  return async () => {
    generator.finish();
    await ended;
  };
}

function refreshing({ api, seeded }: Fixtures, connections: number): Scenario['variants'][number] {
  return {
    name: connections === 1 ? 'one session' : `${connections} concurrent sessions`,
    server: api,
    role: 'service',
    async traffic() {
      const first = seeded.emails.slice(0, connections).map(async (email) => {
        const client = createClient({ baseUrl: api.url });
        const { token } = await client.auth.login({ body: { email, password } });
        return token.refreshToken;
      });
      return {
        url: api.url,
        connections,
        headers: {},
        accessTokens: [],
        requests: [{ ...get('/api/auth/refresh-token'), method: 'POST' }],
        carried: { field: 'refreshToken', first: await Promise.all(first) },
      };
    },
  };
}
