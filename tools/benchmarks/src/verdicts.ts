import type { Fact } from './fact.ts';
import type { MeasuredScenario, MeasuredVariant } from './measure.ts';
import type { Measure, Role, Target } from './scenario.ts';
import { median, ratioOf, type Ratio } from './statistics.ts';

/** A target and whether a run met it. */
export interface Verdict {
  readonly id: string;
  readonly what: string;
  readonly wanted: string;
  readonly reached: string;
  readonly isMet: boolean;
}

/** Judges every target of the scenarios. A target whose variants weren't measured has no verdict. */
export function verdictsOf(measured: readonly MeasuredScenario[]): Verdict[] {
  return measured.flatMap((each) =>
    (each.scenario.targets ?? []).flatMap((target) =>
      judged(target, each).map((verdict) => ({ id: each.scenario.id, ...verdict })),
    ),
  );
}

/** Judges the facts that have a target. */
export function factVerdicts(facts: readonly Fact[]): Verdict[] {
  return facts.flatMap(({ id, title, value, unit, most }) => {
    if (most === undefined) return [];
    const reached = unit === 's' ? value.toFixed(2) : String(value);
    return [
      {
        id,
        what: title,
        wanted: `≤ ${most} ${unit}`,
        reached: `${reached} ${unit}`,
        isMet: value <= most,
      },
    ];
  });
}

type Judged = Omit<Verdict, 'id'>;

function judged(target: Target, measured: MeasuredScenario): Judged[] {
  const { variants, scenario } = measured;
  switch (target.kind) {
    case 'throughput':
      return compared(variants, target.over, (service, other) =>
        target.named !== undefined && other.name !== target.named
          ? null
          : atLeast(target.least, ratioBy(other, service, 'throughput').ofMedians, {
              what: `throughput beside ${other.name}`,
            }),
      );
    case 'processor':
      return compared(variants, target.over, (service, other) => {
        const ratio = processorRatio(other, service);
        const what = `throughput by processor time beside ${other.name}`;
        return ratio && atLeast(target.least, ratio.ofMedians, { what });
      });
    case 'p99':
      return compared(variants, target.beside, (service, other) =>
        atMost(target.most, ratioBy(other, service, 'p99').ofMedians, {
          what: `p99 beside ${other.name}`,
        }),
      );
    case 'memory':
      return compared(variants, target.beside, (service, other) => {
        const [own, beside] = [memoryOf(service), memoryOf(other)];
        const what = `memory beside ${other.name}`;
        return own === null || beside === null ? null : atMost(target.most, own / beside, { what });
      });
    case 'growth':
      return grown(target, measured);
    case 'postgres':
      return variants.flatMap((variant) => {
        const found = known(variant.rounds.map((round) => round.postgresMsPerRequest));
        if (found === null) return [];
        const what = `Postgres for \`${scenario.title}\`, ${variant.name}`;
        return [within(target.maxMs, median(found), { what })];
      });
    case 'slowest':
      return variants.map((variant) =>
        within(target.maxMs, slowestOf(variant), {
          what: `p99 of the slowest of \`${scenario.title}\``,
        }),
      );
  }
}

/** Judges the service beside every variant of a role. */
function compared(
  variants: readonly MeasuredVariant[],
  role: Role,
  judge: (service: MeasuredVariant, other: MeasuredVariant) => Judged | null,
): Judged[] {
  const service = variants.find((variant) => variant.role === 'service');
  if (!service) return [];
  const others = variants.filter((variant) => variant.role === role);
  return others.flatMap((other) => judge(service, other) ?? []);
}

function grown(
  target: Extract<Target, { kind: 'growth' }>,
  { variants, scenario }: MeasuredScenario,
): Judged[] {
  const [first, last] = [variants[0], variants.at(-1)];
  if (!first || !last || first === last) return [];
  const reached = ratioBy(first, last, target.of)[target.by];
  const round = target.by === 'highest' ? ', in every round' : '';
  return [
    atMost(target.most, reached, {
      what: `${target.of} of \`${scenario.title}\`, ${last.name}${round}`,
    }),
  ];
}

/** Reads a measure of each round. */
export function valuesOf({ rounds }: MeasuredVariant, measure: Measure): number[] {
  switch (measure) {
    case 'p50':
      return rounds.map(({ p50Ms }) => p50Ms);
    case 'p99':
      return rounds.map(({ p99Ms }) => p99Ms);
    case 'throughput':
      return rounds.map(({ requestsPerSecond }) => requestsPerSecond);
  }
}

function ratioBy(base: MeasuredVariant, other: MeasuredVariant, measure: Measure): Ratio {
  return ratioOf(valuesOf(base, measure), valuesOf(other, measure));
}

/** Compares processor time as throughputs on one core are compared; null if one is unknown. */
export function processorRatio(base: MeasuredVariant, other: MeasuredVariant): Ratio | null {
  const [ofBase, ofOther] = [base, other].map(({ rounds }) =>
    known(rounds.map(({ cpuMsPerRequest }) => cpuMsPerRequest)),
  );
  return ofBase && ofOther ? ratioOf(ofOther, ofBase) : null;
}

function memoryOf({ rounds }: MeasuredVariant): number | null {
  const found = known(rounds.map(({ residentBytes }) => residentBytes));
  return found && median(found);
}

/** The highest p99 of a request: of each, the median of the rounds that sent it. */
function slowestOf({ rounds }: MeasuredVariant): number {
  const [{ p99sMs: requests } = { p99sMs: [] }] = rounds;
  const p99s = requests.map((_, index) =>
    median(rounds.map(({ p99sMs }) => p99sMs[index] ?? Number.NaN).filter(Number.isFinite)),
  );
  return Math.max(...p99s);
}

function known(values: readonly (number | null)[]): number[] | null {
  const found = values.flatMap((value) => value ?? []);
  return found.length === values.length ? found : null;
}

type Named = Pick<Verdict, 'what'>;

function atLeast(least: number, reached: number, named: Named): Judged {
  return { ...named, wanted: `≥ ${least} ×`, reached: times(reached), isMet: reached >= least };
}

function atMost(most: number, reached: number, named: Named): Judged {
  return { ...named, wanted: `≤ ${most} ×`, reached: times(reached), isMet: reached <= most };
}

function within(maxMs: number, reached: number, named: Named): Judged {
  return {
    ...named,
    wanted: `≤ ${maxMs} ms`,
    reached: `${reached.toFixed(2)} ms`,
    isMet: reached <= maxMs,
  };
}

function times(value: number): string {
  return `${value.toFixed(2)} ×`;
}

/** Returns Markdown: the count, the missed targets, then the met ones. */
export function verdictTable(verdicts: readonly Verdict[]): string[] {
  const ordered = [false, true].flatMap((isMet) =>
    verdicts.filter((verdict) => verdict.isMet === isMet),
  );
  const metCount = verdicts.filter(({ isMet }) => isMet).length;
  return [
    `${metCount} of ${verdicts.length} targets met.`,
    '',
    '| scenario | target of | target | reached | |',
    '|---|---|--:|--:|---|',
    ...ordered.map(
      ({ id, what, wanted, reached, isMet }) =>
        `| ${id} | ${what.replaceAll('|', '\\|')} | ${wanted} | ${reached} | ${isMet ? 'met' : '**missed**'} |`,
    ),
  ];
}
