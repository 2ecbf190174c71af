import type { MeasuredVariant, Round } from './measure.ts';
import type { Role } from './scenario.ts';

/** A round of a variant, as far as a test doesn't say otherwise. */
export function round(p50Ms: number, more: Partial<Round> = {}): Round {
  return {
    requestCount: 100,
    requestsPerSecond: 1000 / p50Ms,
    p50Ms,
    p99Ms: p50Ms * 3,
    p99sMs: [p50Ms * 3],
    generatorCpuShare: 0.1,
    cpuMsPerRequest: null,
    postgresMsPerRequest: null,
    residentBytes: null,
    ...more,
  };
}

/** A measured variant with the name of its role. */
export function variant(role: Role, rounds: readonly Round[]): MeasuredVariant {
  return { name: `the ${role}`, role, rounds };
}
