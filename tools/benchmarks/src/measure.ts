import type { LoadGenerator, LoadResult } from './load.ts';
import type { Role, Scenario, Variant } from './scenario.ts';
import { quantile, median } from './statistics.ts';

export interface Pace {
  readonly rounds: number;
  readonly secondsPerRound: number;
  readonly warmUpSeconds: number;
  /** Uncounted load before each round, because a runtime slows down during a pause. */
  readonly leadInSeconds: number;
  /** The number of requests in a round whose requests can be sent only once. */
  readonly oneTimeRequests: number;
}

/** One variant in one round. */
export interface Round extends LoadResult {
  /** Processor time of the server for each request; null if it is unknown or includes other work. */
  readonly cpuMsPerRequest: number | null;
  /** Processor time of Postgres for each request; null where the system has no figures. */
  readonly postgresMsPerRequest: number | null;
  /** Resident memory of the server at the end of the round; null if it is unknown. */
  readonly residentBytes: number | null;
}

export interface MeasuredVariant {
  readonly name: string;
  readonly role: Role;
  readonly rounds: readonly Round[];
}

export interface MeasuredScenario {
  readonly scenario: Scenario;
  readonly variants: readonly MeasuredVariant[];
}

interface Bench {
  readonly generator: LoadGenerator;
  readonly pace: Pace;
  /** Reads the processor time of Postgres in milliseconds. */
  postgresCpuMs?(): number;
  log(line: string): void;
  /** Runs before each round and isn't measured. */
  beforeRound?(): Promise<void>;
}

/**
 * Measures every variant once per round, so that other load on the machine affects all of them.
 */
export async function measure(
  bench: Bench,
  scenarios: readonly Scenario[],
): Promise<MeasuredScenario[]> {
  const measured = scenarios.map((scenario) => ({
    scenario,
    variants: scenario.variants.map((variant) => ({ variant, rounds: [] as Round[] })),
  }));
  const all = measured.flatMap(({ scenario, variants }) =>
    variants.map((each) => ({ scenario, ...each })),
  );
  for (const { scenario, variant } of all) {
    bench.log(`${scenario.id} warm-up: ${variant.name}`);
    await runOnce(bench, variant, bench.pace.warmUpSeconds);
  }
  for (let round = 1; round <= bench.pace.rounds; round += 1) {
    for (const { scenario, variant, rounds } of all) {
      if (canLeadIn(variant)) await runOnce(bench, variant, bench.pace.leadInSeconds);
      const result = await runOnce(bench, variant, bench.pace.secondsPerRound);
      rounds.push(result);
      const figures = `${result.requestsPerSecond.toFixed(0)}/s, median ${result.p50Ms.toFixed(2)} ms`;
      bench.log(
        `round ${round} of ${bench.pace.rounds}: ${scenario.id} ${variant.name}: ${figures}`,
      );
    }
  }
  return measured.map(({ scenario, variants }) => ({
    scenario,
    variants: variants.map(({ variant: { name, role }, rounds }) => ({ name, role, rounds })),
  }));
}

/** Whether a variant has a lead-in: not if its requests can be sent only once, or if it times itself. */
function canLeadIn(variant: Variant): boolean {
  return !('act' in variant) && !variant.isOneTime;
}

async function runOnce(bench: Bench, variant: Variant, seconds: number): Promise<Round> {
  const { server } = variant;
  await bench.beforeRound?.();
  const stopBackground = await variant.background?.();
  try {
    const [cpuBefore, postgresBefore] = [server.cpuMs(), bench.postgresCpuMs?.()];
    const result = await loadOf(bench, variant, seconds);
    const [cpuAfter, postgresAfter] = [server.cpuMs(), bench.postgresCpuMs?.()];
    return {
      ...result,
      cpuMsPerRequest:
        'act' in variant || cpuBefore === null || cpuAfter === null
          ? null
          : (cpuAfter - cpuBefore) / result.requestCount,
      postgresMsPerRequest:
        postgresBefore === undefined || postgresAfter === undefined
          ? null
          : (postgresAfter - postgresBefore) / result.requestCount,
      residentBytes: server.residentBytes(),
    };
  } finally {
    await stopBackground?.();
  }
}

async function loadOf(
  { generator, pace }: Bench,
  variant: Variant,
  seconds: number,
): Promise<LoadResult> {
  if ('act' in variant) return actFor(variant.act, seconds);
  const amount = pace.oneTimeRequests;
  const traffic = await variant.traffic(amount);
  const until = variant.isOneTime ? { amount } : { seconds };
  const result = await generator.run({ ...traffic, until });
  if (result !== null) return result;
  // Without a response in time, wait for one on each connection. With new traffic, because the requests may have
  // had an effect, and some can be sent only once.
  const { connections } = traffic;
  const again = await variant.traffic(connections);
  const late = await generator.run({ ...again, until: { amount: connections } });
  if (late === null) throw new Error(`${variant.name} got no response.`);
  return late;
}

/** Repeats an action of several requests in this process. */
async function actFor(act: () => Promise<number[]>, seconds: number): Promise<LoadResult> {
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const timesMs: number[] = [];
  while (performance.now() - startedAt < seconds * 1000) timesMs.push(...(await act()));
  const passed = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const measuredMs = timesMs.reduce((sum, each) => sum + each, 0);
  return {
    requestCount: timesMs.length,
    // Without the time between the measured requests.
    requestsPerSecond: (timesMs.length * 1000) / measuredMs,
    p50Ms: median(timesMs),
    p99Ms: quantile(timesMs, 0.99),
    p99sMs: [quantile(timesMs, 0.99)],
    generatorCpuShare: (user + system) / 1e6 / passed,
  };
}
