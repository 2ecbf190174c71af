import { describe, expect, test } from 'vitest';
import type { MeasuredScenario } from './measure.ts';
import { linesOf, markdownOf, type Conditions } from './report.ts';
import { round, variant } from './testing.ts';

const conditions: Conditions = {
  startedAt: '2026-11-21T12:00:00.000Z',
  commit: 'abc1234',
  processor: 'Some processor',
  coreCount: 2,
  memoryGiB: 8,
  load: { before: 0.5, after: 2 },
  node: '26.10.0',
  postgres: '18.4',
  rounds: 3,
  secondsPerRound: 4,
  isPinned: true,
};

const scenario = { id: 'S4', title: 'GET /a?b|c', variants: [] };
const beside = { ...scenario, compares: 'throughput' } as const;

describe('the lines of a report', () => {
  test('take medians of the rounds, and compare each variant with the first', () => {
    const lines = linesOf([
      {
        scenario,
        variants: [
          variant('service', [round(10), round(20), round(11)]),
          variant('service', [round(15), round(20), round(16)]),
          variant('service', [round(5), round(5), round(5)]),
        ],
      },
    ]);
    expect(lines.map(({ p50Ms, p99Ms }) => [p50Ms, p99Ms])).toEqual([
      [11, 33],
      [16, 48],
      [5, 15],
    ]);
    expect(lines.map(({ ratio }) => ratio?.ofMedians)).toEqual([undefined, 16 / 11, 5 / 11]);
    expect(lines[1]?.ratio).toMatchObject({ lowest: 1, highest: 1.5 });
  });

  test('compare throughput, and processor time', () => {
    const lines = linesOf([
      {
        scenario: beside,
        variants: [
          variant('limit', [round(10, { cpuMsPerRequest: 0.2 })]),
          variant('service', [round(8, { cpuMsPerRequest: 0.25 })]),
          variant('comparison', [round(5, { cpuMsPerRequest: null })]),
        ],
      },
    ]);
    expect(lines.map(({ ratio }) => ratio?.ofMedians)).toEqual([undefined, 1.25, 2]);
    expect(lines.map(({ cpuRatio }) => cpuRatio?.ofMedians)).toEqual([undefined, 0.8, undefined]);
  });

  test('say how far the service leads', () => {
    const lines = linesOf([
      {
        scenario: beside,
        variants: [
          variant('limit', [round(10)]),
          variant('service', [round(10, { cpuMsPerRequest: 0.25 })]),
          variant('plain', [round(30, { cpuMsPerRequest: 0.5 })]),
        ],
      },
    ]);
    expect(lines.map(({ lead }) => lead?.ofMedians)).toEqual([1, undefined, 3]);
    expect(lines.map(({ cpuLead }) => cpuLead?.ofMedians)).toEqual([undefined, undefined, 2]);
  });

  test('omit unknown processor time', () => {
    const measured: MeasuredScenario = {
      scenario,
      variants: [
        variant('service', [round(1)]),
        variant('service', [round(1, { cpuMsPerRequest: 0.25, postgresMsPerRequest: 0.5 })]),
      ],
    };
    const lines = linesOf([measured]);
    expect(lines.map(({ cpuMsPerRequest }) => cpuMsPerRequest)).toEqual([null, 0.25]);
    expect(lines.map((line) => line.postgresMsPerRequest)).toEqual([null, 0.5]);
  });
});

test('the table has one row for each line, whatever characters the titles contain', () => {
  const variants = [variant('service', [round(10)]), variant('service', [round(15)])];
  const lines = linesOf([{ scenario, variants }]);
  const rows = markdownOf({ lines, conditions, verdicts: [], facts: [] })
    .split('\n')
    .filter((line) => line.startsWith('|'));
  expect(rows).toHaveLength(4);
  const cells = rows.map((row) => row.split(/(?<!\\)\|/).length);
  expect(new Set(cells)).toEqual(new Set([14]));
  expect(rows[3]).toContain('p50 1.50 (1.50–1.50)');
});
