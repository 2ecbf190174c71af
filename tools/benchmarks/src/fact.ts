/** A measured value that isn't from a scenario. */
export interface Fact {
  readonly id: string;
  readonly title: string;
  readonly value: number;
  readonly unit: 's' | 'kB' | 'round trips' | 'tests';
  /** The maximum of the target. */
  readonly most?: number;
}

/** Returns a Markdown table of the facts. */
export function factTable(facts: readonly Fact[]): string[] {
  return [
    '| fact | measured | target |',
    '|---|--:|---|',
    ...facts.map(
      (fact) => `| ${fact.id} ${fact.title} | ${measuredText(fact)} | ${targetText(fact)} |`,
    ),
  ];
}

function measuredText({ value, unit }: Fact): string {
  const digits = unit === 's' ? 2 : unit === 'kB' ? 1 : 0;
  const shown = value.toLocaleString('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return `${shown} ${unit}`;
}

function targetText({ value, unit, most }: Fact): string {
  if (most === undefined) return '';
  return `≤ ${most} ${unit}: ${value <= most ? 'met' : 'missed'}`;
}
