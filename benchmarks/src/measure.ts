import type { ApiProcess } from './api-process.ts';
import type { LoadGenerator, LoadResult } from './load.ts';
import type { Scenario, Variant } from './scenarios.ts';

export interface Pace {
  readonly rounds: number;
  readonly secondsPerRound: number;
  readonly warmUpSeconds: number;
  /** Requests of a round where each can be sent only once. */
  readonly oneTimeRequests: number;
}

/** One variant in one round. */
export interface Round extends LoadResult {
  /** Processor time of the API for each request; null where the system doesn't tell. */
  readonly cpuMsPerRequest: number | null;
}

export interface MeasuredVariant {
  readonly name: string;
  readonly rounds: readonly Round[];
}

export interface MeasuredScenario {
  readonly scenario: Scenario;
  readonly variants: readonly MeasuredVariant[];
}

interface Bench {
  readonly generator: LoadGenerator;
  readonly api: ApiProcess;
  readonly pace: Pace;
  say(line: string): void;
}

/**
 * Measures every variant once per round, so that what disturbs the machine for a while disturbs all of
 * them.
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
    bench.say(`${scenario.id} warms up: ${variant.name}`);
    await runOnce(bench, variant, bench.pace.warmUpSeconds);
  }
  for (let round = 1; round <= bench.pace.rounds; round += 1) {
    for (const { scenario, variant, rounds } of all) {
      const result = await runOnce(bench, variant, bench.pace.secondsPerRound);
      rounds.push(result);
      const figures = `${result.requestsPerSecond.toFixed(0)}/s, median ${result.p50Ms.toFixed(2)} ms`;
      bench.say(
        `round ${round} of ${bench.pace.rounds}: ${scenario.id} ${variant.name}: ${figures}`,
      );
    }
  }
  return measured.map(({ scenario, variants }) => ({
    scenario,
    variants: variants.map(({ variant, rounds }) => ({ name: variant.name, rounds })),
  }));
}

async function runOnce(
  { generator, api, pace }: Bench,
  variant: Variant,
  seconds: number,
): Promise<Round> {
  const amount = pace.oneTimeRequests;
  const traffic = await variant.traffic(amount);
  const cpuBefore = api.cpuMs();
  const result = await generator.run({
    ...traffic,
    until: variant.isOneTime ? { amount } : { seconds },
  });
  const cpuAfter = api.cpuMs();
  const cpuMsPerRequest =
    cpuBefore === null || cpuAfter === null ? null : (cpuAfter - cpuBefore) / result.requestCount;
  return { ...result, cpuMsPerRequest };
}
