import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';
import type { LoadReply, LoadJob, LoadResult } from './load.ts';
import { median, quantile } from './statistics.ts';

let running: autocannon.Instance | null = null;

/** Started by load.ts. Runs one job after the other. */
process.on('message', (job: LoadJob | 'finish') => {
  if (job === 'finish') {
    running?.stop();
    return;
  }
  void run(job).then(
    (result) => reply({ result }),
    (error: unknown) => reply({ problem: error instanceof Error ? error.message : String(error) }),
  );
});

function reply(message: LoadReply): void {
  process.send?.(message);
}

async function run(job: LoadJob): Promise<LoadResult | null> {
  const latenciesMs = job.requests.map((): number[] => []);
  const failures = new Map<number, number>();
  /** Which of the requests a client sends next. */
  const placesByClient = new Map<unknown, number>();
  const isSpread = job.order === 'spread';
  let connectionCount = 0;
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  let lastResponseAt = startedAt;
  const { promise: finished, resolve, reject } = Promise.withResolvers<autocannon.Result>();
  const options: autocannon.Options = {
    url: job.url,
    connections: job.connections,
    ...lengthOf(job),
    timeout: 60,
    setupClient(client) {
      const token = job.accessTokens[connectionCount % Math.max(1, job.accessTokens.length)];
      const all = requestsOf(job, token);
      const place = connectionCount % all.length;
      const requests = isSpread ? all.slice(place, place + 1) : all;
      if (isSpread) placesByClient.set(client, place);
      client.setRequests(job.carried ? carrying(requests, job.carried, connectionCount) : requests);
      connectionCount += 1;
    },
  };
  const instance = autocannon(options, (error: unknown, result) => {
    if (error) reject(new Error('The load generator failed.', { cause: error }));
    else resolve(result);
  });
  running = instance;
  // The histogram of autocannon only has whole milliseconds.
  instance.on('response', (...[client, status, _bytes, latencyMs]) => {
    lastResponseAt = performance.now();
    if (status < 200 || status > 299) failures.set(status, (failures.get(status) ?? 0) + 1);
    const place = placesByClient.get(client) ?? 0;
    if (!isSpread) placesByClient.set(client, (place + 1) % job.requests.length);
    latenciesMs[place]?.push(latencyMs);
  });
  const { errors, timeouts } = await finished;
  const { user, system } = process.cpuUsage(cpuBefore);
  if (failures.size > 0 || errors > 0 || timeouts > 0) throw new Error(problemOf(job, failures));
  const seconds = (lastResponseAt - startedAt) / 1000;
  const all = latenciesMs.flat();
  if (all.length === 0) {
    if ('amount' in lengthOf(job)) throw new Error(problemOf(job, failures));
    return null;
  }
  return {
    requestCount: all.length,
    requestsPerSecond: all.length / seconds,
    p50Ms: median(all),
    p99Ms: quantile(all, 0.99),
    p99sMs: latenciesMs.map((each) => (each.length === 0 ? Number.NaN : quantile(each, 0.99))),
    generatorCpuShare: (user + system) / 1e6 / seconds,
  };
}

/** In the options of autocannon. */
function lengthOf({ until }: LoadJob): { amount: number } | { duration: number } {
  if (until === 'finished') return { duration: 24 * 60 * 60 };
  return 'amount' in until ? { amount: until.amount } : { duration: until.seconds };
}

function requestsOf(
  { requests, headers, tokenHeader }: LoadJob,
  token: string | undefined,
): autocannon.Request[] {
  return requests.map(({ method, path, body, idempotencyKey }) => ({
    method,
    path,
    headers: {
      ...headers,
      ...(token !== undefined &&
        (tokenHeader === undefined
          ? { authorization: `Bearer ${token}` }
          : { [tokenHeader]: token })),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(idempotencyKey === 'new' && { setupRequest: withNewKey }),
  }));
}

function withNewKey(request: autocannon.Request): autocannon.Request {
  return { ...request, headers: { ...request.headers, 'idempotency-key': randomUUID() } };
}

/** Makes each request of a connection send a value of the response before it. */
function carrying(
  requests: autocannon.Request[],
  { field, first }: NonNullable<LoadJob['carried']>,
  connection: number,
): autocannon.Request[] {
  let value = first[connection];
  return requests.map((request) => ({
    ...request,
    headers: { ...request.headers, 'content-type': 'application/json' },
    setupRequest: (next) => ({ ...next, body: JSON.stringify({ [field]: value }) }),
    onResponse(_status, body) {
      // The contract's envelope.
      const { data } = JSON.parse(body) as { data?: Record<string, string> };
      value = data?.[field];
    },
  }));
}

function problemOf(job: LoadJob, failures: ReadonlyMap<number, number>): string {
  const { method = '', path = '' } = job.requests[0] ?? {};
  const statuses = [...failures].map(([status, count]) => `${count} × ${status}`);
  return `Some requests of ${method} ${path} failed: ${statuses.join(', ') || 'no response'}.`;
}
