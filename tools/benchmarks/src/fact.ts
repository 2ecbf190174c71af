/** Something measured that is no scenario of requests. */
export interface Fact {
  readonly id: string;
  readonly title: string;
  readonly value: number;
  readonly unit: 's' | 'KB' | 'exchanges' | 'tests';
  /** What it should be at most. */
  readonly most?: number;
}

/** Markdown: a row for each. */
export function factTable(facts: readonly Fact[]): string[] {
  return [
    '| what | measured | target |',
    '|---|--:|---|',
    ...facts.map(
      (fact) => `| ${fact.id} ${fact.title} | ${measuredText(fact)} | ${targetText(fact)} |`,
    ),
  ];
}

function measuredText({ value, unit }: Fact): string {
  const digits = unit === 's' ? 2 : unit === 'KB' ? 1 : 0;
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
