import { describe, expect, test } from 'vitest';
import type { MeasuredScenario, Round } from './measure.ts';
import { linesOf, markdownOf, type Conditions } from './report.ts';
import type { Scenario, Target } from './scenario.ts';

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

function round(p50Ms: number, more: Partial<Round> = {}): Round {
  return {
    requestCount: 100,
    requestsPerSecond: 1000 / p50Ms,
    p50Ms,
    p99Ms: p50Ms * 3,
    mediansMs: [p50Ms],
    generatorCpuShare: 0.1,
    cpuMsPerRequest: null,
    residentBytes: null,
    ...more,
  };
}

function measured(
  rounds: Round[][],
  target?: Target,
  more: Partial<Scenario> = {},
): MeasuredScenario {
  return {
    scenario: { id: 'S4', title: 'GET /a?b|c', variants: [], ...(target && { target }), ...more },
    variants: rounds.map((each, index) => ({
      name: `variant ${index}`,
      isJudged: index < 2,
      rounds: each,
    })),
  };
}

describe('the lines of a report', () => {
  test('take medians of the rounds, and compare each variant with the first', () => {
    const lines = linesOf([
      measured([
        [round(10), round(20), round(11)],
        [round(15), round(20), round(16)],
        [round(5), round(5), round(5)],
      ]),
    ]);
    expect(lines.map(({ p50Ms, p99Ms }) => [p50Ms, p99Ms])).toEqual([
      [11, 33],
      [16, 48],
      [5, 15],
    ]);
    expect(lines.map(({ ratio }) => ratio?.ofMedians)).toEqual([undefined, 16 / 11, 5 / 11]);
    expect(lines[1]?.ratio).toMatchObject({ lowest: 1, highest: 1.5 });
  });

  test.each([
    [1.5, true],
    [1.49, false],
  ])('say of a ratio of 1.5 against %d whether it is met', (most, isMet) => {
    const [base, compared] = linesOf([
      measured([[round(10)], [round(15)]], { kind: 'ratio', of: 'p50', most }),
    ]);
    expect(base?.target).toBeNull();
    expect(compared?.target?.isMet).toBe(isMet);
  });

  test('judge a median by each request equally, and skip requests that no round reached', () => {
    const [line] = linesOf([
      measured(
        [[round(1, { mediansMs: [10, 60, 70] }), round(1, { mediansMs: [20, Number.NaN, 80] })]],
        { kind: 'median', mostMs: 50 },
      ),
    ]);
    expect(line?.mediansMs).toEqual([15, 60, 75]);
    expect(line?.target?.isMet).toBe(false);
  });

  test('compare throughput, and processor time', () => {
    const lines = linesOf([
      measured(
        [
          [round(10, { cpuMsPerRequest: 0.2 })],
          [round(8, { cpuMsPerRequest: 0.25 })],
          [round(5, { cpuMsPerRequest: null })],
        ],
        { kind: 'throughput', least: 1.25 },
        { compares: 'throughput' },
      ),
    ]);
    expect(lines.map(({ ratio }) => ratio?.ofMedians)).toEqual([undefined, 1.25, 2]);
    expect(lines.map(({ cpuRatio }) => cpuRatio?.ofMedians)).toEqual([undefined, 0.8, undefined]);
    // The third is a comparison without a target.
    expect(lines.map(({ target }) => target?.isMet)).toEqual([undefined, true, undefined]);
  });

  test('say how far the judged variant leads, and whether that is enough', () => {
    const another = (leadWanted: number) => ({
      name: `at least ${leadWanted}`,
      isJudged: false,
      leadWanted,
      rounds: [round(30, { cpuMsPerRequest: 0.5 })],
    });
    const { scenario, variants } = measured(
      [[round(10)], [round(10, { cpuMsPerRequest: 0.25 })]],
      { kind: 'throughput', least: 1 },
      { compares: 'throughput' },
    );
    const [limit, service] = variants.map((each, index) => ({ ...each, isJudged: index === 1 }));
    const lines = linesOf([
      {
        scenario,
        variants: [limit, service, another(3), another(3.1)].flatMap((each) => each ?? []),
      },
    ]);
    expect(lines.map(({ lead }) => lead?.ofMedians)).toEqual([1, undefined, 3, 3]);
    expect(lines.map(({ cpuLead }) => cpuLead?.ofMedians)).toEqual([undefined, undefined, 2, 2]);
    expect(lines.map(({ target }) => target?.isMet)).toEqual([undefined, true, true, false]);
  });

  test('omit unknown processor time', () => {
    const lines = linesOf([measured([[round(1)], [round(1, { cpuMsPerRequest: 0.25 })]])]);
    expect(lines.map(({ cpuMsPerRequest }) => cpuMsPerRequest)).toEqual([null, 0.25]);
  });
});

test('the table has one row for each line, whatever characters the titles contain', () => {
  const lines = linesOf([
    measured([[round(10)], [round(15)]], { kind: 'ratio', of: 'p50', most: 1.2 }),
  ]);
  const rows = markdownOf({ lines, conditions, facts: [] })
    .split('\n')
    .filter((line) => line.startsWith('|'));
  expect(rows).toHaveLength(4);
  const cells = rows.map((row) => row.split(/(?<!\\)\|/).length);
  expect(new Set(cells)).toEqual(new Set([14]));
  expect(rows[3]).toContain('p50 1.50 (1.50–1.50)');
  expect(rows[3]).toContain('≤ 1.2: missed');
});
