import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '@atelier/devstack';
import postgres from 'postgres';
import { pageLimit } from './comments.ts';
import type { Contestant } from './contestants.ts';
import type { TaskRow } from './limit/rows.ts';
import { taskPage } from './limit/statements.ts';
import { startDirectus } from './products/directus.ts';
import { startParseServer } from './products/parse-server.ts';
import { request, type Installation, type RunningProduct, type Team } from './products/product.ts';
import type { Seeded } from './seed/seeded.ts';

const productsDir = join(import.meta.dirname, '..', 'products');
/** More tasks than are seeded. */
const atMost = 10_000;

const products: readonly {
  readonly id: string;
  readonly name: string;
  readonly start: (place: Installation, team: Team) => Promise<RunningProduct>;
}[] = [
  { id: 'directus', name: 'Directus', start: startDirectus },
  { id: 'parse-server', name: 'Parse Server', start: startParseServer },
];

/**
 * Starts whole products on databases of their own, on the service's Postgres, filled with the tasks that S2 lists.
 * Skips products that can't be installed or started, and prints the reason.
 */
export async function startProducts({
  databaseUrl,
  dataDir,
  seeded,
}: {
  databaseUrl: string;
  dataDir: string;
  seeded: Seeded;
}): Promise<Contestant[]> {
  const team = await teamOf(databaseUrl, seeded);
  const started: Contestant[] = [];
  for (const { id, name, start } of products) {
    try {
      const packageDir = join(productsDir, id);
      const options = ['--frozen-lockfile', '--prefer-offline'];
      execFileSync('pnpm', ['install', ...options], { cwd: packageDir });
      const own = join(dataDir, id);
      rmSync(own, { recursive: true, force: true });
      mkdirSync(own, { recursive: true });
      const [port = 0] = await freePorts(1);
      const place = {
        packageDir,
        dataDir: own,
        port,
        databaseUrl: await emptyDatabase(databaseUrl, `beside_${id.replaceAll('-', '_')}`),
      };
      const running = await start(place, team);
      started.push(await checked(name, running));
    } catch (error) {
      console.error(`Skipped: ${name}.`, error);
    }
  }
  return started;
}

async function checked(name: string, { server, ...traffic }: RunningProduct): Promise<Contestant> {
  const contestant: Contestant = {
    name,
    server,
    role: 'product',
    work: 'whole',
    // The keys of its traffic are scenarios.
    scenarios: Object.keys(traffic) as Contestant['scenarios'],
    trafficOf(scenario) {
      const found = Object.entries(traffic).find(([id]) => id === scenario);
      if (!found) throw new Error(`${name} has no requests for ${scenario}.`);
      return found[1];
    },
  };
  try {
    const { headers, accessTokens, requests, tokenHeader } = traffic.S2;
    const token = accessTokens[0] ?? '';
    const page = await request(`${server.url}${requests[0]?.path}`, {
      method: 'GET',
      headers: {
        ...headers,
        ...(tokenHeader === undefined
          ? { authorization: `Bearer ${token}` }
          : { [tokenHeader]: token }),
      },
    });
    const text = JSON.stringify(page);
    const taskCount = text.split('"title"').length - 1;
    if (taskCount !== pageLimit || !text.includes('"Lovelace"')) {
      throw new Error(`It lists ${taskCount} tasks: ${text.slice(0, 1_000)}`);
    }
    return contestant;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function teamOf(databaseUrl: string, seeded: Seeded): Promise<Team> {
  const sql = postgres(databaseUrl, { max: 1 });
  const organizationId = seeded.workOrganizationId;
  const people = await sql<{ id: string; email: string }[]>`
    select id, email from users where email = any(${[...seeded.emails]})`;
  const tasks = await sql.unsafe<TaskRow[]>(taskPage, [organizationId, atMost]);
  await sql.end();
  return { people, organizationId, tasks };
}

async function emptyDatabase(serverUrl: string, name: string): Promise<string> {
  const sql = postgres(serverUrl, { max: 1, onnotice: () => undefined });
  await sql`drop database if exists ${sql(name)} with (force)`;
  await sql`create database ${sql(name)}`;
  await sql.end();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
