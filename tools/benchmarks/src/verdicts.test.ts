import { describe, expect, test } from 'vitest';
import type { MeasuredVariant } from './measure.ts';
import type { Target } from './scenario.ts';
import { round, variant } from './testing.ts';
import { factVerdicts, verdictsOf, verdictTable } from './verdicts.ts';

function judge(target: Target, variants: readonly MeasuredVariant[]) {
  const scenario = { id: 'S1', title: 'GET /a', variants: [], targets: [target] };
  return verdictsOf([{ scenario, variants }]);
}

describe('verdicts', () => {
  test.each([
    [2, true],
    [2.01, false],
  ])('judge twice the throughput of another where %d is wanted', (least, isMet) => {
    const target = { kind: 'throughput', over: 'plain', least } as const;
    const variants = [
      variant('limit', [round(1)]),
      variant('service', [round(10)]),
      variant('plain', [round(20)]),
    ];
    const what = 'throughput beside the plain';
    expect(judge(target, variants)).toEqual([
      { id: 'S1', what, wanted: `≥ ${least} ×`, reached: '2.00 ×', isMet },
    ]);
  });

  test('judge beside all of a role, or the named one', () => {
    const variants = [
      variant('service', [round(10)]),
      { ...variant('product', [round(20)]), name: 'One' },
      { ...variant('product', [round(30)]), name: 'Another' },
    ];
    const target = { kind: 'throughput', over: 'product', least: 2 } as const;
    const judgedNames = (given: Target) => judge(given, variants).map(({ what }) => what);
    expect(judgedNames(target)).toEqual(['throughput beside One', 'throughput beside Another']);
    expect(judgedNames({ ...target, named: 'Another' })).toEqual(['throughput beside Another']);
  });

  test('judge by processor time, at any throughput', () => {
    const target = { kind: 'processor', over: 'limit', least: 0.75 } as const;
    const limit = variant('limit', [round(1, { cpuMsPerRequest: 0.75 })]);
    const judged = [1, 1.01].map((cpuMsPerRequest) =>
      judge(target, [limit, variant('service', [round(50, { cpuMsPerRequest })])]),
    );
    expect(judged.flat().map(({ isMet }) => isMet)).toEqual([true, false]);
    expect(judge(target, [limit, variant('service', [round(1)])])).toEqual([]);
  });

  test.each([
    [13, 120, [true, true]],
    [13.1, 120.1, [false, false]],
  ])('judge p99 %d and memory %d beside bare Fastify', (p99Ms, residentBytes, isMet) => {
    const variants = [
      variant('service', [round(1, { p99Ms, residentBytes })]),
      variant('framework', [round(1, { p99Ms: 10, residentBytes: 100 })]),
    ];
    const verdicts = [
      ...judge({ kind: 'p99', beside: 'framework', most: 1.3 }, variants),
      ...judge({ kind: 'memory', beside: 'framework', most: 1.2 }, variants),
    ];
    expect(verdicts.map((verdict) => verdict.isMet)).toEqual(isMet);
  });

  test('judge growth by the medians, or in every round', () => {
    const rounds = (...times: number[]) => times.map((ms) => round(ms));
    const variants = [
      variant('service', rounds(10, 10, 10)),
      variant('service', rounds(14, 15, 21)),
    ];
    const target = { kind: 'growth', of: 'p99', most: 2 } as const;
    expect(judge({ ...target, by: 'ofMedians' }, variants)).toMatchObject([
      { reached: '1.50 ×', isMet: true },
    ]);
    expect(judge({ ...target, by: 'highest' }, variants)).toMatchObject([
      { reached: '2.10 ×', isMet: false },
    ]);
    expect(judge({ ...target, by: 'highest' }, variants.slice(0, 1))).toEqual([]);
  });

  test('judge what Postgres takes for each variant', () => {
    const variants = [0.5, 0.51, null].map((postgresMsPerRequest) =>
      variant('service', [round(1, { postgresMsPerRequest })]),
    );
    const verdicts = judge({ kind: 'postgres', maxMs: 0.5 }, variants);
    expect(verdicts.map(({ isMet }) => isMet)).toEqual([true, false]);
  });

  test('judge each request equally, and skip requests that no round reached', () => {
    const rounds = [round(1, { p99sMs: [10, 60] }), round(1, { p99sMs: [20, Number.NaN] })];
    const verdicts = judge({ kind: 'slowest', maxMs: 50 }, [variant('service', rounds)]);
    expect(verdicts).toMatchObject([{ reached: '60.00 ms', isMet: false }]);
  });

  test('judge only facts that have a target', () => {
    const fact = { id: 'S6', title: 'to complete', value: 4, unit: 'round trips' } as const;
    expect(factVerdicts([fact])).toEqual([]);
    expect(factVerdicts([{ ...fact, most: 4 }])[0]?.isMet).toBe(true);
    expect(factVerdicts([{ ...fact, most: 3 }])[0]?.isMet).toBe(false);
  });

  test('list missed targets first, one row each', () => {
    const kept = { id: 'S4', what: 'a|b', wanted: '≤ 1', reached: '1', isMet: true };
    const [count, , , , ...rows] = verdictTable([kept, { ...kept, isMet: false }]);
    expect(count).toBe('1 of 2 targets met.');
    expect(rows.map((row) => row.split(/(?<!\\)\|/).length)).toEqual([7, 7]);
    expect(rows.map((row) => row.includes('missed'))).toEqual([true, false]);
  });
});
