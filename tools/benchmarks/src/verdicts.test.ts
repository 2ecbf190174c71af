import { describe, expect, test } from 'vitest';
import type { Line } from './report.ts';
import { verdictsOf, verdictTable } from './verdicts.ts';

function line(id: string, variant: string, more: Partial<Line> = {}): Line {
  return {
    id,
    title: 'GET /a?b|c',
    variant,
    requestsPerSecond: 1000,
    p50Ms: 1,
    p99Ms: 10,
    cpuMsPerRequest: 0.1,
    generatorCpuShare: 0.5,
    residentMiB: 100,
    compares: 'throughput',
    ratio: null,
    cpuRatio: null,
    lead: null,
    cpuLead: null,
    target: null,
    ...more,
  };
}

const of = (ofMedians: number) => ({ ofMedians, lowest: ofMedians, highest: ofMedians });

describe('verdicts', () => {
  test.each([
    [13, 120, [true, true]],
    [13.1, 120.1, [false, false]],
  ])('judge p99 %d and memory %d against bare Fastify', (p99Ms, residentMiB, isMet) => {
    const verdicts = verdictsOf(
      [line('S2', 'Atelier', { p99Ms, residentMiB }), line('S2', 'bare Fastify')],
      [],
    );
    expect(verdicts.map(({ what }) => what)).toEqual([
      'p99 against bare Fastify',
      'memory against bare Fastify',
    ]);
    expect(verdicts.map((verdict) => verdict.isMet)).toEqual(isMet);
  });

  test.each([
    [3, true],
    [2.99, false],
  ])('judge a lead of %d where 3 is wanted', (lead, isMet) => {
    const target = { kind: 'lead', least: 3, isMet } as const;
    const verdicts = verdictsOf([line('S1', 'Hono', { lead: of(lead), target })], []);
    expect(verdicts).toEqual([
      {
        id: 'S1',
        what: 'throughput against Hono',
        wanted: '≥ 3 ×',
        reached: `${lead.toFixed(2)} ×`,
        isMet,
      },
    ]);
  });

  test.each([
    [1, true],
    [0.99, false],
  ])('never let bare Fastify serve more: %d', (lead, isMet) => {
    const verdicts = verdictsOf(
      [line('S3', 'Atelier'), line('S3', 'bare Fastify', { lead: of(lead) })],
      [],
    );
    expect(verdicts.find(({ what }) => what === 'throughput against bare Fastify')?.isMet).toBe(
      isMet,
    );
  });

  test('judge only facts that have a target', () => {
    const fact = { id: 'S6', title: 'to complete', value: 4, unit: 'round trips' } as const;
    expect(verdictsOf([], [fact])).toEqual([]);
    expect(verdictsOf([], [{ ...fact, most: 4 }])[0]?.isMet).toBe(true);
    expect(verdictsOf([], [{ ...fact, most: 3 }])[0]?.isMet).toBe(false);
  });

  test('list missed targets first, one row each', () => {
    const kept = { id: 'S4', what: 'a|b', wanted: '≤ 1', reached: '1', isMet: true };
    const [count, , , , ...rows] = verdictTable([kept, { ...kept, isMet: false }]);
    expect(count).toBe('1 of 2 targets met.');
    expect(rows.map((row) => row.split(/(?<!\\)\|/).length)).toEqual([7, 7]);
    expect(rows.map((row) => row.includes('missed'))).toEqual([true, false]);
  });
});
