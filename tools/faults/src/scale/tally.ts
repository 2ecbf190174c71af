import type { Outcome, Request } from '../calls.ts';

/** Counts what clients hear, and tells what they should never have heard. */
export interface Tally {
  readonly note: (outcome: Outcome, request: Request) => void;
  /** An instance is about to be killed; what it holds is cut. */
  expectCuts(instance: string): void;
  /** Lines with how often what was heard. */
  lines(): string[];
  /** What was heard and has no reason, each once. */
  unexpected(): string[];
  total(): number;
}

/** A cut arrives at once; the client may be slow to read it. */
const cutSeconds = 5;

/** Refusals that follow from others who work at the same time, or from an attempt that was cut. */
const ordinaryRefusals = new Set(['conflict', 'precondition_failed']);

export function createTally(): Tally {
  const counts = new Map<string, number>();
  const strange = new Map<string, number>();
  const killedAt = new Map<string, number>();
  const count = (counter: Map<string, number>, what: string) =>
    counter.set(what, (counter.get(what) ?? 0) + 1);

  function isExpected(outcome: Outcome): boolean {
    if (outcome.state === 'acknowledged') return true;
    if (outcome.state === 'refused') return ordinaryRefusals.has(outcome.code);
    // A key whose attempt was cut stays taken until its lease is over.
    if (outcome.because === 'idempotency_in_flight') return true;
    const [, instance = ''] =
      /error=connection_terminated; next-hop="(\w+)"/.exec(outcome.because) ?? [];
    if (instance !== '') return isRecent(killedAt.get(instance));
    // On a connection that served before, the balancer passes the cut on instead of an answer.
    return outcome.because === 'TypeError' && isRecent(Math.max(...killedAt.values()));
  }

  function isRecent(killed: number | undefined): boolean {
    return killed !== undefined && performance.now() - killed < cutSeconds * 1_000;
  }

  return {
    note(outcome, { method, path }) {
      const what = nameOf(outcome);
      count(counts, what);
      if (!isExpected(outcome)) {
        count(strange, `${method} ${path.replaceAll(/[0-9a-f-]{36}/g, '…')}: ${what}`);
      }
    },
    expectCuts: (instance) => void killedAt.set(instance, performance.now()),
    lines: () => listed(counts),
    unexpected: () => listed(strange),
    total: () => [...counts.values()].reduce((sum, times) => sum + times, 0),
  };
}

function nameOf(outcome: Outcome): string {
  switch (outcome.state) {
    case 'acknowledged':
      return outcome.isReplay ? 'acknowledged, replayed' : 'acknowledged';
    case 'refused':
      return `refused ${outcome.status} ${outcome.code}`;
    case 'unknown':
      return `unknown ${outcome.status ?? 'without an answer'} ${outcome.because}`;
  }
}

function listed(counter: ReadonlyMap<string, number>): string[] {
  return [...counter]
    .toSorted(([, a], [, b]) => b - a)
    .map(([what, times]) => `${String(times).padStart(7)}  ${what}`);
}
