import { factTable, type Fact } from './fact.ts';
import type { MeasuredScenario } from './measure.ts';
import type { Measure } from './scenario.ts';
import { median, ratioOf, type Ratio } from './statistics.ts';
import { processorRatio, valuesOf, type Verdict } from './verdicts.ts';

/** Under which conditions the figures were measured. */
export interface Conditions {
  readonly startedAt: string;
  readonly commit: string;
  readonly processor: string;
  readonly coreCount: number;
  readonly memoryGiB: number;
  /** The load average of one minute, before the first round and after the last. */
  readonly load: { readonly before: number; readonly after: number };
  readonly node: string;
  readonly postgres: string;
  readonly rounds: number;
  readonly secondsPerRound: number;
  readonly isPinned: boolean;
}

/** A line of the table: medians of the rounds. */
export interface Line {
  readonly id: string;
  readonly title: string;
  readonly variant: string;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuMsPerRequest: number | null;
  readonly generatorCpuShare: number;
  readonly residentMiB: number | null;
  readonly postgresMsPerRequest: number | null;
  /** Which measure the ratio compares. */
  readonly compares: Measure;
  /** This variant relative to the first; null for the first. */
  readonly ratio: Ratio | null;
  /** Processor time of the first relative to this one's: the ratio of throughputs on one core. */
  readonly cpuRatio: Ratio | null;
  /** The service's throughput relative to this one's; null if they aren't compared. */
  readonly lead: Ratio | null;
  /** This one's processor time relative to the service's. */
  readonly cpuLead: Ratio | null;
}

/** The JSON report of a run. */
export interface Report {
  readonly conditions: Conditions;
  readonly lines: readonly Line[];
  readonly verdicts: readonly Verdict[];
  readonly facts: readonly Fact[];
}

/** Computes the lines of a report, in the order of the scenarios. */
export function linesOf(measured: readonly MeasuredScenario[]): Line[] {
  return measured.flatMap(({ scenario, variants }) => {
    const compares = scenario.compares ?? 'p50';
    const [base] = variants;
    const service =
      compares === 'throughput' ? variants.find(({ role }) => role === 'service') : undefined;
    return variants.map((variant): Line => {
      const isBase = variant === base || base === undefined;
      const { rounds } = variant;
      const led = service === variant ? undefined : service;
      return {
        id: scenario.id,
        title: scenario.title,
        variant: variant.name,
        requestsPerSecond: median(valuesOf(variant, 'throughput')),
        p50Ms: median(valuesOf(variant, 'p50')),
        p99Ms: median(valuesOf(variant, 'p99')),
        cpuMsPerRequest: medianOrNull(rounds.map(({ cpuMsPerRequest }) => cpuMsPerRequest)),
        generatorCpuShare: median(rounds.map((round) => round.generatorCpuShare)),
        residentMiB: medianOrNull(
          rounds.map(({ residentBytes }) => residentBytes && residentBytes / 1024 ** 2),
        ),
        postgresMsPerRequest: medianOrNull(rounds.map((round) => round.postgresMsPerRequest)),
        compares,
        ratio: isBase ? null : ratioOf(valuesOf(base, compares), valuesOf(variant, compares)),
        cpuRatio: isBase || compares !== 'throughput' ? null : processorRatio(base, variant),
        lead: led ? ratioOf(valuesOf(variant, 'throughput'), valuesOf(led, 'throughput')) : null,
        cpuLead: led ? processorRatio(variant, led) : null,
      };
    });
  });
}

function medianOrNull(values: readonly (number | null)[]): number | null {
  const known = values.flatMap((value) => value ?? []);
  return known.length === 0 ? null : median(known);
}

/** Returns Markdown: the conditions, a table of the variants and one of the facts. */
export function markdownOf({ conditions, lines, facts }: Report): string {
  return [
    ...aboutConditions(conditions),
    '',
    ...tableOf(lines),
    '',
    ...(facts.length > 0 ? [...factTable(facts), ''] : []),
  ].join('\n');
}

function aboutConditions(conditions: Conditions): string[] {
  const { processor, coreCount, memoryGiB, load, node, postgres } = conditions;
  const { rounds, secondsPerRound, isPinned } = conditions;
  return [
    `${conditions.startedAt}, commit ${conditions.commit}`,
    '',
    `- ${coreCount} × ${processor}, ${memoryGiB.toFixed(0)} GiB; load ${load.before.toFixed(1)} before and ${load.after.toFixed(1)} after`,
    `- Node ${node}, Postgres ${postgres}`,
    `- ${rounds} alternating rounds, ${secondsPerRound} s for each variant; figures are medians of the rounds`,
    isPinned
      ? '- the server under test has one core to itself; the generator and Postgres share the others'
      : '- processes are not pinned to cores',
  ];
}

function tableOf(lines: readonly Line[]): string[] {
  const rows = lines.map((line) => [
    `${line.id} \`${line.title}\``,
    line.variant,
    line.requestsPerSecond.toLocaleString('en', { maximumFractionDigits: 0 }),
    line.p50Ms.toFixed(2),
    line.p99Ms.toFixed(2),
    line.cpuMsPerRequest?.toFixed(3) ?? '',
    line.postgresMsPerRequest?.toFixed(2) ?? '',
    line.residentMiB?.toFixed(0) ?? '',
    `${(line.generatorCpuShare * 100).toFixed(0)} %`,
    line.ratio === null ? '' : `${line.compares} ${ratioText(line.ratio)}`,
    line.cpuRatio === null ? '' : ratioText(line.cpuRatio),
    leadText(line),
  ]);
  return [
    '| scenario | variant | requests/s | p50 ms | p99 ms | CPU ms | Postgres ms | MiB | generator | ratio (rounds) | by CPU | Atelier |',
    '|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...rows.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`),
  ];
}

function leadText({ lead, cpuLead }: Line): string {
  if (lead === null) return '';
  const byCpu = cpuLead && `, by CPU ${cpuLead.ofMedians.toFixed(2)} ×`;
  return `${lead.ofMedians.toFixed(2)} ×${byCpu ?? ''}`;
}

function ratioText({ ofMedians, lowest, highest }: Ratio): string {
  return `${ofMedians.toFixed(2)} (${lowest.toFixed(2)}–${highest.toFixed(2)})`;
}
