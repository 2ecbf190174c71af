import type { MeasuredScenario, MeasuredVariant } from './measure.ts';
import type { Target } from './scenarios.ts';
import { median, ratioOf, type Ratio } from './statistics.ts';

/** Where and how the figures were measured. */
export interface Conditions {
  readonly startedAt: string;
  readonly commit: string;
  readonly processor: string;
  readonly coreCount: number;
  readonly memoryGiB: number;
  /** Processes that wanted to run, on average over a minute: before the first round, and after the last. */
  readonly load: { readonly before: number; readonly after: number };
  readonly node: string;
  readonly postgres: string;
  readonly rounds: number;
  readonly secondsPerRound: number;
  readonly residentMiB: number | null;
}

/** A line of the table. Medians of the rounds; times in milliseconds. */
export interface Line {
  readonly id: string;
  readonly title: string;
  readonly variant: string;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuMsPerRequest: number | null;
  readonly generatorCpuShare: number;
  /** The time of this variant against the first's; null for the first. */
  readonly ratio: Ratio | null;
  readonly target: (Target & { readonly isMet: boolean }) | null;
  /** The median of each request of the traffic, where a target is about them. */
  readonly mediansMs?: readonly number[];
}

/** The lines of a report, in the order of the scenarios. */
export function linesOf(measured: readonly MeasuredScenario[]): Line[] {
  return measured.flatMap(({ scenario, variants }) =>
    variants.map((variant, index): Line => {
      const [base] = variants;
      const ratio =
        index === 0 || base === undefined ? null : ratioOf(p50sOf(base), p50sOf(variant));
      const mediansMs = scenario.target?.kind === 'median' ? mediansOf(variant) : undefined;
      const cpuMs = variant.rounds.flatMap(({ cpuMsPerRequest }) => cpuMsPerRequest ?? []);
      return {
        id: scenario.id,
        title: scenario.title,
        variant: variant.name,
        requestsPerSecond: median(variant.rounds.map((round) => round.requestsPerSecond)),
        p50Ms: median(p50sOf(variant)),
        p99Ms: median(variant.rounds.map((round) => round.p99Ms)),
        cpuMsPerRequest: cpuMs.length === 0 ? null : median(cpuMs),
        generatorCpuShare: median(variant.rounds.map((round) => round.generatorCpuShare)),
        ratio,
        target: verdictOf(scenario.target, { ratio, mediansMs }),
        ...(mediansMs && { mediansMs }),
      };
    }),
  );
}

/** Markdown: the conditions, then a table with a line for each variant. */
export function markdownOf(lines: readonly Line[], conditions: Conditions): string {
  return [...aboutConditions(conditions), '', ...tableOf(lines), ''].join('\n');
}

function aboutConditions(conditions: Conditions): string[] {
  const { processor, coreCount, memoryGiB, load, node, postgres } = conditions;
  const { rounds, secondsPerRound, residentMiB } = conditions;
  return [
    `${conditions.startedAt}, commit ${conditions.commit}`,
    '',
    `- ${coreCount} × ${processor}, ${memoryGiB.toFixed(0)} GiB; load ${load.before.toFixed(1)} before and ${load.after.toFixed(1)} after`,
    `- Node ${node}, Postgres ${postgres}`,
    `- ${rounds} rounds by turns, ${secondsPerRound} s for each variant; figures are medians of the rounds`,
    ...(residentMiB === null
      ? []
      : [`- memory of the API at the end: ${residentMiB.toFixed(0)} MiB`]),
  ];
}

function tableOf(lines: readonly Line[]): string[] {
  const rows = lines.map((line) => [
    `${line.id} \`${line.title}\``,
    line.variant,
    line.requestsPerSecond.toLocaleString('en', { maximumFractionDigits: 0 }),
    line.p50Ms.toFixed(2),
    line.p99Ms.toFixed(2),
    line.cpuMsPerRequest?.toFixed(2) ?? '',
    line.ratio === null ? '' : ratioText(line.ratio),
    line.target === null ? '' : targetText(line.target),
  ]);
  return [
    '| scenario | variant | requests/s | p50 ms | p99 ms | API CPU ms | ratio of p50 (rounds) | target |',
    '|---|---|--:|--:|--:|--:|--:|---|',
    ...rows.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`),
  ];
}

function ratioText({ ofMedians, lowest, highest }: Ratio): string {
  return `${ofMedians.toFixed(2)} (${lowest.toFixed(2)}–${highest.toFixed(2)})`;
}

function targetText({ isMet, ...target }: Target & { isMet: boolean }): string {
  const wanted =
    target.kind === 'ratio' ? `≤ ${target.most.toFixed(1)}` : `median ≤ ${target.mostMs} ms`;
  return `${wanted}: ${isMet ? 'met' : 'missed'}`;
}

function verdictOf(
  target: Target | undefined,
  { ratio, mediansMs }: { ratio: Ratio | null; mediansMs: readonly number[] | undefined },
): Line['target'] {
  if (target === undefined) return null;
  if (target.kind === 'ratio') {
    return ratio && { ...target, isMet: ratio.ofMedians <= target.most };
  }
  return mediansMs === undefined ? null : { ...target, isMet: median(mediansMs) <= target.mostMs };
}

function p50sOf({ rounds }: MeasuredVariant): number[] {
  return rounds.map(({ p50Ms }) => p50Ms);
}

/** Of the rounds that got as far as the request. */
function mediansOf({ rounds }: MeasuredVariant): number[] {
  const requestCount = rounds[0]?.mediansMs.length ?? 0;
  return Array.from({ length: requestCount }, (_, index) =>
    median(rounds.map(({ mediansMs }) => mediansMs[index] ?? Number.NaN).filter(Number.isFinite)),
  );
}
