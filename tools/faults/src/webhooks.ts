import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { chosenEvents } from '@atelier/contract';
import type { Product } from './account.ts';
import type { Worker } from './load.ts';
import { listOf } from './requests.ts';

/** What arrived at an endpoint, in its order. */
interface Message {
  readonly id: string;
  readonly sequence: number;
}

/** The receiver of an organization of each account. */
export interface Receiver {
  /** Creates a webhook for each account; every second one keeps the order. */
  subscribe(workers: readonly Worker[]): Promise<void>;
  /**
   * Waits until everything has arrived, and compares it with the activities.
   *
   * @returns what it saw, and what is wrong
   */
  check(product: Pick<Product, 'sql'>): Promise<{ summary: string; findings: string[] }>;
  stop(): Promise<void>;
}

/** The time limit for all messages to arrive after the last fault. */
const settleSeconds = 90;

export async function startReceiver(): Promise<Receiver> {
  const arrived = new Map<string, Message[]>();
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { sequence } = JSON.parse(body) as { sequence: number };
      const messages = arrived.get(request.url ?? '') ?? [];
      messages.push({ id: String(request.headers['webhook-id']), sequence });
      arrived.set(request.url ?? '', messages);
      response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const orderings = new Map<string, 'PARALLEL' | 'STRICT'>();

  async function subscribe({ account }: Worker): Promise<void> {
    const mine = await account.request({ method: 'GET', path: '/api/organizations' });
    const [organization] = mine.state === 'acknowledged' ? listOf(mine.body['items']) : [];
    const path = `/${account.number}`;
    const ordering = account.number % 2 === 0 ? 'STRICT' : 'PARALLEL';
    const created = await account.request({
      method: 'POST',
      path: `/api/organizations/${String(organization?.['id'])}/webhooks`,
      body: { url: `${url}${path}`, events: ['*'], ordering },
    });
    if (created.state !== 'acknowledged') {
      throw new Error(`no webhook: ${JSON.stringify([mine, created])}`);
    }
    orderings.set(path, ordering);
  }

  async function expected({ sql }: Pick<Product, 'sql'>): Promise<Map<string, Set<string>>> {
    const rows = await sql<{ url: string; id: string }[]>`
      select webhooks.url, 'evt_' || replace(activities.id::text, '-', '') as id
      from webhooks join activities on activities.organization_id = webhooks.organization_id
      where activities.transaction_id > webhooks.follows_from
        and activities.action in ${sql([...chosenEvents])}`;
    const ids = new Map([...orderings.keys()].map((path) => [path, new Set<string>()]));
    for (const row of rows) ids.get(new URL(row.url).pathname)?.add(row.id);
    return ids;
  }

  return {
    async subscribe(workers) {
      for (const worker of workers) await subscribe(worker);
    },

    async check(product) {
      const deadline = performance.now() + settleSeconds * 1_000;
      const wanted = await expected(product);
      const missing = () =>
        [...wanted].flatMap(([path, ids]) => {
          const got = new Set(arrived.get(path)?.map(({ id }) => id));
          return [...ids].filter((id) => !got.has(id)).map((id) => `${path}: ${id} is missing`);
        });
      while (missing().length > 0 && performance.now() < deadline) {
        await hurry(product);
        await delay(200);
      }
      const findings = missing();
      let [count, repeated] = [0, 0];
      for (const [path, messages] of arrived) {
        count += messages.length;
        repeated += messages.length - new Set(messages.map(({ id }) => id)).size;
        const stray = messages.filter(({ id }) => !wanted.get(path)?.has(id));
        findings.push(...stray.map(({ id }) => `${path}: ${id} is of no activity`));
        if (orderings.get(path) === 'STRICT') findings.push(...outOfOrder(path, messages));
      }
      return { summary: `${count} messages, ${repeated} of them repeated`, findings };
    },

    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Skips pauses between attempts, and ends what killed processes have in hand: no attempt takes ten seconds here. */
async function hurry({ sql }: Pick<Product, 'sql'>): Promise<void> {
  await sql`update webhook_deliveries set claimed_until = null, next_attempt_at = least(next_attempt_at, now())
    where status = 'PENDING' and (claimed_until < now() + interval '50 seconds'
      or claimed_until is null and next_attempt_at > now())`;
  await sql`update graphile_worker._private_jobs set run_at = now()
    where run_at > now() and locked_at is null`;
}

function outOfOrder(path: string, messages: readonly Message[]): string[] {
  return messages.flatMap(({ id, sequence }, index) => {
    const before = messages[index - 1]?.sequence ?? 0;
    return sequence < before ? [`${path}: ${id} has number ${sequence} after ${before}`] : [];
  });
}
