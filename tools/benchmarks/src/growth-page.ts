import { median } from './statistics.ts';

/** One round of an operation. */
export interface Reading {
  readonly operation: string;
  /** Rows of the organization, or organizations beside it. */
  readonly x: number;
  /** The median time of a request. */
  readonly ms: number;
  /** Processor time of Postgres for each request. */
  readonly postgresMs: number;
}

export interface Growth {
  readonly measuredAt: string;
  readonly bySize: readonly Reading[];
  readonly byOrganizations: readonly Reading[];
}

/** Makes the tables of the growth page, in Markdown. */
export function growthTables({ measuredAt, bySize, byOrganizations }: Growth): string {
  return [
    `Measured on ${measuredAt.slice(0, 10)}. Each cell: the median time of a request, and the processor time of Postgres for it, in milliseconds.`,
    '',
    '## Rows of the organization',
    '',
    ...tableOf(bySize),
    '',
    '![The times over the rows](growth.svg)',
    '',
    '## Organizations beside one of 1,000 rows',
    '',
    ...tableOf(byOrganizations),
  ].join('\n');
}

function tableOf(readings: readonly Reading[]): string[] {
  const columns = columnsOf(readings);
  return [
    `| | ${columns.map((x) => x.toLocaleString('en')).join(' | ')} |`,
    `| --- |${' --: |'.repeat(columns.length)}`,
    ...operationsOf(readings).map((operation) => {
      const cells = columns.map((x) => {
        const own = readings.filter(
          (reading) => reading.operation === operation && reading.x === x,
        );
        const ms = median(own.map((reading) => reading.ms)).toFixed(1);
        return `${ms}, ${median(own.map((reading) => reading.postgresMs)).toFixed(1)}`;
      });
      return `| ${operation} | ${cells.join(' | ')} |`;
    }),
  ];
}

function columnsOf(readings: readonly Reading[]): number[] {
  return [...new Set(readings.map(({ x }) => x))].toSorted((a, b) => a - b);
}

function operationsOf(readings: readonly Reading[]): string[] {
  return [...new Set(readings.map(({ operation }) => operation))];
}

const [width, height, margin] = [760, 420, 60];
const colours = [
  '#2563eb',
  '#0891b2',
  '#16a34a',
  '#ca8a04',
  '#dc2626',
  '#9333ea',
  '#db2777',
  '#475569',
  '#ea580c',
];
const [leastMs, maxMs] = [1, 1_000];

/** Draws the times over the rows, both on logarithmic scales. */
export function growthPlot({ bySize }: Growth): string {
  const columns = columnsOf(bySize);
  const decades = Math.log10((columns.at(-1) ?? 10) / (columns[0] ?? 1)) || 1;
  const labelWidth = 150;
  const xOf = (x: number) =>
    margin + (Math.log10(x / (columns[0] ?? 1)) / decades) * (width - 2 * margin - labelWidth);
  const yOf = (ms: number) => {
    const share = Math.log10(Math.max(ms, leastMs) / leastMs) / Math.log10(maxMs / leastMs);
    return height - margin - share * (height - 2 * margin);
  };
  const grid = [1, 10, 100, 1_000].map(
    (ms) =>
      `<line x1="${margin}" x2="${width - margin - labelWidth}" y1="${yOf(ms)}" y2="${yOf(ms)}" stroke="#cbd5e1"/>` +
      `<text x="${margin - 8}" y="${yOf(ms) + 4}" text-anchor="end">${ms} ms</text>`,
  );
  const ticks = columns.map(
    (x) =>
      `<text x="${xOf(x)}" y="${height - margin + 20}" text-anchor="middle">${x.toLocaleString('en')} rows</text>`,
  );
  const lines = operationsOf(bySize).map((operation, index) => {
    const colour = colours[index % colours.length];
    const points = columns.map((x) => {
      const own = bySize.filter((reading) => reading.operation === operation && reading.x === x);
      return `${xOf(x).toFixed(1)},${yOf(median(own.map(({ ms }) => ms))).toFixed(1)}`;
    });
    const legendY = margin + index * 22;
    return (
      `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>` +
      `<text x="${width - margin - labelWidth + 24}" y="${legendY}" fill="${colour}">${operation}</text>`
    );
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12" fill="#334155">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...grid,
    ...ticks,
    ...lines,
    '</svg>',
    '',
  ].join('\n');
}
