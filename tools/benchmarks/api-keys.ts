/**
 * Compares reading the own account with an API key and with the access token of a session.
 *
 *     pnpm bench:keys [ROUNDS]
 *
 * Both take turns of a second on ten connections. The table has 5,000 more keys, so that its indexes are used.
 */
import { join } from 'node:path';
import { createClient, memoryTokens } from '@atelier/client';
import postgres from 'postgres';
import { stopAll, temporaryDirectory, track } from './src/cleanup.ts';
import { startLoadGenerator } from './src/load.ts';
import { moveToOtherCores } from './src/pinning.ts';
import { password, signIn, signUp } from './src/seed/accounts.ts';
import { startApi } from './src/server-process.ts';
import { startStack } from './src/stack.ts';
import { median } from './src/statistics.ts';

const connections = 10;
const organizationsOfKey = 4;
const otherKeys = 5_000;
const seconds = 1;

const rounds = Number(process.argv[2] ?? 24);
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error('usage: pnpm bench:keys [ROUNDS]   default 24');
  process.exit(2);
}

const emails = Array.from({ length: connections }, (_, n) => `person-${n}@example.com`);
const directory = temporaryDirectory('keys');
moveToOtherCores(process.pid);
const stack = await track(startStack(join(directory, 'services')));
const api = await track(startApi(stack.environment, join(directory, 'api.log')));
const generator = await track(startLoadGenerator());
try {
  await signUp({ apiUrl: api.url, mailUrl: stack.addresses.mail ?? '' }, emails);
  const keys = await Promise.all(emails.map(newKey));
  await addOtherKeys(stack.environment['DATABASE_URL'] ?? '');
  console.log(await compare(keys));
} finally {
  await stopAll();
}

/** Creates a key with every scope, which reaches several organizations. */
async function newKey(email: string): Promise<string> {
  const client = createClient({ baseUrl: api.url, tokens: memoryTokens() });
  await client.auth.login({ body: { email, password } });
  const names = Array.from({ length: organizationsOfKey }, (_, n) => `Team ${n}`);
  const teams = await Promise.all(
    names.map((name) => client.organizations.create({ body: { name } })),
  );
  const organizationIds = teams.map(({ id }) => id);
  const body = { name: 'Benchmark', preset: 'everything', organizationIds } as const;
  return (await client.apiKeys.create({ body })).key;
}

async function addOtherKeys(databaseUrl: string): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1 });
  await sql`
    with made as (
      insert into api_keys (id, user_id, name, key_hash, prefix, last_four, scopes, created_at, expires_at)
      select gen_random_uuid(), user_id, name, sha256(number::text::bytea), prefix, last_four, scopes, created_at, expires_at
      from (select * from api_keys limit 1) as one, generate_series(1, ${otherKeys}) as number
      returning id)
    insert into api_key_organizations (api_key_id, organization_id)
    select made.id, one.organization_id
    from made, (select organization_id from api_key_organizations limit 1) as one`;
  await sql`vacuum analyze`;
  await sql.end();
}

async function compare(keys: readonly string[]): Promise<string> {
  const perSecond = { token: [] as number[], key: [] as number[] };
  for (let round = 0; round <= rounds; round += 1) {
    // Access tokens last 15 minutes.
    const credentials = { token: await signIn(api.url, emails), key: keys };
    const order = round % 2 === 0 ? (['token', 'key'] as const) : (['key', 'token'] as const);
    for (const kind of order) {
      const result = await generator.run({
        url: api.url,
        connections,
        requests: [{ method: 'GET', path: '/api/auth/user' }],
        until: { seconds },
        headers: {},
        accessTokens: credentials[kind],
      });
      // The first round prepares statements.
      if (round > 0) perSecond[kind].push(result?.requestsPerSecond ?? 0);
    }
  }
  const ratios = perSecond.key.map((key, round) => key / (perSecond.token[round] ?? Number.NaN));
  return (
    `${median(perSecond.token).toFixed(0)} requests/s with a token, ${median(perSecond.key).toFixed(0)} with a key: ` +
    `${median(ratios).toFixed(3)} times (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}, ${rounds} rounds)`
  );
}
