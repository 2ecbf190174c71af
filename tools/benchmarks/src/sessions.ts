import { createClient } from '@atelier/client';
import type { Scenario } from './scenario.ts';
import { password } from './seed/people.ts';
import { userTraffic } from './side-by-side.ts';
import { get, type World } from './world.ts';

const parallelLogins = 40;
const refreshers = 10;

/** S5: what logins leave to others. S9: tokens that are rotated. */
export function sessionScenarios(world: World): Scenario[] {
  const one = async () => ({ ...(await userTraffic(world)), url: world.api.url, connections: 1 });
  return [
    {
      id: 'S5',
      title: 'GET /api/auth/user while others log in',
      compares: 'p99',
      variants: [
        { name: 'nobody does', server: world.api, traffic: one },
        {
          name: `${parallelLogins} logins at any time`,
          server: world.api,
          traffic: one,
          beside: async () => logInAllTheTime(world),
        },
      ],
      target: { kind: 'ratio', of: 'p99', most: 2 },
    },
    {
      id: 'S9',
      title: 'POST /api/auth/refresh-token',
      variants: [refreshing(world, 1), refreshing(world, refreshers)],
    },
  ];
}

/** @returns how to stop; that fails when a login did */
function logInAllTheTime({ api, seeded }: World): () => Promise<void> {
  let isRunning = true;
  const loops = Array.from({ length: parallelLogins }, async (_, n) => {
    const client = createClient({ baseUrl: api.url });
    const email = seeded.emails[n % seeded.emails.length] ?? '';
    while (isRunning) await client.auth.login({ body: { email, password } });
  });
  const ended = Promise.all(loops);
  ended.catch(() => undefined);
  return async () => {
    isRunning = false;
    await ended;
  };
}

function refreshing({ api, seeded }: World, connections: number): Scenario['variants'][number] {
  return {
    name: connections === 1 ? 'one session' : `${connections} sessions at once`,
    server: api,
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
