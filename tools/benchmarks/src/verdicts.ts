import type { Fact } from './fact.ts';
import type { Line } from './report.ts';
import { median } from './statistics.ts';

/** A target and whether a run met it. */
export interface Verdict {
  readonly id: string;
  readonly what: string;
  readonly wanted: string;
  readonly reached: string;
  readonly isMet: boolean;
}

const service = 'Atelier';
const fastify = 'bare Fastify';
const sideBySide = ['S0', 'S1', 'S2', 'S3'];
const maxOfFastifyP99 = 1.3;
const maxOfFastifyMemory = 1.2;

/** Judges every target that the lines and facts cover. */
export function verdictsOf(lines: readonly Line[], facts: readonly Fact[]): Verdict[] {
  return [
    ...sideBySide.flatMap((id) => againstLimits(lines, id)),
    ...lines.flatMap(ofLead),
    ...lines.flatMap(ofGrowth),
    ...facts.flatMap(ofFact),
  ].toSorted((one, other) => one.id.localeCompare(other.id));
}

function againstLimits(lines: readonly Line[], id: string): Verdict[] {
  const inScenario = (variant: string) =>
    lines.find((line) => line.id === id && line.variant === variant);
  const [own, bare] = [inScenario(service), inScenario(fastify)];
  if (!own) return [];
  return [
    ...(own.ratio && own.target?.kind === 'throughput'
      ? [
          atLeast(own.target.least, own.ratio.ofMedians, {
            id,
            what: 'throughput against the limit',
          }),
        ]
      : []),
    ...(bare?.lead
      ? [atLeast(1, bare.lead.ofMedians, { id, what: 'throughput against bare Fastify' })]
      : []),
    ...(bare
      ? [
          atMost(maxOfFastifyP99, own.p99Ms / bare.p99Ms, {
            id,
            what: 'p99 against bare Fastify',
          }),
        ]
      : []),
    ...(id === 'S2' && bare?.residentMiB && own.residentMiB
      ? [
          atMost(maxOfFastifyMemory, own.residentMiB / bare.residentMiB, {
            id,
            what: 'memory against bare Fastify',
          }),
        ]
      : []),
  ];
}

function ofLead({ id, variant, lead, target }: Line): Verdict[] {
  if (lead === null || target?.kind !== 'lead') return [];
  return [atLeast(target.least, lead.ofMedians, { id, what: `throughput against ${variant}` })];
}

function ofGrowth({ id, title, variant, ratio, target, mediansMs = [] }: Line): Verdict[] {
  const what = `\`${title}\`, ${variant}`;
  if (target?.kind === 'ratio' && ratio) {
    return [atMost(target.most, ratio.ofMedians, { id, what: `${target.of} of ${what}` })];
  }
  if (target?.kind !== 'median') return [];
  const [usual, slowest] = [median(mediansMs), Math.max(...mediansMs)];
  return [
    {
      id,
      what: `median of ${what}`,
      wanted: `≤ ${target.mostMs} ms`,
      reached: `${usual.toFixed(1)} ms, slowest ${slowest.toFixed(1)} ms`,
      isMet: target.isMet,
    },
  ];
}

function ofFact({ id, title, value, unit, most }: Fact): Verdict[] {
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
}

type Named = Pick<Verdict, 'id' | 'what'>;

function atLeast(least: number, reached: number, named: Named): Verdict {
  return { ...named, wanted: `≥ ${least} ×`, reached: times(reached), isMet: reached >= least };
}

function atMost(most: number, reached: number, named: Named): Verdict {
  return { ...named, wanted: `≤ ${most} ×`, reached: times(reached), isMet: reached <= most };
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
