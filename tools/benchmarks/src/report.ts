import { factTable, type Fact } from './fact.ts';
import type { MeasuredScenario, MeasuredVariant } from './measure.ts';
import type { Measure, Target } from './scenario.ts';
import { median, ratioOf, type Ratio } from './statistics.ts';

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

/** The target for the service's throughput, as a multiple of another's. */
export interface Lead {
  readonly kind: 'lead';
  readonly least: number;
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
  readonly target: ((Target | Lead) & { readonly isMet: boolean }) | null;
  /** The median of each request of the traffic, if the target needs them. */
  readonly mediansMs?: readonly number[];
}

/** The JSON report of a run. */
export interface Report {
  readonly conditions: Conditions;
  readonly lines: readonly Line[];
  readonly facts: readonly Fact[];
}

/** Computes the lines of a report, in the order of the scenarios. */
export function linesOf(measured: readonly MeasuredScenario[]): Line[] {
  return measured.flatMap(({ scenario, variants }) => {
    const compares = scenario.compares ?? 'p50';
    const [base] = variants;
    const service =
      compares === 'throughput' && variants.find((variant) => variant !== base && variant.isJudged);
    return variants.map((variant): Line => {
      const isBase = variant === base || base === undefined;
      const ratio = isBase ? null : ratioOf(valuesOf(base, compares), valuesOf(variant, compares));
      const mediansMs = scenario.target?.kind === 'median' ? mediansOf(variant) : undefined;
      const { rounds } = variant;
      const target = variant.isJudged ? scenario.target : undefined;
      const lead = !service || service === variant ? null : leadOf(service, variant);
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
        compares,
        ratio,
        cpuRatio: isBase || compares !== 'throughput' ? null : cpuRatioOf(base, variant),
        lead,
        cpuLead: lead && service ? cpuRatioOf(variant, service) : null,
        target: lead ? leadVerdict(variant, lead) : verdictOf(target, { ratio, mediansMs }),
        ...(mediansMs && { mediansMs }),
      };
    });
  });
}

function leadOf(service: MeasuredVariant, other: MeasuredVariant): Ratio {
  return ratioOf(valuesOf(other, 'throughput'), valuesOf(service, 'throughput'));
}

function leadVerdict({ leadWanted }: MeasuredVariant, { ofMedians }: Ratio): Line['target'] {
  if (leadWanted === undefined) return null;
  return { kind: 'lead', least: leadWanted, isMet: ofMedians >= leadWanted };
}

function valuesOf({ rounds }: MeasuredVariant, measure: Measure): number[] {
  switch (measure) {
    case 'p50':
      return rounds.map(({ p50Ms }) => p50Ms);
    case 'p99':
      return rounds.map(({ p99Ms }) => p99Ms);
    case 'throughput':
      return rounds.map(({ requestsPerSecond }) => requestsPerSecond);
  }
}

function cpuRatioOf(base: MeasuredVariant, compared: MeasuredVariant): Ratio | null {
  const timesOf = ({ rounds }: MeasuredVariant) =>
    rounds.flatMap(({ cpuMsPerRequest }) => cpuMsPerRequest ?? []);
  const [ofBase, ofCompared] = [timesOf(base), timesOf(compared)];
  const isKnown = ofBase.length === base.rounds.length && ofBase.length === ofCompared.length;
  return isKnown ? ratioOf(ofCompared, ofBase) : null;
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
    line.residentMiB?.toFixed(0) ?? '',
    `${(line.generatorCpuShare * 100).toFixed(0)} %`,
    line.ratio === null ? '' : `${line.compares} ${ratioText(line.ratio)}`,
    line.cpuRatio === null ? '' : ratioText(line.cpuRatio),
    leadText(line),
    line.target === null ? '' : targetText(line.target),
  ]);
  return [
    '| scenario | variant | requests/s | p50 ms | p99 ms | CPU ms | MiB | generator | ratio (rounds) | by CPU | Atelier | target |',
    '|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|',
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

function targetText({ isMet, ...target }: (Target | Lead) & { isMet: boolean }): string {
  return `${wantedText(target)}: ${isMet ? 'met' : 'missed'}`;
}

function wantedText(target: Target | Lead): string {
  switch (target.kind) {
    case 'lead':
      return `Atelier ≥ ${target.least} ×`;
    case 'ratio':
      return `≤ ${target.most.toFixed(1)}`;
    case 'throughput':
      return `≥ ${target.least.toFixed(2)}`;
    case 'median':
      return `median ≤ ${target.mostMs} ms`;
  }
}

function verdictOf(
  target: Target | undefined,
  { ratio, mediansMs }: { ratio: Ratio | null; mediansMs: readonly number[] | undefined },
): Line['target'] {
  switch (target?.kind) {
    case undefined:
      return null;
    case 'ratio':
      return ratio && { ...target, isMet: ratio.ofMedians <= target.most };
    case 'throughput':
      return ratio && { ...target, isMet: ratio.ofMedians >= target.least };
    case 'median':
      return mediansMs === undefined
        ? null
        : { ...target, isMet: median(mediansMs) <= target.mostMs };
  }
}

/** Computes the median of each request over the rounds that reached it. */
function mediansOf({ rounds }: MeasuredVariant): number[] {
  const requestCount = rounds[0]?.mediansMs.length ?? 0;
  return Array.from({ length: requestCount }, (_, index) =>
    median(rounds.map(({ mediansMs }) => mediansMs[index] ?? Number.NaN).filter(Number.isFinite)),
  );
}
